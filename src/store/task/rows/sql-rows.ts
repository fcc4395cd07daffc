/** Rows of a task in the SQLite of its Durable Object. Two rows are written per effect: one inserted, one updated. */
import type { ClosedRow, Write } from '../../../core/protocol/journal.ts'
import { closedWith, foundFact, keyedRows, splitTail, tailQueries } from './records.ts'
import { type Rows } from './rows.ts'
import { LEDGER_COLUMNS, ledgerRow, type LedgerRecord } from './ledger.ts'
import { sqlFiles } from './sql-files.ts'
import { sqlExports, sqlLinks, sqlOutbox, sqlRoom } from './side-tables.ts'
import { closedRow, eventText, factOf, JOURNAL_TABLE, type FactRecord, type JournalRecord } from './schema.ts'
import { hasTable } from '../../has-table.ts'

const COLUMNS = 'seq, kind, at, slice, lease, key, effect, reserved, event, head'

/** Rows with a key that may be young enough. A row that was taken over carries that time in its key. */
const KEYED = `key IS NOT NULL AND (at >= ? OR instr(key, '"took_over_at"') > 0)`

/** Null where the head is damaged: SQL would fail and would not name the row. */
const CLOSED_AT = "CASE WHEN json_valid(head) THEN json_extract(head, '$.updated_at') END"

export const hasJournal = (sql: SqlStorage): boolean => hasTable(sql, 'journal')
/** The highest closed row and the rows above it: nearly always one or two rows. */
const TAIL = `WHERE seq >= coalesce((SELECT seq FROM journal WHERE head IS NOT NULL ORDER BY seq DESC LIMIT 1), 0) ORDER BY seq DESC`

export function sqlRows(sql: SqlStorage): Rows {
  let made = false
  const exists = () => (made ||= hasJournal(sql))
  const select = (rest: string, ...values: number[]) =>
    sql.exec<JournalRecord>(`SELECT ${COLUMNS} FROM journal ${rest}`, ...values).toArray()
  const tail = () => splitTail(exists() ? select(TAIL) : [])
  const closed: Rows['closed'] = (seq) => {
    const [record] = select('WHERE seq = ?', seq)
    return record === undefined || record.head === null ? null : closedRow(record)
  }
  return {
    tail,
    ...tailQueries(tail),
    rowsWithKey: (scope, key, since) =>
      keyedRows(exists() ? select(`WHERE ${KEYED} ORDER BY seq`, since) : [], { scope, key, since }),
    holder: (seq) => closed(seq)?.slice ?? null,
    closedWith: (seq) => closedWith(closed, seq),
    closed,
    stored: (after, limit) => (exists() ? select('WHERE seq > ? ORDER BY seq LIMIT ?', after, limit) : []),
    newest: () =>
      exists() ? (sql.exec<{ seq: number | null }>('SELECT max(seq) AS seq FROM journal').one().seq ?? 0) : 0,
    recall(seq) {
      const query = `SELECT seq, effect, event, ${CLOSED_AT} AS closed_at FROM journal WHERE seq = ? AND head IS NOT NULL`
      const [record] = sql.exec<FactRecord>(query, seq).toArray()
      return foundFact(record === undefined ? null : factOf(record), seq)
    },
    ledger(from, limit) {
      if (!exists()) return []
      const query = `SELECT ${LEDGER_COLUMNS} FROM journal WHERE seq >= ? AND json_valid(head) ORDER BY seq LIMIT ?`
      const records = sql.exec<LedgerRecord>(query, from, limit).toArray()
      return records.map(ledgerRow).filter((row) => row !== null)
    },
    ...sqlOutbox(sql),
    ...sqlExports(sql),
    ...sqlFiles(sql),
    ...sqlRoom(sql),
    ...sqlLinks(sql),
    apply(writes) {
      if (writes.some((write) => write.row.seq === 1) && !exists()) sql.exec(JOURNAL_TABLE)
      for (const write of writes) applyWrite(sql, write)
    },
  }
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

function applyWrite(sql: SqlStorage, write: Write): void {
  const { seq, kind, at } = write.row
  const key = json(write.row.key)
  switch (write.kind) {
    case 'insert_pending': {
      const { slice, lease, effect, reserved } = write.row
      const values = [seq, kind, at, slice, json(lease), key, json(effect), json(reserved)]
      sql.exec(
        'INSERT INTO journal (seq, kind, at, slice, lease, key, effect, reserved) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        ...values,
      )
      return
    }
    case 'lease_again': {
      const { slice, lease } = write.row
      sql.exec('UPDATE journal SET slice = ?, lease = ? WHERE seq = ? AND head IS NULL', slice, json(lease), seq)
      return
    }
    case 'insert_queued':
      sql.exec(
        'INSERT INTO journal (seq, kind, at, key, event) VALUES (?, ?, ?, ?, ?)',
        seq,
        kind,
        at,
        key,
        json(write.row.event),
      )
      return
    case 'close_pending':
    case 'close_queued': {
      const { event, head } = closingTexts(write.row)
      sql.exec(
        'UPDATE journal SET slice = ?, key = ?, event = ?, head = ? WHERE seq = ? AND head IS NULL',
        write.row.slice,
        key,
        event,
        head,
        seq,
      )
      return
    }
    case 'insert_closed': {
      const { event, head } = closingTexts(write.row)
      const { slice, lease, effect, reserved } = write.row
      const values = [seq, kind, at, slice, json(lease), key, json(effect), json(reserved), event, head]
      sql.exec(`INSERT INTO journal (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...values)
    }
  }
}

const closingTexts = (row: ClosedRow) => ({ event: eventText(row.event), head: JSON.stringify(row.head) })
