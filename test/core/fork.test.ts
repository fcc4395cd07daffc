/** Forks (ruling 26): every closed row is a state from which a new task goes on, with another outcome or by other limits. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NO_ALLOWANCE } from '../../src/core/axes.ts'
import { readJournal } from '../../src/store/journal-file.ts'
import type { Caller } from '../../src/shell/service.ts'
import { damage } from '../support/held.ts'
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
  type Bench,
  type Script,
} from '../support/scripted.ts'
import {
  complaint,
  EQUAL,
  expectFold,
  forkOf,
  place,
  recordsOf,
  refusedFork,
  replayOf,
  storedRows,
} from '../support/forks.ts'

/** Planned, and one action done that worked: rows 1 to 4; `more` is what is said after it. */
async function acted(more: Script = {}): Promise<{ bench: Bench; id: string }> {
  const bench = benchOf({
    plan: [planned('A')],
    ...more,
    thought: [act(), ...(more.thought ?? [])],
    tools: [{ ok: true, text: 'bought' }],
  })
  const { id } = await createTask(bench, {}, ONE)
  return { bench, id }
}
const eventsOf = async (bench: Bench, id: string) => {
  const page = await bench.service.listEvents(CALLER, id, { after: 0, limit: 100 })
  if (!page.ok) throw new Error(page.refusal.code)
  return page.value.data
}
const keyed = (id: string, key: string, digest = 'd1'): Caller => ({
  ...CALLER,
  key: { scope: `POST /tasks/${id}/fork`, key, digest },
})

