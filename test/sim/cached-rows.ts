/**
 * The rows that the simulation plays on: those in memory, behind the very memory that an object has of its own. Writing still passes
 * through JSON; each closed record is parsed once instead of at every look, and one that is written again is read again.
 */
import type { StoredClosedRow } from '../../src/core/protocol/journal.ts'
import { cachedRows } from '../../src/store/task/rows/cached-rows.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import type { Rows } from '../../src/store/task/rows/rows.ts'
import { closedRow, type JournalRecord } from '../../src/store/task/rows/schema.ts'

export type SimRows = Rows & { records: Map<number, JournalRecord> }

/** As they stand in the records, which may be changed by others. */
export function parsedRows(): SimRows {
  const inner = memoryRows()
  const { records } = inner
  const known = new Map<number, { record: JournalRecord; row: StoredClosedRow }>()
  const closed: Rows['closed'] = (seq) => {
    const record = records.get(seq)
    if (record === undefined || record.head === null) return null
    const before = known.get(seq)
    if (before?.record === record) return before.row
    const row = closedRow(record)
    known.set(seq, { record, row })
    return row
  }
  return { ...inner, holder: (seq) => closed(seq)?.slice ?? null, closed }
}

export const simRows = (): SimRows => cachedRows(parsedRows())
