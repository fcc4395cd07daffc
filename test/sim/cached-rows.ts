/**
 * The rows that the simulation plays on: those in memory, behind the very memory that an object has of its own. Writing still passes
 * through JSON; each record is parsed once instead of at every look, and one that is written again is read again.
 */
import type { StoredClosedRow, Tail } from '../../src/core/protocol/journal.ts'
import { cachedRows } from '../../src/store/task/rows/cached-rows.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import { splitTail, TAIL_ROWS, tailQueries } from '../../src/store/task/rows/records.ts'
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
  const tail = tailOf(records)
  return { ...inner, tail, ...tailQueries(tail), holder: (seq) => closed(seq)?.slice ?? null, closed }
}

/** The newest rows, which are read again where one of their records is another one than at the last look. */
function tailOf(records: ReadonlyMap<number, JournalRecord>): () => Tail {
  let known: { newest: JournalRecord[]; tail: Tail } | null = null
  return () => {
    const newest: JournalRecord[] = []
    for (let seq = records.size; seq > records.size - TAIL_ROWS; seq--) {
      const record = records.get(seq)
      if (record !== undefined) newest.push(record)
    }
    const before = known?.newest ?? []
    const isKnown = before.length === newest.length && newest.every((record, index) => record === before[index])
    if (known === null || !isKnown) known = { newest, tail: splitTail(newest) }
    return known.tail
  }
}

export const simRows = (): SimRows => cachedRows(parsedRows())
