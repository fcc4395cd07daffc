/** The closing call of a task with an output schema: in every mode the result is data that fits, or the task says why not (U54). */
import { describe, expect, it } from 'vitest'
import { callsLimit, worstCall } from '../../../src/core/engine/forecast/forecast-limits.ts'
import { resultBytes } from '../../../src/core/engine/result/prompt.ts'
import { modeOf } from '../../../src/core/modes/index.ts'
import { Settings } from '../../../src/core/terms/settings.ts'
import { MODES } from '../../models/mode-scripts.ts'
import { EQUAL, forkOf, replayOf } from '../../support/forks.ts'
import {
  ALL,
  CALLER,
  createTask,
  cutReply,
  journalOf,
  ONE,
  phases,
  say,
  step,
  taken,
  benchOf,
  closed,
  done,
  planned,
  type Line,
} from '../../support/scripted.ts'
import { closingBench, DATA, playTyped, SCHEMA, scriptOf, WRONG } from './support.ts'

const priceOf = (mode: string) => modeOf(mode).cost['result'] ?? 0

describe.each(MODES)('mode %s with %j', (...script) => {
  const [mode, , lines] = script

  it('U54 ends with one call that gives the data, and is else as without a schema', async () => {
    const bare = benchOf(lines)
    const plain = await playTyped(bare, script, { output_schema: null })
    const bench = closingBench(script, DATA)
    const task = await playTyped(bench, script)
    bench.spent()
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done', output_schema: SCHEMA })
    expect(task.result).toMatchObject({ outcome: 'done', data: DATA })
    expect(task.result?.text).toBe(plain.result?.text)
    expect(task.plan).toEqual(plain.plan)
    expect(plain.result).not.toHaveProperty('data')
    expect(phases(bench)).toEqual([...phases(bare), 'result'])
  })

  it('U54 is charged by the price list of the mode, in a row of its own', async () => {
    const plain = await playTyped(benchOf(lines), script, { output_schema: null })
    const bench = closingBench(script, DATA)
    const task = await playTyped(bench, script)
    expect(task.step_count - plain.step_count).toBe(priceOf(mode))
    expect(task.budget.tokens.used - plain.budget.tokens.used).toBe(15)
    expect(task.counters.model_calls - plain.counters.model_calls).toBe(1)
    const row = (await journalOf(bench, task.id)).at(-1)
    expect(row).toMatchObject({ phase: 'result', counted: priceOf(mode) === 1, outcome: 'ok', request_exact: true })
  })

  it('U54 U33 a reply that does not fit is told what the validator says, and no two requests are the same', async () => {
    const bench = closingBench(script, 'no JSON at all', WRONG, DATA)
    const task = await playTyped(bench, script, { settings: { failure_limit: 5 } })
    expect(task.result?.data).toEqual(DATA)
    const asked = bench.requests.slice(-3).map(({ messages }) => messages[1]?.content ?? '')
    expect(asked[1]).toContain('the reply has no JSON object')
    expect(asked[2]).toContain('/milk: Instance type \\"string\\" is invalid. Expected \\"boolean\\".')
    expect(new Set(asked).size).toBe(3)
    const outcomes = (await journalOf(bench, task.id)).slice(-3).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['contract_error', 'contract_error', 'ok'])
  })

  it('U54 what cannot be met pauses with a handover that says why, and a resume goes on with the closing call', async () => {
    const bench = closingBench(script, WRONG, WRONG, WRONG, DATA)
    const task = await playTyped(bench, script)
    expect(task).toMatchObject({
      status: 'paused',
      stop_reason: 'result_unmet',
      error: null,
      pending: { kind: 'resume' },
    })
    expect(task.result).toMatchObject({ data: null, outcome: null })
    expect(task.result?.text).not.toBe('')
    expect(task.handover?.unfinished_reason).toContain('/milk')
    expect(task.handover?.next_steps.join()).toContain('continue')
    const calls = bench.requests.length
    const done = await say(bench, task.id, 'continue', ALL)
    expect(done).toMatchObject({ status: 'completed', result: { data: DATA } })
    expect(phases(bench).slice(calls)).toEqual(['result', 'result'])
    const asked = bench.requests.slice(-4).map(({ messages }) => messages[1]?.content)
    expect(new Set(asked).size).toBe(4)
    bench.spent()
  })

  it('U54 U9 a model that is away pauses as always, and the closing call is made when it is back', async () => {
    const bench = closingBench(script, new Error('down'), new Error('down'), DATA)
    let task = await playTyped(bench, script)
    while (task.status === 'running') task = await step(bench, task.id, ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable' })
    expect(await say(bench, task.id, 'continue', ALL)).toMatchObject({ status: 'completed', result: { data: DATA } })
  })

  it('U54 S3-17 is replayed equal, and forks at the closing call hold another outcome to the schema', async () => {
    const bench = closingBench(script, WRONG, DATA, DATA)
    const task = await playTyped(bench, script, { settings: { failure_limit: 3 } })
    expect(await replayOf(bench, task.id)).toEqual(EQUAL(task.version))
    const other = await forkOf(bench, task.id, { at: task.version, outcome: { text: '{"milk":false}' } })
    expect(other).toMatchObject({ status: 'completed', result: { data: { milk: false } }, output_schema: SCHEMA })
    const wrong = await forkOf(bench, task.id, { at: task.version, outcome: { text: '{"milk":"no"}' } })
    expect(wrong).toMatchObject({ status: 'running', result: { data: null } })
    expect(await step(bench, wrong.id, ALL)).toMatchObject({ status: 'completed', result: { data: DATA } })
  })

  it('U54 U24 the event of the end has the data, whose long texts are cut in the slice', async () => {
    const long = { milk: true, note: 'x'.repeat(1_000) }
    const bench = closingBench(script, long)
    const task = await playTyped(bench, script)
    const page = await bench.service.listEvents(CALLER, task.id, { after: 0, limit: 100 })
    const ended = page.ok ? page.value.data.find(({ type }) => type === 'task_completed') : undefined
    expect(ended?.payload).toMatchObject({ stop_reason: 'done', outcome: 'done', data: long })
    const sliced = task.slice?.events.find(({ type }) => type === 'task_completed')
    expect(sliced?.payload['data']).toEqual({ milk: true, note: `${'x'.repeat(217)}...` })
    expect(task.result?.data).toEqual(long)
  })

  it('U54 a lost closing call is charged and made again', async () => {
    const bench = closingBench(script, DATA)
    const paused = await playTyped(bench, script, { settings: { max_output_tokens: 64 } }).catch(() => null)
    expect(paused?.status).toBe('completed')
    const fork = await forkOf(bench, paused?.id ?? '', { at: (paused?.version ?? 1) - 1 })
    const ticket = {
      slice: 'gone',
      boot: 'boot',
      more: 'new_round' as const,
      wall_ms: bench.clock.now,
      rounds: 9,
      key: null,
    }
    await bench.store.of(CALLER.tenant, fork.id).begin(ticket)
    bench.clock.now += 200_000
    const again = closingBench(script, DATA)
    bench.ports.model = again.ports.model
    const task = await step(bench, fork.id, ALL)
    expect(task).toMatchObject({ status: 'completed', result: { data: DATA } })
    const rows = (await journalOf(bench, fork.id)).slice(-2)
    expect(rows.map(({ phase, outcome }) => [phase, outcome])).toEqual([
      ['result', 'orphaned'],
      ['result', 'ok'],
    ])
    expect(task.step_count - fork.step_count).toBe(2 * priceOf(mode))
  })

  it('U54 its calls and its prompt are in the forecast', () => {
    const settings = Settings.parse(modeOf(mode).presets)
    const task = { mode, settings, tools: [], fallbacks: {} }
    const more = callsLimit({ ...task, output_schema: SCHEMA }) - callsLimit(task)
    expect(more).toBe(priceOf(mode) === 1 ? 0 : settings.failure_limit)
    expect(worstCall({ ...task, output_schema: SCHEMA }).input_tokens).toBeGreaterThanOrEqual(
      worstCall(task).input_tokens,
    )
  })
})

