/** Forks that differ (U26): another outcome of the last row, or other limits – and what of that did not happen so. */
import { describe, expect, it } from 'vitest'
import { NO_ALLOWANCE } from '../../src/core/terms/axes.ts'
import { damage } from '../support/held.ts'
import {
  acted,
  complaint,
  EQUAL,
  expectFold,
  forkOf,
  LOST_TICKET,
  refusedFork,
  replayOf,
  storedRows,
} from '../support/forks.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  journalOf,
  NONE,
  ONE,
  planned,
  playMany,
  replanned,
  rowsOf,
  say,
  step,
  taken,
} from '../support/scripted.ts'

describe('U26 another outcome', () => {
  it('S3-17 U26 one observation that says something else, and the task ends differently', async () => {
    const { bench, id } = await acted({
      thought: [done(), ask('Which shop?')],
      replan: [closed('milk is bought')],
    })
    const ended = await step(bench, id, ALL)
    const fork = await forkOf(bench, id, { at: 4, outcome: { ok: false, code: 'not_found', text: 'no such shop' } })
    expect(fork.counters).toMatchObject({ actions: 1, failed_actions: 1, successful_actions: 0 })
    const asking = await step(bench, fork.id, ALL)
    expect([ended.status, ended.result?.text]).toEqual(['completed', 'milk is bought'])
    expect([asking.status, asking.pending]).toMatchObject(['input_required', { question: 'Which shop?' }])
    expect(bench.requests.at(-1)?.messages[1]?.content).toContain('no such shop')
    expect(await replayOf(bench, fork.id)).toEqual(EQUAL(5))
    bench.spent()
  })

  it('U26 of a model call is a reply: its text changes, and its cost does not', async () => {
    const { bench, id } = await acted()
    const fork = await forkOf(bench, id, { at: 2, outcome: { text: JSON.stringify(planned('X', 'Y')) } })
    expect(fork.plan.items.map((item) => item.title)).toEqual(['X', 'Y'])
    const [, theirs] = await journalOf(bench, id)
    const [, own] = await journalOf(bench, fork.id)
    expect(own).toEqual({ ...theirs, model: 'edited', reply: { text: JSON.stringify(planned('X', 'Y')) } })
  })

  it('U26 may break its contract, or be a failed call', async () => {
    const { bench, id } = await acted()
    const broken = await forkOf(bench, id, { at: 3, outcome: { text: 'prose' } })
    expect((await journalOf(bench, broken.id)).at(-1)).toMatchObject({ outcome: 'contract_error', counted: true })
    const failed = await forkOf(bench, id, { at: 3, outcome: { reason: 'down', status: 503 } })
    expect((await journalOf(bench, failed.id)).at(-1)).toMatchObject({
      outcome: 'model_error',
      charged_tokens: 0,
      reply: { reason: 'down', status: 503 },
    })
    const lost = await forkOf(bench, id, { at: 3, outcome: { reason: 'no answer', status: null } })
    expect((await journalOf(bench, lost.id)).at(-1)).toMatchObject({ charged_tokens: 15 })
  })

  it('U26 of a failed call may be a reply, at the price of the failure', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [new Error('down')] })
    const { id } = await createTask(bench, {}, ONE)
    const fork = await forkOf(bench, id, { at: 3, outcome: { text: JSON.stringify(done()) } })
    expect((await journalOf(bench, fork.id)).at(-1)).toMatchObject({ outcome: 'ok', charged_tokens: 0 })
    expect(fork.retry_after_ms).toBeNull()
  })

  it('U26 of a lost call is a reply at the price of its whole reservation', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const { id } = await createTask(bench)
    await bench.store.of(CALLER.tenant, id).begin(LOST_TICKET)
    await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
    const charged = (await journalOf(bench, id)).at(2)?.charged_tokens
    const fork = await forkOf(bench, id, { at: 3, outcome: { text: JSON.stringify(done()) } })
    expect((await journalOf(bench, fork.id)).at(-1)).toMatchObject({ outcome: 'ok', charged_tokens: charged })
    expect(charged).toBeGreaterThan(4_000)
  })

  it('U26 what `/journal` prints as a reply is taken as it is, and gives the same task again', async () => {
    const { bench, task } = await playMany()
    const rows = await journalOf(bench, task.id)
    const editable = rows.filter((row) => row.outcome !== null || row.kind === 'user_answered')
    expect(editable.length).toBeGreaterThan(12)
    for (const { seq, reply } of editable) {
      const [same, plain] = [
        await forkOf(bench, task.id, { at: seq, outcome: reply as object }),
        await forkOf(bench, task.id, { at: seq }),
      ]
      const [one, other] = [same, plain].map(({ id }) => ({ ...rowsOf(bench, id).at(-1)?.head, id: '' }))
      expect(one).toEqual(other)
    }
  })

  it('U26 of a person is another answer that the question would have accepted', async () => {
    const choices = { ...ask('Which?'), choices: ['red', 'blue'] }
    const bench = benchOf({ plan: [planned('A')], thought: [choices], replan: [replanned('A')] })
    const { id } = await createTask(bench, {}, ONE)
    await say(bench, id, 'red', NONE)
    const fork = await forkOf(bench, id, { at: 4, outcome: { text: ' BLUE ' } })
    expect((await journalOf(bench, fork.id)).at(-1)?.reply).toEqual({ text: 'blue' })
    const schema = '{"type":"integer"}'
    const typed = benchOf({ plan: [planned('A')], thought: [{ ...ask('How many?'), response_schema: schema }] })
    const other = await createTask(typed, {}, ONE)
    await say(typed, other.id, '2', NONE)
    expect(await complaint(typed, other.id, { at: 4, outcome: { text: 'two' } })).toContain(
      'must fit the response_schema',
    )
    await say(bench, id, 'by the way', NONE)
    const remark = await forkOf(bench, id, { at: 5, outcome: { text: ' otherwise ' } })
    expect((await journalOf(bench, remark.id)).at(-1)?.reply).toEqual({ text: 'otherwise' })
  })

  it.each([
    ['task_created', 1, { text: 'x' }, 'of row 1, task_created, cannot be edited: it has no outcome'],
    [
      'a model that is given what a tool says',
      2,
      { ok: true, code: 'x', text: 'y' },
      'of row 2, call_model, must be {text} or {reason, status}: ',
    ],
    ['a model that is given nothing', 2, {}, 'of row 2, call_model, must be {text} or {reason, status}: text: '],
    [
      'a failure without its status',
      3,
      { reason: 'x' },
      'of row 3, call_model, must be {text} or {reason, status}: status: ',
    ],
    [
      'a status that is none',
      3,
      { reason: 'x', status: 7 },
      'of row 3, call_model, must be {text} or {reason, status}: status: ',
    ],
    [
      'a failure that also says something',
      3,
      { reason: 'x', status: 500, text: 'y' },
      'of row 3, call_model, must be {text} or {reason, status}: ',
    ],
    ['a tool without its code', 4, { ok: true, text: 'y' }, 'of row 4, run_tool, must be {ok, code, text}: code: '],
    [
      'a tool that says too much',
      4,
      { ok: true, code: 'x', text: 'y'.repeat(100_001) },
      'of row 4, run_tool, must be {ok, code, text}: text: ',
    ],
  ])('U26 that does not fit its row is refused: %s', async (_name, at, outcome, message) => {
    const { bench, id } = await acted()
    const said = await complaint(bench, id, { at, outcome })
    expect(said).toContain(`/edit/outcome edit.outcome ${message}`)
    expect(said.length).toBeLessThan(400)
  })
})

