/** The iteration limit, going on after it, and what is counted (S4-08, S4-09, S4-19, S4-20, O4-04, O4-08, O4-09, R24, U12 and U13). */
import { describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts'
import { forecast } from '../../../src/core/engine/forecast/forecast.ts'
import { session } from '../../../src/core/modes/session/machine.ts'
import { CALLER, FREE, ONE, say, step, taken, types } from '../../support/scripted.ts'
import { begin, payloads, rounds, said, sessionBench, states, steps, use, uses } from './support.ts'

const PLAN = steps('A', 'B', 'C')

describe('the limit', () => {
  it('S4-20 O4-08 at the limit the session pauses with its progress and how to go on', async () => {
    const bench = sessionBench([use(PLAN), use('[Done]')])
    const task = await begin(bench, { max_iterations: 2 }, rounds(9), { goal: 'the goal' })
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'iteration_limit', step_count: 2, result: null })
    expect(task.plan).toMatchObject({ status: 'paused', cursor: 1 })
    expect(payloads(task, 'budget_exhausted')).toMatchObject([{ axis: 'iterations', used: 2, max: 2 }])
    expect(task.handover?.text.startsWith('Goal: the goal\nProgress: 1/3 steps completed\n')).toBe(true)
    expect(task.handover).toMatchObject({ completed: ['A: todo: todo done'], remaining: ['B', 'C'] })
    // The summary lists the steps with their results, so they are not listed again.
    for (const line of ['✓ A: todo: todo done', '⏳ B', '⏸ C'])
      expect(task.handover?.text.split('\n').filter((one) => one.includes(line.slice(0, 3)))).toEqual([line])
    expect(task.handover?.unfinished_reason).toContain('2 iterations')
    expect(task.handover?.text).toContain('About 4 more iterations are needed')
    expect(task.pending).toMatchObject({ kind: 'resume', hint: expect.stringContaining('"continue"') })
  })

  it('O4-09 the summary in Chinese, and before there are steps', async () => {
    const zh = await begin(sessionBench([use(PLAN), use('[完成]')]), { max_iterations: 2 }, rounds(9), {
      goal: '目标甲',
      locale: 'zh',
    })
    expect(zh.handover?.text.split('\n\n')[0]).toBe(
      '目标：目标甲\n进度：已完成 1/3 步\n当前步骤（2/3）：B\n已用迭代：2\n✓ A：todo: todo done\n⏳ B\n⏸ C',
    )
    expect(zh.pending).toMatchObject({ hint: expect.stringContaining('继续') })
    const bare = await begin(sessionBench([use()]), { max_iterations: 1 }, rounds(9))
    expect(bare.handover?.text.split('\n\n')[0]).toBe('Goal: a goal\nProgress: planning\nIterations used: 1')
    const none = await begin(sessionBench([new Error('down')]), { max_iterations: 1, failure_limit: 1 }, rounds(9))
    expect(none.handover?.text.split('\n\n')[0]).toBe('Goal: a goal\nProgress: planning')
  })

  it('U12 the slice that spends the last iteration answers running; the next request makes the check', async () => {
    const bench = sessionBench([use(PLAN)])
    const task = await begin(bench, { max_iterations: 1 }, ONE)
    expect(task).toMatchObject({ status: 'running', budget: { remaining: 0 } })
    const next = await step(bench, task.id)
    expect(next).toMatchObject({ status: 'paused', slice: { advanced: true, rounds: 0 } })
  })

  it('S4-20 the tools of the last turn are still run', async () => {
    const bench = sessionBench([use(PLAN)])
    const task = await begin(bench, { max_iterations: 1 }, rounds(9))
    expect(types(task)).toEqual(expect.arrayContaining(['action_finished', 'budget_exhausted', 'task_paused']))
  })

  it('R24 U13 a session counts its turns: calls of tools cost nothing, failed and empty turns one', async () => {
    const bench = sessionBench([new Error('down'), '', use(PLAN), 'so\n[Done]'])
    const task = await begin(bench, { failure_limit: 5 }, ONE)
    await step(bench, task.id)
    const last = await step(bench, task.id, rounds(9))
    expect(last).toMatchObject({
      status: 'completed',
      step_count: 4,
      budget: { unit: 'iterations', used: 4, max: 200 },
    })
    expect(last.counters).toMatchObject({ model_calls: 4, iterations: 4, actions: 1 })
    expect(session.calls_max({ ...DEFAULT_SETTINGS, max_iterations: 200 })).toBe(200)
  })

  it('O4-08 with auto_continue it goes on to five times the limit and then fails, its plan with it', async () => {
    const bench = sessionBench([use(PLAN), ...uses(4)])
    const task = await begin(bench, { max_iterations: 1, auto_continue: true }, rounds(20))
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'iteration_limit', step_count: 5 })
    expect(task.budget).toMatchObject({ max: 5, remaining: 0 })
    expect(task.plan.status).toBe('failed')
    expect(states(task)).toEqual(['failed', 'skipped', 'skipped'])
    expect(task.handover?.text).toContain('Progress: 0/3 steps completed')
    expect(task.error?.detail).toContain('The limit of 5 iterations is reached (5 used)')
    expect(task.handover?.next_steps.join()).not.toContain('continue')
  })

  it('O4-08 with auto_continue a paused session goes on at any word', async () => {
    const bench = sessionBench([use(PLAN), 'so\n[Done]'])
    const task = await begin(bench, { auto_continue: true }, ONE)
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    const last = await say(bench, task.id, 'what about B?', rounds(5))
    expect(last).toMatchObject({ status: 'completed', result: { text: 'so' } })
    expect(said(bench.requests.at(-1)).at(-1)?.content).toMatch(/^what about B\?\n\nGoal: /)
  })
})