describe('ruling 26 a fork at any row', () => {
  it('ruling 26 is the task as it was after that row, under a new id, and folds like any other', async () => {
    const { bench, task } = await playMany()
    const rows = rowsOf(bench, task.id)
    for (let at = 1; at <= rows.length; at++) {
      const fork = await forkOf(bench, task.id, { at })
      expect(fork.slice).toEqual({ advanced: false, rounds: 0, events: [] })
      expect(fork.version).toBe(at)
      const last = rowsOf(bench, fork.id).at(-1)
      expect({ ...last?.head, id: task.id, created_at: 0 }).toEqual({ ...rows[at - 1]?.head, created_at: 0 })
      expectFold(bench, fork.id)
      expect(await replayOf(bench, fork.id)).toEqual(EQUAL(at))
    }
    expect(rows.length).toBe(15)
  })

  it('ruling 26 its events are those of the copied rows under its id; its ledger is theirs', async () => {
    const { bench, task } = await playMany()
    const fork = await forkOf(bench, task.id, { at: 9 })
    const events = await eventsOf(bench, task.id)
    const copied = events.filter((event) => Number(event.payload['journal_seq']) <= 9)
    expect(await eventsOf(bench, fork.id)).toEqual(copied.map((event) => ({ ...event, task_id: fork.id })))
    const ledger = await journalOf(bench, task.id)
    const [first, ...rest] = await journalOf(bench, fork.id)
    expect(rest).toEqual(ledger.slice(1, 9))
    expect(first?.kind).toBe('task_created')
    expect(rest.filter((row) => row.request_exact === false)).toEqual([])
  })

  it('ruling 26 goes on by itself: its effects have its own keys, and its parent stays as it is', async () => {
    const { bench, id } = await acted({ thought: [act('/todo add eggs')] })
    const before = JSON.stringify(recordsOf(bench, id))
    const fork = await forkOf(bench, id, { at: 4 })
    await step(bench, fork.id)
    expect(bench.calls.map((call) => call.key)).toEqual([`${id}:4`, `${fork.id}:6`])
    expect(JSON.stringify(recordsOf(bench, id))).toBe(before)
  })

  it('ruling 26 nothing of its parent that opens or repeats anything is carried over: keys, slices, leases', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] })
    const create: Caller = { ...CALLER, key: { scope: 'POST /tasks', key: 'k', digest: 'd' } }
    const { id } = await createTask(bench, {}, ONE, { caller: create })
    const fork = await forkOf(bench, id, { at: 4 })
    const slices = new Set(recordsOf(bench, id).flatMap(({ slice }) => (slice === null ? [] : [slice])))
    for (const record of recordsOf(bench, fork.id)) {
      expect(record.key).toBeNull()
      expect(slices.has(record.slice ?? '')).toBe(false)
      const lease: unknown = JSON.parse(record.lease ?? 'null')
      if (lease !== null) expect(lease).toEqual({ boot: null, until: expect.any(Number), attempt: 1 })
    }
    expect(await bench.store.of(CALLER.tenant, fork.id).begin({ ...NO_TICKET, key: create.key })).toMatchObject({
      ok: true,
      value: { earlier: null },
    })
  })

  it('ruling 26 its open question is asked anew: with a link of its own, for as long as any', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()], replan: [closed()] })
    const made = await bench.service.createTask(CALLER, { ...BRIEF, settings: SETTINGS, origin: 'https://here' }, ONE)
    const parent = taken(made)
    bench.clock.now += 6 * DAY
    const fork = await forkOf(bench, parent.id, { at: parent.version })
    expect(fork.status).toBe('input_required')
    const [theirs, own] = [urlOf(parent), urlOf(fork)]
    expect(own).not.toBe(theirs)
    expect(fork.pending).toMatchObject({ expires_at: new Date(bench.clock.now + 7 * DAY).toISOString() })
    const token = own.slice('https://here/answers/'.length)
    expect(await bench.service.answerQuestion(CALLER, token, 'tomorrow')).toMatchObject({ ok: true })
    expect(taken(await bench.service.getTask(CALLER, parent.id)).status).toBe('input_required')
    expect(taken(await bench.service.getTask(CALLER, fork.id)).status).toBe('running')
  })

  it('ruling 26 is as old as its making: it is kept as long as any task that has just ended', async () => {
    const { bench, task } = await playMany()
    const ended = task.version
    const made = bench.clock.now
    bench.clock.now += 400 * DAY
    const fork = await forkOf(bench, task.id, { at: ended })
    expect([fork.status, fork.stop_reason, fork.result]).toEqual([task.status, task.stop_reason, task.result])
    expect(fork.created_at).toBe(new Date(bench.clock.now).toISOString())
    expect(fork.updated_at).toBe(fork.created_at)
    expect((await journalOf(bench, fork.id)).at(-1)?.finished_at).toBe(new Date(made).toISOString())
    const retired = await bench.store.of(CALLER.tenant, fork.id).retire()
    expect(retired).toEqual({ ok: false, refusal: { code: 'task_not_found' } })
    bench.clock.now += 31 * DAY
    expect(await bench.store.of(CALLER.tenant, fork.id).retire()).toMatchObject({ ok: true })
  })

  it('ruling 26 of a paused task is paused, of one under way as it was before the effect', async () => {
    const { bench, id } = await acted({ thought: [done()], replan: [closed()] })
    await bench.service.pauseTask(CALLER, id)
    expect(await forkOf(bench, id, { at: 5 })).toMatchObject({ status: 'paused', stop_reason: 'paused_by_user' })
    await bench.service.resumeTask(CALLER, id)
    await bench.store.of(CALLER.tenant, id).begin(NO_TICKET)
    expect(await complaint(bench, id, { at: 7 })).toBe('/at at must be a closed row, from 1 to 6')
    const fork = await forkOf(bench, id, { at: 6 })
    expect(fork.status).toBe('running')
    expect((await step(bench, fork.id, ALL)).status).toBe('completed')
  })

  it('ruling 26 of a fork is a fork; each knows the one it was made from', async () => {
    const { bench, task } = await playMany()
    const one = await forkOf(bench, task.id, { at: 8, settings: { max_steps: 50 } })
    const two = await forkOf(bench, one.id, { at: 5 })
    expectFold(bench, two.id)
    expect(await replayOf(bench, two.id)).toEqual(EQUAL(5))
    expect(two.budget.max).toBe(50)
    const [first] = rowsOf(bench, two.id)
    expect(first?.event).toMatchObject({ brief: { forked: { task: one.id, at: 5, inexact_until: 5 } } })
  })

  it.each(['v1', 'v2', 'v3'].flatMap((v) => ['completed', 'waiting', 'limit'].map((name) => `${v}-${name}`)))(
    'ruling 26 of a task stored by an earlier release, %s, at each of its rows',
    async (name) => {
      const bench = benchOf({})
      const records = readJournal(readFileSync(`test/fixtures/journals/${name}.json`, 'utf8'))
      place(bench, FIXED, records)
      const rows = records.length
      for (let at = 1; at <= rows; at++) {
        const fork = await forkOf(bench, FIXED, { at })
        expectFold(bench, fork.id)
        expect(await replayOf(bench, fork.id)).toEqual(EQUAL(at))
      }
      expect(rows).toBeGreaterThanOrEqual(5)
    },
  )
})