describe('U26 other limits', () => {
  it('U26 what was used is inherited, what may be used is the fork’s own', async () => {
    const { bench, id } = await acted()
    const fork = await forkOf(bench, id, { at: 4, settings: { max_steps: 40, max_tokens: 1_000_000 } })
    expect(fork.budget).toMatchObject({ used: 2, max: 40, tokens: { used: 30, max: 1_000_000 } })
    expect(fork.settings).toMatchObject({ max_steps: 40, failure_limit: 2 })
    expect((await forkOf(bench, id, { at: 4 })).settings).toEqual(
      taken(await bench.service.getTask(CALLER, id)).settings,
    )
  })

  it('U26 a top-up of the parent is copied like any row', async () => {
    const { bench, id } = await acted()
    await bench.service.tellTask(CALLER, id, { kind: 'top_up', add: { steps: 5 } })
    expect((await forkOf(bench, id, { at: 5 })).budget.max).toBe(25)
    expect((await forkOf(bench, id, { at: 5, settings: { max_steps: 40 } })).budget.max).toBe(45)
  })

  it('U26 the last row is decided by the new settings: a failure more may be one that is borne', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: ['broken', 'broken', done()], replan: [closed()] })
    const failed = await createTask(bench, {}, ALL)
    expect(failed).toMatchObject({ status: 'failed', version: 4 })
    const fork = await forkOf(bench, failed.id, { at: 4, settings: { failure_limit: 3 } })
    expect(fork.status).toBe('running')
    expect((await step(bench, fork.id, ALL)).status).toBe('completed')
    expect(await replayOf(bench, fork.id)).toEqual(EQUAL(6))
  })

  it.each([
    ['fewer steps than were used', { max_steps: 1 }, 5, 'row 5, call_model: its /effect/kind would be budget_spent'],
    [
      'fewer tokens than a call reserved',
      { max_tokens: 1_000 },
      4,
      'row 2, call_model: its /reserved/tokens would be at most 1000',
    ],
    [
      'less time than a call may take',
      { max_seconds: 1 },
      4,
      'row 2, call_model: its /reserved/working_ms would be at most 1000',
    ],
    [
      'a failure fewer',
      { failure_limit: 1 },
      6,
      'row 6, call_model: its /effect/kind would be nothing: contract_failures',
    ],
    ['no question', { max_clarifications: 0 }, 9, 'row 9, user_answered: its /event/kind would be no answer'],
  ])(
    'U26 settings by which a copied row would be another one are refused with it: %s',
    async (_name, settings, at, said) => {
      const bench = benchOf({
        plan: [planned('A')],
        thought: [act(), 'broken', done(), ask()],
        replan: [replanned('B'), replanned('B')],
      })
      const { id } = await createTask(bench, {}, ALL)
      await say(bench, id, 'tomorrow', NONE)
      expect(rowsOf(bench, id)).toHaveLength(9)
      expect(await complaint(bench, id, { at, settings })).toBe(
        `/settings settings do not go with ${said}; fork at a row before it`,
      )
    },
  )

  it('U26 a limit that was reached is not reached by more: the row that says so is refused, the one before it is not', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
    const task = await createTask(bench, { max_steps: 1 }, ALL)
    expect(task).toMatchObject({ stop_reason: 'budget_exhausted:steps', version: 5 })
    expect(await complaint(bench, task.id, { at: 5, settings: { max_steps: 9 } })).toContain('row 5, budget_spent')
    const fork = await forkOf(bench, task.id, { at: 4, settings: { max_steps: 9 } })
    expect((await step(bench, fork.id, ALL)).status).toBe('completed')
  })

  it('U26 the same of an axis whose limit is known by the size of a call only', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const task = await createTask(bench, { max_tokens: 3_000 }, ALL)
    expect(task.stop_reason).toBe('budget_exhausted:tokens')
    const settings = { max_tokens: 90_000 }
    expect(await complaint(bench, task.id, { at: task.version, settings })).toContain('its budget would not be spent')
    expect((await forkOf(bench, task.id, { at: task.version })).status).toBe('paused')
    expect((await forkOf(bench, task.id, { at: task.version - 1, settings })).status).toBe('running')
  })

  it('U26 rows that no settings explain are refused by at: they were altered, or are of another release', async () => {
    const { bench, id } = await acted()
    const rows = storedRows(bench, id)
    damage({ rows }, 4, ({ effect }) => ({ effect: (effect ?? '').replace('"todo"', '"schedule"') }))
    expect(await complaint(bench, id, { at: 4 })).toBe(
      '/at at does not go with row 4, run_tool: its /effect/tool would be todo; fork at a row before it',
    )
  })

  it('U26 money needs models with a price, as at a create', async () => {
    const prices = { version: 'v', default_model: 'm', models: { m: { input: 1, output: 1 } }, every: null }
    const bench = benchOf({ plan: [planned('A')] }, {}, prices)
    const { id } = await createTask(bench)
    const settings = { max_cost_usd: '1', model: 'unknown' }
    expect(await refusedFork(bench, id, { at: 1, settings })).toEqual({
      code: 'model_not_budgetable',
      models: ['unknown'],
    })
    expect((await forkOf(bench, id, { at: 1, settings: { max_cost_usd: '1' } })).budget.cost_usd.max).toBe('1.000000')
  })

  it('U16 U26 what the parent holds of its tenant’s day stays with it', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] }, { daily: { tokens: 10_000_000, cost: null } })
    const { id } = await createTask(bench, {}, ONE)
    const [held, last] = [rowsOf(bench, id).at(-1)?.head.allowance, rowsOf(bench, id).length]
    expect(held?.tokens).toBeGreaterThan(0)
    const fork = await forkOf(bench, id, { at: last })
    for (const { head } of rowsOf(bench, fork.id)) expect(head.allowance).toEqual(NO_ALLOWANCE)
    expectFold(bench, fork.id)
    expect(await replayOf(bench, fork.id)).toEqual(EQUAL(last))
    expect(await bench.store.of(CALLER.tenant, fork.id).remove()).toMatchObject({ ok: true, value: { held: null } })
  })
})
