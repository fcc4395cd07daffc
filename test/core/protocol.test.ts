/** The law of journal, lease and fence (protocol.md), one sentence a test, on rows in memory. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/terms/effect.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { ObjectContext, Ticket } from '../../src/core/protocol/advance.ts'
import type { StepResult, InputResult } from '../../src/core/protocol/task-answers.ts'
import type { TaskMethods } from '../../src/core/replay/stored-task.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { MANUAL, act, benchOf, CALLER, createTask, done, planned, FREE, UNBOUNDED } from '../support/scripted.ts'

const MINUTE = 60_000
const here: ObjectContext = { now_ms: 0, boot: 'boot-1', prices: FREE, daily: UNBOUNDED }
const ticket = (slice: string, more: Ticket['more'] = 'new_round', boot = 'boot-1'): Ticket => ({
  slice,
  boot,
  more,
  wall_ms: 0,
  rounds: 9,
  key: null,
})
const replied = (reply: object): Event => ({
  kind: 'model_replied',
  text: JSON.stringify(reply),
  usage: null,
  model: 'm',
  form: 'text',
})
const returned: Event = { kind: 'tool_returned', ok: true, text: 'fine', code: 'ok' }

let rows: ReturnType<typeof memoryRows>
let task: TaskMethods

function value(result: Result<InputResult>): StepResult {
  if (!result.ok || typeof result.value === 'string') throw new Error(JSON.stringify(result))
  return result.value
}
const seqOf = (advanced: StepResult) => advanced.assignment?.seq ?? -1

/** A planned task whose first thought is under way: held by slice s1, seq 3. */
function thinking(settings: Partial<Settings> = {}): StepResult {
  const brief = {
    goal: 'g',
    mode: 'plan_execute',
    settings: Settings.parse(settings),
    locale: 'en' as const,
    timezone: 'UTC',
    metadata: {},
    ...MANUAL,
  }
  const created = value(task.create({ id: 'task_1', tenant: 't', brief }, ticket('s1')))
  return value(task.commit(seqOf(created), replied(planned('A')), ticket('s1')))
}
const acting = () => value(task.commit(seqOf(thinking()), replied(act()), ticket('s1')))
const steps = () => {
  const seen = task.ask({ kind: 'view' })
  return seen.ok ? seen.value.step_count : -1
}

beforeEach(() => {
  here.now_ms = 0
  here.boot = 'boot-1'
  rows = memoryRows()
  task = taskMethods(rows, () => here)
})