describe('a closing call without room in the budget', () => {
  it.each(MODES.filter(([mode]) => priceOf(mode) === 1))(
    'U54 S0-27 of mode %s with %j waits for its counter',
    async (...script) => {
      const { step_count } = await playTyped(benchOf(script[2]), script, { output_schema: null })
      const bench = closingBench(script, DATA)
      const task = await playTyped(bench, script, {
        settings: { max_steps: step_count, max_iterations: step_count },
      })
      const stop_reason = script[0] === 'plan_execute' ? 'budget_exhausted:steps' : 'iteration_limit'
      expect(task).toMatchObject({ status: 'paused', stop_reason, result: { data: null } })
      expect(phases(bench)).not.toContain('result')
      expect(await say(bench, task.id, 'continue', ALL)).toMatchObject({ status: 'completed', result: { data: DATA } })
      expect(phases(bench).filter((phase) => phase === 'result')).toHaveLength(1)
    },
  )

  it.each(['plan_execute', 'dynamic', 'orchestrator'])('U54 of mode %s waits for tokens', async (mode) => {
    const script = scriptOf(mode)
    const plain = benchOf(script[2])
    const { budget } = await playTyped(plain, script, { output_schema: null })
    const most = Math.max(...plain.requests.map((request) => JSON.stringify(request).length))
    const bench = closingBench(script, DATA)
    const task = await playTyped(bench, script, {
      settings: { max_tokens: budget.tokens.used + most + 700, max_output_tokens: 64 },
      output_schema: { ...SCHEMA, description: 'x'.repeat(15_000) },
    })
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:tokens', result: { data: null } })
    expect(phases(bench)).not.toContain('result')
    await bench.service.tellTask(CALLER, task.id, { kind: 'top_up', add: { tokens: 200_000 } })
    expect(await step(bench, task.id, ALL)).toMatchObject({ status: 'completed', result: { data: DATA } })
  })
})

