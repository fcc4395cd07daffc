/** Forks (U26): every closed row is a state from which a new task goes on, with another outcome or by other limits. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readJournal } from '../../src/store/task/journal-file.ts'
import type { Caller } from '../../src/shell/caller.ts'
import { damage } from '../support/held.ts'
import {
  acted,
  complaint,
  EQUAL,
  expectFold,
  forkOf,
  LOST_TICKET,
  place,
  recordsOf,
  refusedFork,
  replayOf,
  storedRows,
} from '../support/forks.ts'
import { JOURNALS, journalNames } from '../support/journals.ts'
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
  rowsOf,
  step,
  taken,
  type Bench,
} from '../support/scripted.ts'

const eventsOf = async (bench: Bench, id: string) => {
  const page = await bench.service.listEvents(CALLER, id, { after: 0, limit: 100 })
  if (!page.ok) throw new Error(page.refusal.code)
  return page.value.data
}
const keyed = (id: string, key: string, digest = 'd1'): Caller => ({
  ...CALLER,
  key: { scope: `POST /tasks/${id}/fork`, key, digest },
})

describe('U26 a fork at any row', () => {
  it('U26 is the task as it was after that row, under a new id, and folds like any other', async () => {
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

  it('U26 its events are those of the copied rows under its id; its ledger is theirs', async () => {
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

  it('U26 goes on by itself: its effects have its own keys, and its parent stays as it is', async () => {
    const { bench, id } = await acted({ thought: [act('/todo add eggs')] })
    const before = JSON.stringify(recordsOf(bench, id))
    const fork = await forkOf(bench, id, { at: 4 })
    await step(bench, fork.id)
    expect(bench.calls.map((call) => call.key)).toEqual([`${id}:4`, `${fork.id}:6`])
    expect(JSON.stringify(recordsOf(bench, id))).toBe(before)
  })

  it('U26 nothing of its parent that opens or repeats anything is carried over: keys, slices, leases', async () => {
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
    expect(await bench.store.of(CALLER.tenant, fork.id).begin({ ...LOST_TICKET, key: create.key })).toMatchObject({
      ok: true,
      value: { earlier: null },
    })
  })

  it('U26 its open question is asked anew: with a link of its own, for as long as any', async () => {
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

  it('U26 is as old as its making: it is kept as long as any task that has just ended', async () => {
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

  it('U26 is paused if the task was paused, and is as before the effect if one was under way', async () => {
    const { bench, id } = await acted({ thought: [done()], replan: [closed()] })
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    expect(await forkOf(bench, id, { at: 5 })).toMatchObject({ status: 'paused', stop_reason: 'paused_by_user' })
    await bench.service.tellTask(CALLER, id, { kind: 'resume' })
    await bench.store.of(CALLER.tenant, id).begin(LOST_TICKET)
    expect(await complaint(bench, id, { at: 7 })).toBe('/at at must be a closed row, from 1 to 6')
    const fork = await forkOf(bench, id, { at: 6 })
    expect(fork.status).toBe('running')
    expect((await step(bench, fork.id, ALL)).status).toBe('completed')
  })

  it('U26 can be made of a fork; each knows its parent', async () => {
    const { bench, task } = await playMany()
    const one = await forkOf(bench, task.id, { at: 8, settings: { max_steps: 50 } })
    const two = await forkOf(bench, one.id, { at: 5 })
    expectFold(bench, two.id)
    expect(await replayOf(bench, two.id)).toEqual(EQUAL(5))
    expect(two.budget.max).toBe(50)
    const [first] = rowsOf(bench, two.id)
    expect(first?.event).toMatchObject({ brief: { forked: { task: one.id, at: 5, inexact_until: 5 } } })
  })

  it.each(journalNames)('U26 can be made at each row of a stored task, %s', async (name) => {
    const bench = benchOf({})
    const records = readJournal(readFileSync(join(JOURNALS, name), 'utf8'))
    place(bench, FIXED, records)
    const closed_rows = records.filter(({ head }) => head !== null).length
    // A long journal is forked at some of its rows only.
    const step = closed_rows > 50 ? 50 : 1
    for (let at = closed_rows; at >= 1; at -= step) {
      const fork = await forkOf(bench, FIXED, { at })
      expectFold(bench, fork.id)
      expect(await replayOf(bench, fork.id)).toEqual(EQUAL(at))
    }
    expect(closed_rows).toBeGreaterThanOrEqual(2)
  })
})

const DAY = 86_400_000
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

describe('U26 a fork as a new task', () => {
  it('is listed, counts among the open ones, and may be one too many', async () => {
    const { bench, id } = await acted()
    bench.ports.max_open_tasks = 2
    const fork = await forkOf(bench, id, { at: 4 })
    expect(await refusedFork(bench, id, { at: 4 })).toEqual({ code: 'quota_exceeded', open: 2, max: 2 })
    const page = await bench.service.listTasks(
      CALLER,
      { status: 'running', mode: null, metadata: {}, q: null, outcome: null },
      { limit: 9, after: 0 },
    )
    expect(page.ok && page.value.data.map((task) => task.id)).toEqual([fork.id, id])
  })

  it('U52 has neither the drive nor the callback of its parent, unless its own request names them', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] })
    const hook = 'https://example.com/hook'
    const brief = { ...BRIEF, settings: SETTINGS, drive: 'background' as const, callback_url: hook }
    const parent = taken(await bench.service.createTask(CALLER, brief, NONE))
    const fork = await forkOf(bench, parent.id, { at: 1 })
    expect(fork).toMatchObject({ status: 'running', drive: 'manual', callback_url: null })
    expect(fork.forked_from).toEqual({ id: parent.id, at: 1 })
    await bench.service.tellTask(CALLER, fork.id, { kind: 'cancel' })
    expect(storedRows(bench, fork.id).deliveries()).toEqual([])
    const driven = await forkOf(bench, parent.id, { at: 1, drive: 'background', callback_url: hook })
    expect(driven).toMatchObject({ status: 'queued', drive: 'background', callback_url: hook })
  })

  it('is refused when the tenant’s day is used up', async () => {
    const bench = benchOf({ plan: [planned('A')] }, { daily: { tokens: 7_000, cost: null } })
    const { id, budget } = await createTask(bench)
    // Another task has spent the rest.
    const rest = { tokens: 7_000 - budget.tokens.used, cost: 0 }
    expect(
      await bench.store.workspace(CALLER.tenant).tell({ kind: 'reserve', want: rest, daily: bench.ports.daily }),
    ).toMatchObject(rest)
    expect(await refusedFork(bench, id, { at: 1 })).toMatchObject({ code: 'tenant_budget_exceeded' })
    const another = bench.service.createTask(CALLER, { ...BRIEF, settings: SETTINGS }, NONE)
    expect(await another).toMatchObject({ ok: false, refusal: { code: 'tenant_budget_exceeded' } })
  })

  it('a fork that is refused leaves nothing behind', async () => {
    const { bench, id } = await acted()
    await refusedFork(bench, id, { at: 9 })
    await refusedFork(bench, id, { at: 4, settings: { max_tokens: 1 } })
    expect([...bench.store.rows.keys()]).toEqual([JSON.stringify([CALLER.tenant, id])])
    const page = await bench.store.workspace(CALLER.tenant).ask({
      kind: 'list',
      filter: { status: null, mode: null, metadata: {}, q: null, outcome: null },
      before: 0,
      limit: 9,
    })
    expect(page.entries.map((entry) => entry.id)).toEqual([id])
  })

  it('is 404 for a task that does not exist or belongs to another tenant', async () => {
    const { bench, id } = await acted()
    const gone = { code: 'task_not_found' }
    expect(await refusedFork(bench, 'task_none', { at: 1 })).toEqual(gone)
    expect(await refusedFork(bench, id, { at: 1 }, { ...CALLER, tenant: 'other' })).toEqual(gone)
  })

  it('U26 U6 under a key is made once, and shown again as it was, its parent gone or not', async () => {
    const { bench, id } = await acted({ thought: [act('/todo add eggs')] })
    const caller = keyed(id, 'k')
    const first = await bench.service.forkTask(caller, id, { at: 4, settings: {}, outcome: null })
    const fork = taken(first)
    await step(bench, fork.id)
    await bench.service.deleteTask(CALLER, id)
    bench.clock.now += 3_600_000
    const again = await bench.service.forkTask(caller, id, { at: 4, settings: {}, outcome: null })
    expect(again).toEqual({ ok: true, value: { link_epoch: 0, task: fork, replayed: true } })
    expect(await refusedFork(bench, id, { at: 4 }, keyed(id, 'k', 'd2'))).toEqual({ code: 'idempotency_key_reused' })
    expect(bench.store.rows.size).toBe(1)
  })

  it('U26 U6 two at once under one key are one task', async () => {
    const { bench, id } = await acted()
    const wish = { at: 4, settings: {}, outcome: null }
    const both = await Promise.all([1, 2].map(() => bench.service.forkTask(keyed(id, 'k'), id, wish)))
    expect(new Set(both.map((one) => taken(one).id)).size).toBe(1)
    expect(bench.store.rows.size).toBe(2)
  })

  it('U26 U6 the same key means another task elsewhere: of a create, and of a fork of another task', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] })
    const create: Caller = { ...CALLER, key: { scope: 'POST /tasks', key: 'k', digest: 'd' } }
    const { id } = await createTask(bench, {}, ONE, { caller: create })
    const one = await forkOf(bench, id, { at: 4 }, keyed(id, 'k'))
    const two = await forkOf(bench, one.id, { at: 4 }, keyed(one.id, 'k'))
    expect(new Set([id, one.id, two.id]).size).toBe(3)
  })

  it('U26 U6 after a day the key still makes no second task', async () => {
    const { bench, id } = await acted()
    const fork = await forkOf(bench, id, { at: 4 }, keyed(id, 'k'))
    bench.clock.now += 2 * DAY
    expect((await forkOf(bench, id, { at: 4 }, keyed(id, 'k'))).id).toBe(fork.id)
    expect(bench.store.rows.size).toBe(2)
  })

  it('U26 rows that say more than crosses to an object at once are refused', async () => {
    const { bench, id } = await acted()
    const rows = storedRows(bench, id)
    damage({ rows }, 4, ({ event }) => ({ event: (event ?? '').replace('bought', 'x'.repeat(10_000_000)) }))
    expect(await complaint(bench, id, { at: 4 })).toContain('/at at is behind more than 10000000 characters of rows')
    expect((await forkOf(bench, id, { at: 3 })).version).toBe(3)
  })
})