const DAY = 86_400_000
const NO_TICKET = { slice: 'other', boot: 'boot', more: 'new_round' as const, rounds: 9, wall_ms: 0, key: null }
const FIXED = 'task_fixture'
const { settings: SETTINGS, ...BRIEF } = await briefOfTests()

async function briefOfTests() {
  const bench = benchOf({ plan: [planned('A')] })
  const { id } = await createTask(bench, {}, NONE)
  const [row] = rowsOf(bench, id)
  if (row?.event.kind !== 'task_created') throw new Error('a task begins with its brief')
  return { ...row.event.brief, mode: 'plan_execute' as const }
}

const urlOf = ({ pending }: { pending: unknown }) => String((pending as { answer_url: unknown } | null)?.answer_url)

describe('ruling 26 another outcome', () => {
  it('S3-17 ruling 26 one observation that says something else, and the task ends differently', async () => {
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

  it('ruling 26 of a model is taken as its reply: what was said changes, what it cost does not', async () => {
    const { bench, id } = await acted()
    const fork = await forkOf(bench, id, { at: 2, outcome: { text: JSON.stringify(planned('X', 'Y')) } })
    expect(fork.plan.items.map((item) => item.title)).toEqual(['X', 'Y'])
    const [, theirs] = await journalOf(bench, id)
    const [, own] = await journalOf(bench, fork.id)
    expect(own).toEqual({ ...theirs, model: 'edited', reply: { text: JSON.stringify(planned('X', 'Y')) } })
  })

  it('ruling 26 may break its contract, or be a failed call', async () => {
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

  it('ruling 26 of a call that failed may be a reply, at the price of the failure', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [new Error('down')] })
    const { id } = await createTask(bench, {}, ONE)
    const fork = await forkOf(bench, id, { at: 3, outcome: { text: JSON.stringify(done()) } })
    expect((await journalOf(bench, fork.id)).at(-1)).toMatchObject({ outcome: 'ok', charged_tokens: 0 })
    expect(fork.retry_after_ms).toBeNull()
  })

  it('ruling 26 of a lost call is a reply at the price of its whole reservation', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const { id } = await createTask(bench)
    await bench.store.of(CALLER.tenant, id).begin(NO_TICKET)
    await bench.service.cancelTask(CALLER, id)
    const charged = (await journalOf(bench, id)).at(2)?.charged_tokens
    const fork = await forkOf(bench, id, { at: 3, outcome: { text: JSON.stringify(done()) } })
    expect((await journalOf(bench, fork.id)).at(-1)).toMatchObject({ outcome: 'ok', charged_tokens: charged })
    expect(charged).toBeGreaterThan(4_000)
  })

  it('ruling 26 what `/journal` prints as a reply is taken as it is, and gives the same task again', async () => {
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

  it('ruling 26 of a person is another answer, one that the question would have taken', async () => {
    const choices = { ...ask('Which?'), choices: ['red', 'blue'] }
    const bench = benchOf({ plan: [planned('A')], thought: [choices], replan: [replanned('A')] })
    const { id } = await createTask(bench, {}, ONE)
    await say(bench, id, 'red', NONE)
    const fork = await forkOf(bench, id, { at: 4, outcome: { text: ' BLUE ' } })
    expect((await journalOf(bench, fork.id)).at(-1)?.reply).toEqual({ text: 'blue' })
    expect(await complaint(bench, id, { at: 4, outcome: { text: 'green' } })).toBe(
      '/edit/outcome edit.outcome must be one of red, blue',
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
  ])('ruling 26 that does not fit its row is refused: %s', async (_name, at, outcome, message) => {
    const { bench, id } = await acted()
    const said = await complaint(bench, id, { at, outcome })
    expect(said).toContain(`/edit/outcome edit.outcome ${message}`)
    expect(said.length).toBeLessThan(400)
  })
})

describe('ruling 26 other limits', () => {
  it('ruling 26 what was used is inherited, what may be used is the fork’s own', async () => {
    const { bench, id } = await acted()
    const fork = await forkOf(bench, id, { at: 4, settings: { max_steps: 40, max_tokens: 1_000_000 } })
    expect(fork.budget).toMatchObject({ used: 2, max: 40, tokens: { used: 30, max: 1_000_000 } })
    expect(fork.settings).toMatchObject({ max_steps: 40, failure_limit: 2 })
    expect((await forkOf(bench, id, { at: 4 })).settings).toEqual(
      taken(await bench.service.getTask(CALLER, id)).settings,
    )
  })

  it('ruling 26 a top-up of the parent is copied like any row', async () => {
    const { bench, id } = await acted()
    await bench.service.topUpTask(CALLER, id, { steps: 5 })
    expect((await forkOf(bench, id, { at: 5 })).budget.max).toBe(25)
    expect((await forkOf(bench, id, { at: 5, settings: { max_steps: 40 } })).budget.max).toBe(45)
  })

  it('ruling 26 the last row is decided by the new settings: a failure more may be one that is borne', async () => {
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
    'ruling 26 settings by which a copied row would be another one are refused with it: %s',
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

  it('ruling 26 a limit that was reached is not reached by more: the row that says so is refused, the one before it is not', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
    const task = await createTask(bench, { max_steps: 1 }, ALL)
    expect(task).toMatchObject({ stop_reason: 'budget_exhausted:steps', version: 5 })
    expect(await complaint(bench, task.id, { at: 5, settings: { max_steps: 9 } })).toContain('row 5, budget_spent')
    const fork = await forkOf(bench, task.id, { at: 4, settings: { max_steps: 9 } })
    expect((await step(bench, fork.id, ALL)).status).toBe('completed')
  })

  it('ruling 26 the same of an axis whose limit is known by the size of a call only', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const task = await createTask(bench, { max_tokens: 3_000 }, ALL)
    expect(task.stop_reason).toBe('budget_exhausted:tokens')
    const settings = { max_tokens: 90_000 }
    expect(await complaint(bench, task.id, { at: task.version, settings })).toContain('its budget would not be spent')
    expect((await forkOf(bench, task.id, { at: task.version })).status).toBe('paused')
    expect((await forkOf(bench, task.id, { at: task.version - 1, settings })).status).toBe('running')
  })

  it('ruling 26 rows that no settings explain are refused by at: they were altered, or are of another release', async () => {
    const { bench, id } = await acted()
    const rows = storedRows(bench, id)
    damage({ rows }, 4, ({ effect }) => ({ effect: (effect ?? '').replace('"todo"', '"schedule"') }))
    expect(await complaint(bench, id, { at: 4 })).toBe(
      '/at at does not go with row 4, run_tool: its /effect/tool would be todo; fork at a row before it',
    )
  })

  it('ruling 26 money needs models with a price, as at a create', async () => {
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

  it('ruling 16 26 what the parent holds of its tenant’s day stays with it', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] }, { daily: { tokens: 1_000_000, cost: null } })
    const { id } = await createTask(bench, {}, ONE)
    const [held, last] = [rowsOf(bench, id).at(-1)?.head.allowance, rowsOf(bench, id).length]
    expect(held?.tokens).toBeGreaterThan(0)
    const fork = await forkOf(bench, id, { at: last })
    for (const { head } of rowsOf(bench, fork.id)) expect(head.allowance).toEqual(NO_ALLOWANCE)
    expectFold(bench, fork.id)
    expect(await replayOf(bench, fork.id)).toEqual(EQUAL(last))
    expect(await bench.store.of(CALLER.tenant, fork.id).remove()).toEqual({ ok: true, value: null })
  })
})

describe('ruling 26 a fork as a new task', () => {
  it('is listed, counts among the open ones, and may be one too many', async () => {
    const { bench, id } = await acted()
    bench.ports.max_open_tasks = 2
    const fork = await forkOf(bench, id, { at: 4 })
    expect(await refusedFork(bench, id, { at: 4 })).toEqual({ code: 'quota_exceeded', open: 2, max: 2 })
    const page = await bench.service.listTasks(
      CALLER,
      { status: 'running', mode: null, metadata: {} },
      { limit: 9, after: 0 },
    )
    expect(page.ok && page.value.data.map((task) => task.id)).toEqual([fork.id, id])
  })

  it('is refused when the tenant’s day is used up', async () => {
    const bench = benchOf({ plan: [planned('A')] }, { daily: { tokens: 7_000, cost: null } })
    const { id } = await createTask(bench)
    expect(await refusedFork(bench, id, { at: 1 })).toMatchObject({ code: 'tenant_budget_exceeded' })
  })

  it('a fork that is refused leaves nothing behind', async () => {
    const { bench, id } = await acted()
    await refusedFork(bench, id, { at: 9 })
    await refusedFork(bench, id, { at: 4, settings: { max_tokens: 1 } })
    expect([...bench.store.rows.keys()]).toEqual([JSON.stringify([CALLER.tenant, id])])
    const page = await bench.store.workspace(CALLER.tenant).list({ status: null, mode: null, metadata: {} }, 0, 9)
    expect(page.entries.map((entry) => entry.id)).toEqual([id])
  })

  it('of a task that is not there, or is another tenant’s, is 404', async () => {
    const { bench, id } = await acted()
    const gone = { code: 'task_not_found' }
    expect(await refusedFork(bench, 'task_none', { at: 1 })).toEqual(gone)
    expect(await refusedFork(bench, id, { at: 1 }, { ...CALLER, tenant: 'other' })).toEqual(gone)
  })

  it('ruling 26 6 under a key is made once, and shown again as it was, its parent gone or not', async () => {
    const { bench, id } = await acted({ thought: [act('/todo add eggs')] })
    const caller = keyed(id, 'k')
    const first = await bench.service.forkTask(caller, id, { at: 4, settings: {}, outcome: null })
    const fork = taken(first)
    await step(bench, fork.id)
    await bench.service.deleteTask(CALLER, id)
    bench.clock.now += 3_600_000
    const again = await bench.service.forkTask(caller, id, { at: 4, settings: {}, outcome: null })
    expect(again).toEqual({ ok: true, value: { task: fork, replayed: true } })
    expect(await refusedFork(bench, id, { at: 4 }, keyed(id, 'k', 'd2'))).toEqual({ code: 'idempotency_key_reused' })
    expect(bench.store.rows.size).toBe(1)
  })

  it('ruling 26 6 two at once under one key are one task', async () => {
    const { bench, id } = await acted()
    const wish = { at: 4, settings: {}, outcome: null }
    const both = await Promise.all([1, 2].map(() => bench.service.forkTask(keyed(id, 'k'), id, wish)))
    expect(new Set(both.map((one) => taken(one).id)).size).toBe(1)
    expect(bench.store.rows.size).toBe(2)
  })

  it('ruling 26 6 the same key means another task elsewhere: of a create, and of a fork of another task', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] })
    const create: Caller = { ...CALLER, key: { scope: 'POST /tasks', key: 'k', digest: 'd' } }
    const { id } = await createTask(bench, {}, ONE, { caller: create })
    const one = await forkOf(bench, id, { at: 4 }, keyed(id, 'k'))
    const two = await forkOf(bench, one.id, { at: 4 }, keyed(one.id, 'k'))
    expect(new Set([id, one.id, two.id]).size).toBe(3)
  })

  it('ruling 26 6 after a day the key still makes no second task', async () => {
    const { bench, id } = await acted()
    const fork = await forkOf(bench, id, { at: 4 }, keyed(id, 'k'))
    bench.clock.now += 2 * DAY
    expect((await forkOf(bench, id, { at: 4 }, keyed(id, 'k'))).id).toBe(fork.id)
    expect(bench.store.rows.size).toBe(2)
  })

  it('ruling 26 rows that say more than crosses to an object at once are refused', async () => {
    const { bench, id } = await acted()
    const rows = storedRows(bench, id)
    damage({ rows }, 4, ({ event }) => ({ event: (event ?? '').replace('bought', 'x'.repeat(10_000_000)) }))
    expect(await complaint(bench, id, { at: 4 })).toContain('/at at is behind more than 10000000 characters of rows')
    expect((await forkOf(bench, id, { at: 3 })).version).toBe(3)
  })
})