describe('lease', () => {
  it('P3 P4 a second slice is refused as busy while the lease lives, with its expiry', () => {
    thinking()
    here.now_ms = 12_000
    expect(task.begin(ticket('s2'))).toEqual({
      ok: false,
      refusal: { code: 'task_busy', expires_ms: 65_000, now_ms: 12_000 },
    })
  })

  it('U1 model delay 15 s: a second step at 12 s is busy and the first commits', () => {
    const first = thinking()
    here.now_ms = 12_000
    expect(task.begin(ticket('s2')).ok).toBe(false)
    here.now_ms = 15_000
    expect(value(task.commit(seqOf(first), replied(done()), ticket('s1'))).status).toBe('running')
    expect(steps()).toBe(1)
  })

  it('P4 the same slice is given the same effect again and nothing is written', () => {
    const first = thinking()
    const size = rows.records.size
    const again = value(task.begin(ticket('s1')))
    expect(again.assignment).toEqual(first.assignment)
    expect(again.advanced).toBe(false)
    expect(rows.records.size).toBe(size)
  })

  it('P5 P6 F1 a lease past its time is dead: the lost model call is closed, counted once, and the next attempt has a new seq', () => {
    const first = thinking()
    here.now_ms = 65_000
    const next = value(task.begin(ticket('s2')))
    expect(seqOf(next)).toBe(seqOf(first) + 1)
    expect(steps()).toBe(1)
    expect(task.commit(seqOf(first), replied(done()), ticket('s1'))).toEqual({
      ok: false,
      refusal: { code: 'lease_lost' },
    })
    expect(steps()).toBe(1)
  })

  it('P5 F14 a lease of another process is dead at once', () => {
    thinking()
    here.boot = 'boot-2'
    expect(value(task.begin(ticket('s2', 'new_round', 'boot-2'))).assignment).not.toBeNull()
  })

  it('P5 a lease names a process only if Worker and object shared it: elsewhere only time ends it', () => {
    const brief = {
      goal: 'g',
      mode: 'plan_execute',
      settings: Settings.parse({}),
      locale: 'en' as const,
      timezone: 'UTC',
      metadata: {},
      ...MANUAL,
    }
    value(task.create({ id: 'task_1', tenant: 't', brief }, ticket('s1', 'new_round', 'worker-boot')))
    here.boot = 'boot-2'
    expect(task.begin(ticket('s2')).ok).toBe(false)
    here.now_ms = 10 * MINUTE
    expect(task.begin(ticket('s2')).ok).toBe(true)
  })

  it('U3 D2 a lost plan call costs no step but uses up one attempt', () => {
    const brief = {
      goal: 'g',
      mode: 'plan_execute',
      settings: Settings.parse({ plan_retries: 1 }),
      locale: 'en' as const,
      timezone: 'UTC',
      metadata: {},
      ...MANUAL,
    }
    value(task.create({ id: 'task_1', tenant: 't', brief }, ticket('s1')))
    here.now_ms = 2 * MINUTE
    const second = value(task.begin(ticket('s2')))
    expect(steps()).toBe(0)
    const failed = value(task.commit(seqOf(second), replied({}), ticket('s2')))
    expect(failed.status).toBe('failed')
  })

  it('P7 D4 F2 F3 a lost idempotent tool is leased again: same seq, same key, counted once when it closes', () => {
    const first = acting()
    here.now_ms = MINUTE
    const again = value(task.begin(ticket('s2')))
    expect(again.assignment).toEqual(first.assignment)
    expect(task.begin(ticket('s3'))).toMatchObject({ refusal: { code: 'task_busy', expires_ms: MINUTE + 35_000 } })
    expect(steps()).toBe(1)
    expect(task.commit(seqOf(first), returned, ticket('s1'))).toEqual({ ok: false, refusal: { code: 'lease_lost' } })
    value(task.commit(seqOf(again), returned, ticket('s2')))
    expect(steps()).toBe(2)
  })

  it('P7 at the third death the tool closes as outcome unknown, a failed observation counted once', () => {
    const first = acting()
    for (const slice of ['s2', 's3']) {
      here.now_ms += MINUTE
      expect(seqOf(value(task.begin(ticket(slice))))).toBe(seqOf(first))
    }
    here.now_ms += MINUTE
    const next = value(task.begin(ticket('s4')))
    expect(seqOf(next)).toBe(seqOf(first) + 1)
    const seen = task.ask({ kind: 'view' })
    expect(seen.ok && seen.value).toMatchObject({ step_count: 2, counters: { actions: 1, failed_actions: 1 } })
  })
})

