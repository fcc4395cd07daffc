/** A draft sees what it has written: later decisions of one transaction stand on earlier ones (P10). */
import { fits } from '../../src/store/fits.ts'
import { describe, expect, it } from 'vitest'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { commit, create, tell } from '../../src/core/protocol/task.ts'
import { draftOf, type ClosedRow, type PendingRow, type QueuedRow } from '../../src/core/protocol/journal.ts'
import { held, replied, returned, thinking, ticket, value } from '../support/held.ts'
import { MANUAL, act, planned } from '../support/scripted.ts'

const EVENT = { kind: 'user_remarked' as const, text: 'hurry' }
const BLANK = { at: 0, key: null, slice: null, lease: null, effect: null, reserved: null }
const queuedAt = (seq: number): QueuedRow => ({ seq, kind: EVENT.kind, at: 0, key: null, event: EVENT })

function drawn() {
  const { rows } = held()
  const last = rows.last()
  const pending = rows.pending()
  if (last === null || pending === null) throw new Error('the plan is not under way')
  const closed = (seq: number): ClosedRow => ({
    ...BLANK,
    seq,
    kind: EVENT.kind,
    event: EVENT,
    head: { ...last.head, updated_at: 7 },
  })
  const next: PendingRow = { ...pending, seq: 9 }
  return { draft: draftOf(rows), pending, closed, next }
}

describe('P10 a draft', () => {
  it('has the pending row it inserted, or leased again, until it closes it', () => {
    const { draft, pending, closed, next } = drawn()
    const again = { ...pending, slice: 's2' }
    draft.write({ kind: 'lease_again', row: again })
    expect(draft.pending()).toBe(again)
    draft.write({ kind: 'insert_closed', row: closed(1) })
    expect(draft.pending()).toBe(again)
    draft.write({ kind: 'close_pending', row: closed(2) })
    expect(draft.pending()).toBeNull()
    draft.write({ kind: 'insert_pending', row: next })
    expect(draft.pending()).toBe(next)
    expect(draft.last()?.seq).toBe(2)
  })

  it('has what is queued, in order, until each is closed', () => {
    const { draft, closed } = drawn()
    const rows = [3, 4, 5].map(queuedAt)
    for (const row of rows) draft.write({ kind: 'insert_queued', row })
    expect(draft.queued()).toEqual(rows)
    draft.write({ kind: 'close_pending', row: closed(2) })
    expect(draft.queued()).toEqual(rows)
    draft.write({ kind: 'close_queued', row: closed(3) })
    expect(draft.queued().map((row) => row.seq)).toEqual([4, 5])
    expect(draft.last()?.seq).toBe(3)
    expect(draft.recall(3)).toEqual({ effect: null, event: EVENT, at: 7 })
    expect(draft.recall(1).event.kind).toBe('task_created')
    expect(draft.writes.map((write) => write.kind)).toEqual([
      'insert_queued',
      'insert_queued',
      'insert_queued',
      'close_pending',
      'close_queued',
    ])
  })
})

describe('P10 P11 the writes of one transaction', () => {
  it('close the effect, then what is queued behind it, then begin the next', () => {
    const one = thinking()
    value(one.task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s2')))
    const decided = commit(one.rows, 3, replied(act()), ticket('s1'), one.here, fits)
    expect(decided.ok && decided.writes.map(({ kind, row }) => [kind, row.seq])).toEqual([
      ['close_pending', 3],
      ['close_queued', 4],
      ['insert_pending', 5],
    ])
    const kept = [...one.rows.records]
    value(one.task.commit(3, replied(act()), ticket('s1')))
    const ended = commit(one.rows, 5, returned, { ...ticket('s1'), more: 'nothing' }, one.here, fits)
    expect(ended.ok && ended.writes.map((write) => write.kind)).toEqual(['close_pending'])
    expect(kept).toHaveLength(4)
  })

  it('are the closed row and the plan effect for a create', () => {
    const { here } = held()
    const fixed = { goal: 'g', mode: 'plan_execute', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
    const brief = { ...fixed, settings: Settings.parse({}) }
    const made = create(memoryRows(), { id: 't', tenant: 'a', brief }, ticket('s1'), here)
    expect(made.ok && made.writes.map((write) => write.kind)).toEqual(['insert_closed', 'insert_pending'])
  })

  it('are one closed row and the next effect for an event from outside', () => {
    const one = held()
    value(one.task.commit(2, replied(planned('A')), { ...ticket('s1'), more: 'nothing' }))
    const add = { steps: 1 }
    const hear = () => ({ ok: true as const, value: [{ kind: 'budget_added' as const, add }] })
    const decided = tell(one.rows, hear, ticket('s2'), one.here)
    expect(decided.ok && decided.writes.map((write) => write.kind)).toEqual(['insert_closed', 'insert_pending'])
    const told = value(one.task.tell({ kind: 'top_up', add: { steps: 1 } }, ticket('s2')))
    expect(told).toMatchObject({ assignment: { seq: 4 }, returned: [], status: 'running', status_before: 'running' })
  })
})