it('U54 the longest prompt of a closing call is within the forecast of a call', async () => {
  const long = (chars: number) => `a${'\u0001'.repeat(chars - 2)}b`
  const [plan, thought, replan] = [[planned('A')], [done(long(4_000))], [closed(long(70_000))]]
  const bench = benchOf({ plan, thought, replan, result: [long(4_000), long(5_000)] })
  const output_schema = { ...SCHEMA, description: '"'.repeat(7_900) }
  const task = await createTask(bench, {}, ALL, { goal: long(8_000), output_schema })
  expect(task.stop_reason).toBe('result_unmet')
  const sent = bench.requests.at(-1)
  const bytes = new TextEncoder().encode(JSON.stringify([sent?.messages, sent?.contract])).length
  const bound = resultBytes({ output_schema })
  expect(bytes).toBeLessThanOrEqual(bound)
  expect(bytes).toBeGreaterThan(bound / 3)
})

describe('a reply', () => {
  const [script] = MODES
  if (script === undefined) throw new Error('there is no script')
  const given = async (...lines: Line[]) => playTyped(closingBench(script, ...lines), script)

  it('U54 that is cut is never taken', async () => {
    expect(await given(cutReply(DATA), DATA)).toMatchObject({ status: 'completed', result: { data: DATA } })
    expect(await given(cutReply(DATA), cutReply(DATA))).toMatchObject({ stop_reason: 'result_unmet' })
  })

  it('U54 U32 may stand in a fence or in prose, and its words stay as they are written', async () => {
    const output_schema = { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] }
    const bench = closingBench(script, 'Here it is:\n```json\n{"status":"Done."}\n```')
    expect((await playTyped(bench, script, { output_schema })).result?.data).toEqual({ status: 'Done.' })
  })

  it('U54 of strict replies is one object and nothing else', async () => {
    const bench = closingBench(script, `Here: ${JSON.stringify(DATA)}`, DATA)
    const task = await playTyped(bench, script, { settings: { strict_replies: true } })
    expect([task.result?.data, phases(bench).filter((phase) => phase === 'result').length]).toEqual([DATA, 2])
  })

  it('U54 that says that it cannot is told to the person', async () => {
    const task = await given({ cannot: 'milk is not known' }, { cannot: 'milk is not known' })
    expect(task.stop_reason).toBe('result_unmet')
    expect(task.handover?.unfinished_reason).toContain('milk is not known')
  })

  it('U54 a null for a member that may be left out is left out', async () => {
    expect((await given({ milk: true, note: null })).result?.data).toEqual({ milk: true })
  })
})

describe('what is said while an ending is held', () => {
  it('U54 reaches the closing call', async () => {
    const script = scriptOf('plan_execute')
    const bench = closingBench(script, WRONG, WRONG, DATA)
    const paused = await playTyped(bench, script)
    const task = await say(bench, paused.id, 'there are two pints', ALL)
    expect(task).toMatchObject({ status: 'completed', result: { data: DATA } })
    expect(bench.requests.at(-1)?.messages[1]?.content).toContain('"remarks":["there are two pints"]')
  })

  it('U54 begins the next run of a session, which has data of its own', async () => {
    const bench = benchOf({
      turn: ['Milk is there.', 'Bread too.', 'And tea.'],
      result: [WRONG, WRONG, DATA, { milk: false }],
    })
    const more = { mode: 'session', goal: 'Is milk there?', output_schema: SCHEMA }
    const first = await createTask(bench, {}, ALL, more)
    expect(first.stop_reason).toBe('result_unmet')
    const second = await say(bench, first.id, 'is bread there?', ALL)
    expect(second).toMatchObject({ status: 'completed', result: { text: 'Bread too.', data: DATA } })
    expect(bench.requests.at(-1)?.messages[1]?.content).toContain('"goal":"is bread there?"')
    const third = await say(bench, first.id, 'is tea there?', ONE)
    expect(third).toMatchObject({ status: 'running', result: { text: 'And tea.', data: null } })
    const last = await step(bench, first.id)
    expect(last).toMatchObject({ status: 'completed', result: { data: { milk: false } } })
    expect(await replayOf(bench, first.id)).toEqual(EQUAL(last.version))
  })

  it('U54 more attempts let it go on, and a cancel ends it', async () => {
    const script = scriptOf('dynamic')
    const bench = closingBench(script, WRONG, WRONG, DATA)
    const paused = await playTyped(bench, script)
    await bench.service.tellTask(CALLER, paused.id, { kind: 'top_up', add: { attempts: 1 } })
    expect(await step(bench, paused.id, ALL)).toMatchObject({ status: 'completed', result: { data: DATA } })
    const other = closingBench(script, WRONG, WRONG)
    const stopped = await playTyped(other, script)
    const canceled = taken(await other.service.tellTask(CALLER, stopped.id, { kind: 'cancel' }))
    expect(canceled).toMatchObject({ status: 'canceled', stop_reason: 'canceled' })
  })
})
