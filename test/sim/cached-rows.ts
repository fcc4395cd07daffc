/**
 * The rows in memory, each version of a record parsed once instead of at every look. Writing still passes through JSON,
 * and a record that is written again is read again.
 */
import type { ClosedRow } from '../../src/core/journal.ts'
import { memoryRows } from '../../src/store/memory-rows.ts'
import { recallOf, splitTail, TAIL_ROWS, type Rows, type Tail } from '../../src/store/rows.ts'
import { closedRow, type JournalRecord } from '../../src/store/schema.ts'

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
  const readTail = () => {
    const newest = Array.from({ length: TAIL_ROWS }, (_, index) => records.get(records.size - index))
    return splitTail(newest.filter((record) => record !== undefined))
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