describe('fence', () => {
  it('P8 F13 a commit of another slice or another seq is refused and writes nothing', () => {
    const first = thinking()
    const before = JSON.stringify([...rows.records])
    expect(task.commit(seqOf(first), replied(done()), ticket('s2'))).toMatchObject({ refusal: { code: 'lease_lost' } })
    expect(task.commit(seqOf(first) + 1, replied(done()), ticket('s1'))).toMatchObject({
      refusal: { code: 'lease_lost' },
    })
    expect(JSON.stringify([...rows.records])).toBe(before)
  })

  it('P8 a late commit is accepted as long as no other slice took over', () => {
    const first = thinking()
    here.now_ms = 60 * MINUTE
    expect(task.commit(seqOf(first), replied(done()), ticket('s1')).ok).toBe(true)
  })

  it('P12 cancel closes the pending effect as abandoned, charged, and refuses its late commit', () => {
    const first = thinking()
    expect(value(task.tell({ kind: 'cancel' }, ticket('s9'))).status).toBe('canceled')
    expect(steps()).toBe(1)
    expect(task.commit(seqOf(first), replied(done()), ticket('s1'))).toMatchObject({ refusal: { code: 'lease_lost' } })
    const journal = task.ask({ kind: 'journal', after: 0, limit: 100 })
    expect(journal.ok && journal.value.data.map((row) => row.outcome ?? row.kind)).toEqual([
      'task_created',
      'ok',
      'abandoned',
      'canceled',
    ])
  })

  it('P12 cancel of an ended task changes nothing', () => {
    thinking()
    value(task.tell({ kind: 'cancel' }, ticket('s9')))
    expect(value(task.tell({ kind: 'cancel' }, ticket('s9'))).advanced).toBe(false)
  })

  it('P12 every method but create answers task_not_found without a journal', () => {
    const missing = { ok: false, refusal: { code: 'task_not_found' } }
    expect(task.begin(ticket('s1'))).toEqual(missing)
    expect(task.commit(1, returned, ticket('s1'))).toEqual(missing)
    expect(task.tell({ kind: 'input', text: 'x', request_id: null }, ticket('s1'))).toEqual(missing)
    expect(task.tell({ kind: 'cancel' }, ticket('s9'))).toEqual(missing)
    expect(task.ask({ kind: 'view' })).toEqual(missing)
    expect(task.ask({ kind: 'events', after: 0, limit: 10 })).toEqual(missing)
    expect(task.ask({ kind: 'journal', after: 0, limit: 10 })).toEqual(missing)
    expect(rows.records.size).toBe(0)
  })
})

