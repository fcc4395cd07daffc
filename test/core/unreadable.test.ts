/** A task whose stored state is damaged is refused and left as it is; it harms no other and can be deleted (F59, F60). */
import { describe, expect, it } from 'vitest'
import { modeOf } from '../../src/core/modes/index.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import type { JournalRecord } from '../../src/store/task/rows/schema.ts'
import { ALL, benchOf, CALLER, createTask, NONE, ONE, planned, type Bench, NO_TOTAL } from '../support/scripted.ts'
import { damage } from '../support/held.ts'

const ANY = { status: null, mode: null, metadata: {}, q: null, outcome: null }
const UNREADABLE = { ok: false, refusal: { code: 'state_unreadable', detail: expect.any(String) } }
const GONE = { ok: false, refusal: { code: 'task_not_found' } }

const text = (json: string | null): Record<string, unknown> => JSON.parse(json ?? '{}')
const inHead = (change: (head: Record<string, unknown>) => object) => (record: JournalRecord) => {
  const head = text(record.head)
  return { head: JSON.stringify({ ...head, ...change(head) }) }
}
const inState = (change: object) => inHead(({ state }) => ({ state: Object.assign({}, state, change) }))
const reply = (said: object) => (record: JournalRecord) => ({
  event: JSON.stringify({ ...text(record.event), text: JSON.stringify(said) }),
})

/** What is damaged, in which row (1: created, 2: planned), and how. */
const DAMAGES: [string, number, (record: JournalRecord) => object][] = [
  ['a head that is not JSON', 2, () => ({ head: '{"schema_version":' })],
  ['a head of another schema', 2, inHead(() => ({ schema_version: 99 }))],
  ['a phase its mode does not know', 2, inState({ phase: 'dreaming' })],
  ['a plan of another shape', 2, inState({ plan: [] })],
  ['a mode nobody knows', 2, inHead(() => ({ mode: 'telepathy' }))],
  ['an event that is not JSON', 2, () => ({ event: 'planned' })],
  ['an event of no kind', 2, () => ({ event: '{"kind":"wondered"}' })],
  ['an effect of no kind', 2, () => ({ effect: '{"kind":"dance"}' })],
  ['a lease of another shape', 2, () => ({ lease: '{"until":"tomorrow"}' })],
  ['a plan that is none any more', 2, reply({ status: 'planned' })],
  ['another row in place of its plan', 2, () => ({ event: '{"kind":"effect_orphaned"}' })],
  ['a first row that did not create it', 1, () => ({ event: '{"kind":"canceled"}' })],
]

async function damaged(seq: number, change: (record: JournalRecord) => object) {
  const bench = benchOf({ plan: [planned('A'), planned('A')] })
  const { id } = await createTask(bench)
  const other = await createTask(bench)
  const name = JSON.stringify([CALLER.tenant, id])
  // Rows of their own, as another process opens them: nothing is remembered of what was read before.
  const rows = memoryRows()
  for (const [row, record] of bench.store.rows.get(name)?.records ?? []) rows.records.set(row, record)
  damage({ rows }, seq, change)
  bench.store.rows.set(name, rows)
  return { bench, id, other, stored: () => JSON.stringify([...rows.records]) }
}
const listed = async ({ service }: Bench) => {
  const page = await service.listTasks(CALLER, ANY, { limit: 10, after: 0 })
  if (!page.ok) throw new Error('the list is refused')
  return page.value.data.map((task) => task.id)
}

