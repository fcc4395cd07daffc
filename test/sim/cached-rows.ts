/**
 * The rows in memory, each version of a record parsed once instead of at every look. Writing still passes through JSON,
 * and a record that is written again is read again.
 */
import type { ClosedRow, Tail } from '../../src/core/journal.ts'
import { memoryRows } from '../../src/store/memory-rows.ts'
import { recallOf, type Rows } from '../../src/store/rows.ts'
import { closedRow, pendingRow, queuedRow, type JournalRecord } from '../../src/store/schema.ts'

export type SimRows = Rows & { records: Map<number, JournalRecord> }

export function cachedRows(): SimRows {
  const inner = memoryRows()
  const { records } = inner
  const known = new Map<number, { record: JournalRecord; row: ClosedRow }>()
  let tail: Tail | null = null
  const closed: Rows['closed'] = (seq) => {
    const record = records.get(seq)
    if (record === undefined || record.head === null) return null
    const before = known.get(seq)
    if (before?.record === record) return before.row
    const row = closedRow(record)
    known.set(seq, { record, row })
    return row
  }
  const readTail = (): Tail => {
    let closed_seq = records.size
    const open: JournalRecord[] = []
    for (let record = records.get(closed_seq); record !== undefined && record.head === null;) {
      open.unshift(record)
      record = records.get(--closed_seq)
    }
    const last = closed(closed_seq)
    const [pending, ...queued] = open
    return {
      last: last === null ? null : { seq: last.seq, head: last.head },
      pending: pending === undefined ? null : pendingRow(pending),
      queued: queued.map(queuedRow),
    }
  }
  const read = () => (tail ??= readTail())
  return {
    ...inner,
    last: () => read().last,
    pending: () => read().pending,
    queued: () => read().queued,
    holder: (seq) => closed(seq)?.slice ?? null,
    closed,
    recall: recallOf((seq) => {
      const row = closed(seq)
      return row === null ? null : { effect: row.effect, event: row.event, at: row.head.updated_at }
    }),
    apply(writes) {
      inner.apply(writes)
      tail = null
    },
  }
}