describe('going on', () => {
  it('S4-19 S4-08 O4-04 a continue text goes on from the same step, with the progress in the message', async () => {
    const bench = sessionBench([use(PLAN), use('[Done]'), use('[Done]'), 'so\n[Done]'])
    const task = await begin(bench, { max_iterations: 2 }, rounds(9))
    const next = await say(bench, task.id, '继续 with B', ONE)
    expect(next).toMatchObject({
      status: 'running',
      budget: { used: 3, max: 4 },
      plan: { status: 'running', cursor: 2 },
    })
    expect(said(bench.requests.at(-1)).at(-1)).toEqual({
      role: 'user',
      content:
        '继续 with B\n\nGoal: a goal\nProgress: 1/3 steps completed\nCurrent step (2/3): B\nIterations used: 2\n✓ A\n⏳ B\n⏸ C',
    })
    // It stays as it was when it was said.
    await step(bench, task.id)
    const message = said(bench.requests.at(-1)).find(({ content }) => content.startsWith('继续 with B'))
    expect(message?.content).toContain('Progress: 1/3 steps completed')
    expect(message?.content).toContain('Iterations used: 2')
  })

  it('S4-19 the progress of an earlier continue is left to the plan, which stands before every turn', async () => {
    const bench = sessionBench([use(steps('A')), use(`${steps('B')}\n[Done]`), use()])
    const task = await begin(bench, { max_iterations: 1 }, rounds(9))
    await say(bench, task.id, 'continue', rounds(9))
    await say(bench, task.id, 'go on', ONE)
    const [first, second] = said(bench.requests.at(-1)).filter(({ role }) => role === 'user')
    expect(first?.content).toBe('continue')
    expect(second?.content).toContain('Progress: 1/2 steps completed')
  })

  it.each([
    ['en', 'continue'],
    ['zh', '继续'],
  ] as const)('S4-19 a resume without a word says %s: %s', async (locale, word) => {
    const bench = sessionBench([use(PLAN), 'so\n[Done]'])
    const task = await begin(bench, {}, ONE, { locale })
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    expect(taken(await bench.service.tellTask(CALLER, task.id, { kind: 'resume' })).status).toBe('running')
    await step(bench, task.id)
    expect(said(bench.requests.at(-1)).at(-1)?.content.split('\n\n')[0]).toBe(word)
  })

  it('S4-19 without a plan it is said in a word, so that the conversation never ends with the model', async () => {
    const bench = sessionBench(['Nothing yet.', 'so\n[Done]'])
    const task = await begin(bench)
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    await say(bench, task.id, 'what have you done?', ONE)
    await bench.service.tellTask(CALLER, task.id, { kind: 'resume' })
    await step(bench, task.id)
    expect(said(bench.requests.at(-1)).map(({ content }) => content)).toEqual([
      'what have you done?',
      'Nothing yet.',
      'continue',
    ])
  })

  it('S4-19 so does a top-up that lets it go on', async () => {
    const bench = sessionBench([use(PLAN), 'so\n[Done]'])
    const task = await begin(bench, { max_iterations: 1 }, rounds(9))
    const freed = taken(await bench.service.tellTask(CALLER, task.id, { kind: 'top_up', add: { iterations: 1 } }))
    expect(freed).toMatchObject({ status: 'running', budget: { max: 2 } })
    await step(bench, task.id)
    expect(said(bench.requests.at(-1)).at(-1)?.content).toMatch(/^continue\n\nGoal: a goal\n/)
  })

  it('U13 each continue grants max_iterations again, unless continue_grants is off', async () => {
    const bench = sessionBench(uses(4))
    const task = await begin(bench, { max_iterations: 2 }, rounds(9))
    expect((await say(bench, task.id, 'continue', rounds(9))).budget).toMatchObject({ used: 4, max: 4 })
    const kept = await begin(sessionBench(uses(1)), { max_iterations: 1, continue_grants: false }, rounds(9))
    expect(kept.pending).toMatchObject({ hint: expect.stringContaining('top it up') })
  })

  it('U14 without grants a text at a spent budget is kept for the next turn, also with auto_continue', async () => {
    const bench = sessionBench([use(PLAN), 'so\n[Done]'])
    const settings = { max_tokens: 1, auto_continue: true, continue_grants: false }
    const { id } = await begin(bench, settings, rounds(9))
    for (const input of ['in blue', 'continue'])
      expect(await say(bench, id, input, ONE)).toMatchObject({ status: 'paused' })
    taken(await bench.service.tellTask(CALLER, id, { kind: 'top_up', add: { tokens: 1_000_000 } }))
    await step(bench, id)
    expect(said(bench.requests.at(-1)).map(({ content }) => content)).toContain('in blue')
  })

  it('O4-04 a text that is negated is no continue text', async () => {
    const bench = sessionBench([use(PLAN), 'fine'])
    const task = await begin(bench, { max_iterations: 1 }, rounds(9))
    expect(await say(bench, task.id, '不要继续', ONE)).toMatchObject({ status: 'paused', result: { text: 'fine' } })
  })

  it('S4-19 only the latest of many continue texts contains the progress', async () => {
    const bench = sessionBench([use(PLAN), ...uses(12)])
    const task = await begin(bench, { max_iterations: 1 }, rounds(9))
    for (let times = 0; times < 12; times++) await say(bench, task.id, 'continue', rounds(9))
    const words = said(bench.requests.at(-1)).filter(({ role }) => role === 'user')
    expect(words).toHaveLength(12)
    expect(words.filter(({ content }) => content.includes('Goal: '))).toEqual([words.at(-1)])
  })
})

it('R24 the worst case of a session is its turns, each with the longest conversation', () => {
  const settings = { ...DEFAULT_SETTINGS, max_iterations: 10, transcript_token_limit: 1_000_000 }
  const { worst_case } = forecast({ mode: 'session', settings, tools: [], fallbacks: {} }, 0, [], {
    prices: FREE,
    now_ms: 0,
  })
  expect(worst_case.steps).toBe(10)
  expect(worst_case.tokens).toBeGreaterThan(10 * 4_000_000)
  const small = forecast(
    { mode: 'session', settings: { ...settings, transcript_token_limit: 1_000 }, tools: [], fallbacks: {} },
    0,
    [],
    { prices: FREE, now_ms: 0 },
  )
  expect(small.worst_case.tokens).toBeLessThan(10 * 3_000_000)
})