describe('a task with damaged state', () => {
  it.each(DAMAGES)('with %s is refused as state_unreadable and stays as it is', async (_name, seq, change) => {
    const { bench, id, stored } = await damaged(seq, change)
    const before = stored()
    expect(await bench.service.stepTask(CALLER, id, ONE)).toEqual(UNREADABLE)
    expect(await bench.service.getTask(CALLER, id)).toEqual(UNREADABLE)
    expect(stored()).toBe(before)
    expect(bench.requests).toHaveLength(2)
  })

  it.each<[number, (record: JournalRecord) => object, string]>([
    [2, () => ({ head: 'a secret' }), 'the head of row 2 is not JSON'],
    [2, inHead(() => ({ form: 'a secret' })), 'the head of row 2 has an unknown shape: /form: '],
    [2, inState({ phase: 'a secret' }), 'the head of row 2 has an unknown shape: /state/phase: '],
    [2, inHead(() => ({ schema_version: 3, hold: 'a secret' })), 'the head of row 2 has an unknown shape: /hold'],
    [2, () => ({ effect: '{"kind":"a secret"}' }), 'the effect of row 2 has an unknown shape: /kind: '],
    [2, () => ({ lease: '{"until":"a secret"}' }), 'the lease of row 2 has an unknown shape: /boot: '],
    [1, () => ({ event: '{"kind":"a secret"}' }), 'the event of row 1 has an unknown shape: /kind: '],
  ])('is told with the member of row %i, and not with its value', async (seq, change, detail) => {
    const { bench, id } = await damaged(seq, change)
    const answer = await bench.service.getTask(CALLER, id)
    const refusal = answer.ok || answer.refusal.code !== 'state_unreadable' ? null : answer.refusal
    expect(refusal?.detail.slice(0, detail.length)).toBe(detail)
    expect(refusal?.detail).not.toContain('secret')
  })

  it.each(DAMAGES)('with %s does not break the list, and other tasks go on', async (_name, seq, change) => {
    const { bench, other } = await damaged(seq, change)
    expect(await listed(bench)).toEqual([other.id])
    const seen = await bench.service.getTask(CALLER, other.id)
    expect(seen.ok && seen.value.task.status).toBe('running')
  })

  it.each(DAMAGES)('with %s can be deleted, and its place is free again', async (_name, seq, change) => {
    const { bench, id, other } = await damaged(seq, change)
    bench.ports.max_open_tasks = 2
    expect(await bench.service.deleteTask(CALLER, id)).toEqual({ ok: true, value: null })
    expect(await bench.service.getTask(CALLER, id)).toEqual(GONE)
    expect(await listed(bench)).toEqual([other.id])
    const admitted = await bench.ports.store.workspace(CALLER.tenant).tell({
      kind: 'admit',
      entry: { id: 'task_new', mode: 'plan_execute', status: 'running', metadata: {}, goal: '', slice: 's' },
      open_max: 2,
      daily: NO_TOTAL,
    })
    expect(admitted.ok).toBe(true)
  })

  it.each(DAMAGES)('D6 with %s gives its rows as they are stored, page by page', async (_name, seq, change) => {
    const { bench, id, stored } = await damaged(seq, change)
    const all = await bench.service.exportTask(CALLER, id, { after: 0, limit: 10 })
    expect(all.ok && JSON.stringify(all.value.data.map((row) => [row.seq, row]))).toBe(stored())
    const first = await bench.service.exportTask(CALLER, id, { after: 0, limit: 1 })
    expect(first).toMatchObject({ value: { data: [{ seq: 1 }], has_more: true, next_cursor: '1' } })
    const rest = await bench.service.exportTask(CALLER, id, { after: 1, limit: 1 })
    expect(rest).toMatchObject({ value: { data: [{ seq: 2 }], has_more: false, next_cursor: null } })
    expect(await bench.service.exportTask(CALLER, 'task_none', { after: 0, limit: 1 })).toEqual(GONE)
  })

  it('with a reference to a row that is not there is refused where the prompt would show it', async () => {
    const { bench, id, stored } = await damaged(2, inState({ remarks: [77] }))
    const before = stored()
    expect(await bench.service.stepTask(CALLER, id, ONE)).toEqual(UNREADABLE)
    expect(stored()).toBe(before)
    expect(bench.requests).toHaveLength(2)
  })

  it('answers the same to every method that reads its state, and the ledger names the row', async () => {
    const { bench, id } = await damaged(2, inState({ phase: 'dreaming' }))
    const { service } = bench
    const answers = [
      await service.inputTask(CALLER, id, 'hurry', null, NONE),
      await service.inputTask(CALLER, id, '取消当前任务', null, NONE),
      await service.tellTask(CALLER, id, { kind: 'cancel' }),
      await service.listEvents(CALLER, id, { after: 0, limit: 10 }),
      await service.runCommand(CALLER, '/todo list', id, 'en'),
    ]
    expect(answers).toEqual(answers.map(() => UNREADABLE))
    const ledger = await service.listJournal(CALLER, id, { after: 0, limit: 10 })
    expect(ledger).toMatchObject({ value: { data: [{ seq: 1 }], unreadable: [2], incomplete: true } })
  })

  it('is kept in the index: only a task that is not there is forgotten', async () => {
    const { bench, id, other } = await damaged(2, inState({ phase: 'dreaming' }))
    bench.clock.now += 10 * 60_000
    expect(await listed(bench)).toEqual([other.id])
    const page = await bench.ports.store
      .workspace(CALLER.tenant)
      .ask({ kind: 'list', filter: ANY, before: 0, limit: 10 })
    expect(page.entries.map((entry) => entry.id)).toEqual([other.id, id])
  })

  it('is the only thing that is told so: a fault of ours is thrown', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [] })
    const { id } = await createTask(bench, {}, NONE)
    const mode = modeOf('plan_execute')
    const { next } = mode
    mode.next = () => {
      throw new TypeError('ours')
    }
    const answer = Promise.resolve(bench.service.stepTask(CALLER, id, ALL)).finally(() => (mode.next = next))
    await expect(answer).rejects.toThrow('ours')
  })
})
