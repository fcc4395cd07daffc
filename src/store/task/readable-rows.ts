/**
 * Reads a task whose rows are damaged. Where its rows cannot be read together they are read one by one, and each unreadable row is named by
 * its seq. A task without damage is read as usual.
 */
import { closedEntry, pendingEntry, queuedEntry } from '../../core/replay/history.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import type { ReadablePage } from '../../core/protocol/task-answers.ts'
import { isUnreadable, unreadable } from '../../core/terms/unreadable.ts'
import type { JournalEntry } from '../../core/terms/view.ts'
import { collector, journalPage } from './pages.ts'
import type { Rows } from './rows/rows.ts'
import { closedRow, pendingRow, queuedRow, type JournalRecord } from './rows/schema.ts'
import { isDamaged } from '../damage.ts'

export const readableJournal = (rows: Rows, after: number, limit: number): Result<ReadablePage<JournalEntry>> =>
  readable(() => journalPage(rows, after, limit)) ?? rowByRow(rows, after, limit, entryOf)

/** The stored rows. Their content may be damaged, as long as each column is text. */
export function readableStored(rows: Rows, after: number, limit: number): Result<ReadablePage<JournalRecord>> {
  const whole = readable(() => {
    const records = rows.stored(after, limit + 1)
    if (records.length === 0 && rows.stored(0, 1).length === 0) return refuse({ code: 'task_not_found' })
    const found = collector<JournalRecord>(limit)
    for (const [index, record] of records.entries()) {
      if (record.seq !== after + index + 1) throw unreadable(`row ${after + index + 1} is missing`)
      if (found.open()) found.add(wholeRecord(record))
    }
    return ok(found.page())
  })
  return whole ?? rowByRow(rows, after, limit, (record) => wholeRecord(record))
}

/** The result of `read`; null where the stored data cannot be read. */
function readable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isUnreadable(error) || isDamaged(error)) return null
    throw error
  }
}

function rowByRow<T extends { seq: number }>(
  rows: Rows,
  after: number,
  limit: number,
  read: (record: JournalRecord, rows: Rows) => T,
): Result<ReadablePage<T>> {
  // Where the end is unknown too, one page of rows is tried. More rows may follow behind a readable one.
  const newest = readable(() => rows.newest())
  const found = collector<T>(limit)
  for (let seq = after + 1; seq <= (newest ?? after + limit) && found.open(); seq++) {
    const entry = readable(() => read(recordAt(rows, seq), rows))
    if (entry === null) found.lack(seq)
    else found.add(entry)
  }
  const page = found.page()
  if (newest !== null) return ok(page)
  const goesOn = page.data.length > 0
  return ok({ ...page, has_more: goesOn, next_cursor: goesOn ? String(after + limit) : null, incomplete: true })
}

function recordAt(rows: Rows, seq: number): JournalRecord {
  const [record] = rows.stored(seq - 1, 1)
  if (record?.seq !== seq) throw unreadable(`row ${seq} is missing`)
  return record
}

const TEXTS = ['slice', 'lease', 'key', 'effect', 'reserved', 'event', 'head'] as const

/** Checked without the schema of the answer, because the service starts without that module. */
function isWhole(record: JournalRecord): boolean {
  const { seq, kind, at } = record
  if (!Number.isSafeInteger(seq) || typeof kind !== 'string' || !Number.isFinite(at)) return false
  return TEXTS.every((name) => record[name] === null || typeof record[name] === 'string')
}

function wholeRecord(record: JournalRecord): JournalRecord {
  if (!isWhole(record)) throw unreadable(`row ${record.seq} is not text`)
  return record
}

/** The ledger entry of a row. It needs the head before the row as well. */
function entryOf(record: JournalRecord, rows: Rows): JournalEntry {
  const before = () => rows.closed(record.seq - 1)?.head ?? null
  if (record.head !== null) return closedEntry(closedRow(record), before(), rows.recall)
  if (record.effect === null) return queuedEntry(queuedRow(record))
  const head = before()
  if (head === null) throw unreadable(`row ${record.seq - 1} is missing`)
  return pendingEntry(pendingRow(record), head, rows.recall)
}
