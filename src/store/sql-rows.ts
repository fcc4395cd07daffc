/** Rows of a task in the SQLite of its Durable Object. Two rows are written per effect: one inserted, one updated. */
import type { ClosedRow, Write } from '../core/journal.ts'
import { recallOf, type Rows } from './rows.ts'
import { closedRow, factOf, JOURNAL_TABLE, pendingRow, type FactRecord, type JournalRecord } from './schema.ts'

const COLUMNS = 'seq, kind, at, slice, lease, effect, event, head'

export const hasJournal = (sql: SqlStorage): boolean =>
  sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'journal'").toArray().length > 0

export function sqlRows(sql: SqlStorage): Rows {
  const exists = () => hasJournal(sql)
  const newest = (): JournalRecord[] =>
    exists() ? sql.exec<JournalRecord>(`SELECT ${COLUMNS} FROM journal ORDER BY seq DESC LIMIT 2`).toArray() : []
  const closed: Rows['closed'] = (seq) => {
    const [record] = sql.exec<JournalRecord>(`SELECT ${COLUMNS} FROM journal WHERE seq = ?`, seq).toArray()
    return record === undefined || record.head === null ? null : closedRow(record)
  }
  return {
    last() {
      const record = newest().find((one) => one.head !== null)
      return record === undefined ? null : { seq: record.seq, head: closedRow(record).head }
    },
    pending() {
      const [record] = newest()
      return record === undefined || record.head !== null ? null : pendingRow(record)
    },
    closed,
    holder: (seq) => closed(seq)?.slice ?? null,
    recall: recallOf((seq) => {
      const query = `SELECT seq, effect, event, json_extract(head, '$.updated_at') AS closed_at FROM journal WHERE seq = ? AND head IS NOT NULL`
      const [record] = sql.exec<FactRecord>(query, seq).toArray()
      return record === undefined ? null : factOf(record)
    }),
    apply(writes) {
      if (writes.some((write) => write.row.seq === 1) && !exists()) sql.exec(JOURNAL_TABLE)
      for (const write of writes) applyWrite(sql, write)
    },
  }
}

function applyWrite(sql: SqlStorage, write: Write): void {
  const { seq, kind, at, slice } = write.row
  const lease = write.row.lease === null ? null : JSON.stringify(write.row.lease)
  const effect = write.row.effect === null ? null : JSON.stringify(write.row.effect)
  switch (write.kind) {
    case 'insert_pending':
      sql.exec(
        'INSERT INTO journal (seq, kind, at, slice, lease, effect) VALUES (?, ?, ?, ?, ?, ?)',
        seq,
        kind,
        at,
        slice,
        lease,
        effect,
      )
      return
    case 'lease_again':
      sql.exec('UPDATE journal SET slice = ?, lease = ? WHERE seq = ? AND head IS NULL', slice, lease, seq)
      return
    case 'close_pending': {
      const { event, head } = closingTexts(write.row)
      sql.exec(
        'UPDATE journal SET slice = ?, event = ?, head = ? WHERE seq = ? AND head IS NULL',
        slice,
        event,
        head,
        seq,
      )
      return
    }
    case 'insert_closed': {
      const { event, head } = closingTexts(write.row)
      sql.exec('INSERT INTO journal (seq, kind, at, event, head) VALUES (?, ?, ?, ?, ?)', seq, kind, at, event, head)
    }
  }
}

const closingTexts = (row: ClosedRow) => ({ event: JSON.stringify(row.event), head: JSON.stringify(row.head) })
