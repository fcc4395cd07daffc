/** Rows of a task in memory: for tests and simulation. Everything passes through JSON, as it does in SQLite. */
import { recallOf, type Rows } from './rows.ts'
import { closedRow, pendingRow, type JournalRecord } from './schema.ts'

export function memoryRows(): Rows & { records: Map<number, JournalRecord> } {
  const records = new Map<number, JournalRecord>()
  const top = () => records.get(records.size)
  const closed: Rows['closed'] = (seq) => {
    const record = records.get(seq)
    return record === undefined || record.head === null ? null : closedRow(record)
  }
  return {
    records,
    last() {
      const newest = top()
      const record = newest !== undefined && newest.head === null ? records.get(newest.seq - 1) : newest
      return record === undefined ? null : { seq: record.seq, head: closedRow(record).head }
    },
    pending() {
      const record = top()
      return record === undefined || record.head !== null ? null : pendingRow(record)
    },
    closed,
    holder: (seq) => closed(seq)?.slice ?? null,
    recall: recallOf((seq) => {
      const row = closed(seq)
      return row === null ? null : { effect: row.effect, event: row.event, at: row.head.updated_at }
    }),
    apply(writes) {
      for (const { row } of writes) {
        records.set(row.seq, {
          seq: row.seq,
          kind: row.kind,
          at: row.at,
          slice: row.slice,
          lease: row.lease === null ? null : JSON.stringify(row.lease),
          effect: row.effect === null ? null : JSON.stringify(row.effect),
          event: 'event' in row ? JSON.stringify(row.event) : null,
          head: 'head' in row ? JSON.stringify(row.head) : null,
        })
      }
    },
  }
}
