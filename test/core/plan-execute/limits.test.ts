/** Limits: their defaults, where max_steps is checked, and the answer a task gives there. */
import { describe, expect, it } from 'vitest'
import { Settings } from '../../../src/core/terms/settings.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  createTask,
  done,
  ONE,
  phases,
  planned,
  replanned,
  say,
  step,
  types,
} from '../../support/scripted.ts'

describe('accounting', () => {
  it('S0-07 S0-27 S0-90 U12 F31 at the limit neither thought nor replan nor tool runs', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] })
    const spent = await createTask(bench, { max_steps: 2 }, ONE)
    expect(spent).toMatchObject({ status: 'running', step_count: 2 })
    const task = await step(bench, spent.id)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: 2 })
    expect(task.slice).toMatchObject({ advanced: true, rounds: 0 })
    expect(types(task)).toEqual(['budget_exhausted', 'task_paused'])
    bench.spent()
  })

  it.each(['en', 'zh'] as const)('S0-33 S0-87 the limit answer has its three parts (%s)', async (locale) => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), done(), act()],
      replan: [replanned('B')],
      tools: [{ ok: true }, { ok: false, text: 'nobody answered' }],
    })
    const task = await createTask(bench, { max_steps: 5 }, ALL, { locale })
    const handover = task.handover
    expect(handover?.completed).toEqual([locale === 'zh' ? 'A：todo done' : 'A: todo done'])
    expect(handover?.remaining).toEqual(['B'])
    expect(handover?.unfinished_reason).toContain('nobody answered')
    expect(handover?.next_steps).toHaveLength(3) // two suggestions, and what it takes to finish
    for (const part of [...(handover?.completed ?? []), handover?.unfinished_reason, ...(handover?.next_steps ?? [])]) {
      expect(handover?.text).toContain(part)
    }
    expect(handover?.text).toContain(locale === 'zh' ? '未完成原因' : 'Unfinished because')
  })
})

describe('routing and accounting', () => {
  it('O0-08 R6 D1 the check is before each thought and replan, never between a thought and its own action', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] })
    const acted = await createTask(bench, { max_steps: 1 }, ONE)
    expect(bench.calls).toHaveLength(1)
    expect(acted.budget).toMatchObject({ used: 2, max: 1, remaining: 0 })
    expect(acted.status).toBe('running')
    expect((await step(bench, acted.id)).stop_reason).toBe('budget_exhausted:steps')
    const late = benchOf({ plan: [planned('A')], thought: [done()], replan: ['broken'] })
    const replanning = await createTask(late, { max_steps: 2 }, ALL)
    expect(replanning).toMatchObject({ stop_reason: 'budget_exhausted:steps', step_count: 2 })
    expect(phases(late)).toEqual(['plan', 'thought', 'replan'])
  })

  it('R7 the limit comes first: an answer that arrives with the budget used gives the fallback without any model call', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const waiting = await createTask(bench, { max_steps: 1 }, ALL)
    expect(waiting.status).toBe('input_required')
    const task = await say(bench, waiting.id, 'tomorrow', ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: 1 })
    expect(task.handover?.next_steps).toHaveLength(2)
    expect(phases(bench)).toEqual(['plan', 'thought'])
  })
})

describe('what people read', () => {
  it('O0-15 the limit text: the limit, the last three successful actions as tool: input, the last failure or none, two suggestions', async () => {
    const thought = [act('a'), ask(), ...['b', 'c', 'd', 'e'].map((input) => act(input))]
    const bench = benchOf({
      plan: [planned('A')],
      thought,
      tools: [{ ok: true }, { ok: true }, { ok: true }, { ok: true }, { ok: false, text: 'shop is closed' }],
      replan: [replanned('A')],
    })
    const { id } = await createTask(bench, { max_steps: 12 }, ALL)
    const { handover } = await say(bench, id, 'now', ALL)
    expect(handover?.completed).toEqual(['todo: b', 'todo: c', 'todo: d'])
    expect(handover?.unfinished_reason).toMatch(/12.*shop is closed/)
    expect(handover?.next_steps).toHaveLength(2)
    const bare = benchOf({ plan: [planned('A')], thought: [done()] })
    const early = await createTask(bare, { max_steps: 1 }, ALL)
    expect(early.handover?.unfinished_reason).toMatch(/Last obstacle: none$/)
    const zh = benchOf({ plan: [planned('A')], thought: [done()] })
    const pausedZh = await createTask(zh, { max_steps: 1 }, ALL, { locale: 'zh' })
    expect(pausedZh.handover?.unfinished_reason).toMatch(/最近的阻碍：无$/)
  })

  it('a handover names what was found, and lists nothing twice', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act('a'), done('the shop is in\nOak Street'), act('b'), act('b')],
      replan: [replanned('B')],
    })
    const { handover } = await createTask(bench, { max_steps: 8 }, ALL)
    // The result of an item says what its actions came to.
    expect(handover?.completed).toEqual(['A: the shop is in Oak Street', 'todo: b'])
    expect(handover?.remaining).toEqual(['B'])
  })

  it('an obstacle that was overcome in its item is none', async () => {
    const failed = { ok: false, text: 'shop is closed' }
    const limit = async (tools: { ok: boolean; text?: string }[], thought: object[], max_steps: number) => {
      const bench = benchOf({ plan: [planned('A', 'B')], thought, tools, replan: [replanned('B')] })
      return (await createTask(bench, { max_steps }, ALL)).handover?.unfinished_reason
    }
    expect(await limit([{ ok: true }, failed], [act(), act()], 4)).toContain('shop is closed')
    expect(await limit([failed, { ok: true }], [act(), act()], 4)).toContain('Last obstacle: none')
    expect(await limit([failed], [act(), done('found another')], 4)).toContain('Last obstacle: none')
  })

  it('O0-01 the defaults', () => {
    expect(Settings.parse({})).toMatchObject({
      max_steps: 20,
      plan_retries: 2,
      failure_limit: 2,
      max_clarifications: 6,
      observation_char_limit: 10_000,
      observation_history_limit: 100,
      cancel_phrase: '取消当前任务',
      search_top_k: 3,
      respect_robots: true,
      schedule_window_days: 31,
      conflict_preview_days: 31,
    })
  })
})