describe('journal', () => {
  it('P1 seq has no gaps; U4 rows that are no effects are listed, uncounted', () => {
    const first = thinking()
    value(task.commit(seqOf(first), replied(act()), ticket('s1')))
    const journal = task.ask({ kind: 'journal', after: 0, limit: 100 })
    const data = journal.ok ? journal.value.data : []
    expect(data.map((row) => row.seq)).toEqual([1, 2, 3, 4])
    expect(data.map((row) => [row.kind, row.counted])).toEqual([
      ['task_created', false],
      ['call_model', false],
      ['call_model', true],
      ['run_tool', false], // still pending: U3
    ])
    expect(data.every((row) => row.request_exact !== false)).toBe(true)
  })

  it('P10 an effect is one row inserted and then closed; committing may begin the next in the same call', () => {
    const first = thinking()
    expect([...rows.records.values()].filter((row) => row.head === null)).toHaveLength(1)
    const next = value(task.commit(seqOf(first), replied(act()), ticket('s1', 'this_round')))
    expect(next.assignment?.work.kind).toBe('run_tool') // the action belongs to the open round
    const end = value(task.commit(seqOf(next), returned, ticket('s1', 'this_round')))
    expect(end.assignment).toBeNull()
    expect(rows.records.size).toBe(4)
  })

  it('P11 F11 a remark while an effect is pending is durable at once, applied before the next effect is chosen', () => {
    const first = thinking()
    const told = value(task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s2')))
    expect(told).toMatchObject({ assignment: null, advanced: false, events: [] })
    expect(task.begin(ticket('s3'))).toMatchObject({ refusal: { code: 'task_busy' } })
    const next = value(task.commit(seqOf(first), replied(act()), ticket('s1')))
    const tool = value(task.commit(seqOf(next), returned, ticket('s1')))
    expect(tool.assignment?.work).toMatchObject({ kind: 'call_model', phase: 'replan' })
    const journal = task.ask({ kind: 'journal', after: 0, limit: 100 })
    expect(journal.ok && journal.value.data.map((row) => row.kind)).toEqual([
      'task_created',
      'call_model',
      'call_model',
      'user_remarked',
      'run_tool',
      'call_model',
    ])
  })

  it('P11 at most sixteen events wait for one effect; the seventeenth is task_busy', () => {
    const first = thinking()
    for (let n = 0; n < 16; n++)
      expect(task.tell({ kind: 'input', text: `remark ${n}`, request_id: null }, ticket(`r${n}`)).ok).toBe(true)
    expect(task.tell({ kind: 'input', text: 'one more', request_id: null }, ticket('r16'))).toMatchObject({
      refusal: { code: 'task_busy' },
    })
    const next = value(task.commit(seqOf(first), replied(done()), ticket('s1')))
    expect(seqOf(next)).toBe(seqOf(first) + 17)
    expect(rows.queued()).toEqual([])
  })

  it('P11 an answer to no open question is refused while an effect is under way, and not queued', () => {
    thinking()
    const size = rows.records.size
    expect(task.tell({ kind: 'input', text: 'tomorrow', request_id: 'question_2' }, ticket('s2'))).toEqual({
      ok: false,
      refusal: { code: 'question_settled' },
    })
    expect(rows.records.size).toBe(size)
  })

  it('P12 cancel applies what is queued and then ends the task', () => {
    thinking()
    value(task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s2')))
    value(task.tell({ kind: 'cancel' }, ticket('s3')))
    const journal = task.ask({ kind: 'journal', after: 0, limit: 100 })
    expect(journal.ok && journal.value.data.map((row) => row.outcome ?? row.kind)).toEqual([
      'task_created',
      'ok',
      'abandoned',
      'user_remarked',
      'canceled',
    ])
  })

  it('P7 P11 a remark that finds a lost tool takes it over under its key and is heard after it', () => {
    const lost = acting()
    here.now_ms = MINUTE
    const again = value(task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s2')))
    expect(again.assignment?.key).toBe(lost.assignment?.key)
    const next = value(task.commit(seqOf(again), returned, ticket('s2')))
    expect(next.assignment?.work).toMatchObject({ phase: 'replan' })
  })

  it('P9 a repeated commit writes nothing and compares nothing; it gives the next effect while the slice holds it', () => {
    const first = thinking()
    const next = value(task.commit(seqOf(first), replied(act()), ticket('s1')))
    const before = JSON.stringify([...rows.records])
    const again = value(task.commit(seqOf(first), replied(done()), ticket('s1')))
    expect(again.assignment).toEqual(next.assignment)
    expect(JSON.stringify([...rows.records])).toBe(before)
    value(task.commit(seqOf(next), returned, ticket('s1', 'this_round')))
    expect(value(task.commit(seqOf(first), replied(done()), ticket('s1'))).assignment).toBeNull()
    expect(task.commit(seqOf(first), replied(done()), ticket('s2'))).toMatchObject({ refusal: { code: 'lease_lost' } })
  })

  it('U4 event ids are dense from 1 and every payload names its journal row', () => {
    const first = thinking()
    const next = value(task.commit(seqOf(first), replied(act()), ticket('s1')))
    value(task.commit(seqOf(next), returned, ticket('s1', 'this_round')))
    const page = task.ask({ kind: 'events', after: 0, limit: 100 })
    const events = page.ok ? page.value.data : []
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
    expect(events.map((event) => event.payload.journal_seq)).toEqual([1, 2, 2, 3, 3, 4])
    for (const after of [0, 1, 2, 3, 4, 5, 6]) {
      const some = task.ask({ kind: 'events', after, limit: 2 })
      expect(some.ok && some.value.data.map((event) => event.seq)).toEqual(
        events.slice(after, after + 2).map((event) => event.seq),
      )
      expect(some.ok && some.value.has_more).toBe(after + 2 < events.length)
    }
  })

  it('pages are bounded by size too, and together they are the whole journal', async () => {
    const rounds = 30
    const bench = benchOf({
      plan: [planned('A')],
      thought: Array.from({ length: rounds }, (_, at) => act(`/todo add ${at}`)),
      tools: Array.from({ length: rounds }, () => ({ ok: true, text: 'x'.repeat(100_000) })),
    })
    const made = await createTask(
      bench,
      { max_steps: 1_000, observation_char_limit: 100_000 },
      { rounds, max_ms: 25_000 },
    )
    const seqs: number[] = []
    let pages = 0
    for (let after = 0; ; pages++) {
      const page = await bench.service.listJournal(CALLER, made.id, { after, limit: 100 })
      if (!page.ok) throw new Error('refused')
      expect(JSON.stringify(page.value).length).toBeLessThan(6_000_000)
      seqs.push(...page.value.data.map((row) => row.seq))
      if (page.value.next_cursor === null) break
      after = Number(page.value.next_cursor)
    }
    expect(pages).toBeGreaterThan(1)
    expect(seqs).toEqual(Array.from({ length: made.version }, (_, index) => index + 1))
  })
})
