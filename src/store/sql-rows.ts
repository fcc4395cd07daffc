/**
 * Rows of a task in the SQLite of its Durable Object. Two rows are written per effect: one inserted, one updated. Nobody else writes
 * there, so what was read or written is not read again.
 */
import type { Fact } from '../core/effect.ts'
import type { Delivery } from '../core/outbox.ts'
import { factOfWrite, tailAfter, type ClosedRow, type Tail, type Write } from '../core/journal.ts'
import { closedWith, keyedRows, recallOf, splitTail, type Facts, type Rows } from './rows.ts'
import { closedRow, factOf, JOURNAL_TABLE, OUTBOX_TABLE, type FactRecord, type JournalRecord } from './schema.ts'

const COLUMNS = 'seq, kind, at, slice, lease, key, effect, reserved, event, head'

/** Rows with a key that may be young enough: one that was taken over has the time of that in its key. */
const KEYED = `key IS NOT NULL AND (at >= ? OR instr(key, '"took_over_at"') > 0)`

export const hasJournal = (sql: SqlStorage): boolean => hasTable(sql, 'journal')
const hasTable = (sql: SqlStorage, name: string): boolean =>
  sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', name).toArray().length > 0

/** The highest closed row and what stands above it: one row or two, nearly always. */
const TAIL = `WHERE seq >= coalesce((SELECT seq FROM journal WHERE head IS NOT NULL ORDER BY seq DESC LIMIT 1), 0) ORDER BY seq DESC`

/** To be thrown away when a transaction over it was rolled back, and when the storage was emptied. */
export function sqlRows(sql: SqlStorage): Rows {
  const facts = boundedFacts()
  let made = false
  const exists = () => (made ||= hasJournal(sql))
  const select = (rest: string, ...values: number[]) =>
    sql.exec<JournalRecord>(`SELECT ${COLUMNS} FROM journal ${rest}`, ...values).toArray()
  let known: Tail | null = null
  const tail = () => (known ??= splitTail(exists() ? select(TAIL) : []))
  const closed: Rows['closed'] = (seq) => {
    const [record] = select('WHERE seq = ?', seq)
    return record === undefined || record.head === null ? null : closedRow(record)
  }
  return {
    last: () => tail().last,
    pending: () => tail().pending,
    queued: () => tail().queued,
    keyed: (scope, key, since) =>
      keyedRows(exists() ? select(`WHERE ${KEYED} ORDER BY seq`, since) : [], { scope, key, since }),
    holder: (seq) => closed(seq)?.slice ?? null,
    closedWith: (seq) => closedWith(closed, seq),
    closed,
    stored: (after, limit) => (exists() ? select('WHERE seq > ? ORDER BY seq LIMIT ?', after, limit) : []),
    recall: recallOf((seq) => {
      const query = `SELECT seq, effect, event, json_extract(head, '$.updated_at') AS closed_at FROM journal WHERE seq = ? AND head IS NOT NULL`
      const [record] = sql.exec<FactRecord>(query, seq).toArray()
      return record === undefined ? null : factOf(record)
    }, facts),
    ...sqlOutbox(sql),
    apply(writes) {
      if (writes.some((write) => write.row.seq === 1) && !exists()) sql.exec(JOURNAL_TABLE)
      for (const write of writes) {
        applyWrite(sql, write)
        known = tailAfter(tail(), write)
        const fact = factOfWrite(write)
        if (fact !== null) facts.set(write.row.seq, fact)
      }
    },
  }
}

/** More than a prompt refers to; what is beyond is read again. Many objects share the memory of one isolate. */
const FACTS_MAX = 512
const FACTS_CHARS_MAX = 2_000_000

function boundedFacts(): Facts {
  const facts = new Map<number, Fact>()
  let chars = 0
  return {
    get: (seq) => facts.get(seq),
    set(seq, fact) {
      const more = 'text' in fact.event ? fact.event.text.length : 0
      if (facts.size >= FACTS_MAX || chars + more > FACTS_CHARS_MAX) {
        facts.clear()
        chars = 0
      }
      chars += more
      facts.set(seq, fact)
    },
  }
}

/** Of few tasks, and then of few entries: all are known. Its table is made by the first one. */
function sqlOutbox(sql: SqlStorage): Pick<Rows, 'deliveries' | 'save'> {
  let known: Map<number, Delivery> | null = null
  const all = () =>
    (known ??= new Map(
      hasTable(sql, 'outbox')
        ? sql
            .exec<Delivery & Record<string, SqlStorageValue>>('SELECT * FROM outbox ORDER BY seq')
            .toArray()
            .map((one) => [one.seq, one])
        : [],
    ))
  return {
    deliveries: () => [...all().values()],
    save(delivery) {
      if (all().size === 0) sql.exec(OUTBOX_TABLE)
      const { seq, status, at, due, attempts, state, detail } = delivery
      const columns = [seq, status, at, due, attempts, state, detail]
      sql.exec(
        'INSERT OR REPLACE INTO outbox (seq, status, at, due, attempts, state, detail) VALUES (?, ?, ?, ?, ?, ?, ?)',
        ...columns,
      )
      all().set(seq, delivery)
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
      sql.exec(
        'INSERT INTO journal (seq, kind, at, key, event, head) VALUES (?, ?, ?, ?, ?, ?)',
        seq,
        kind,
        at,
        key,
        event,
        head,
      )
    }
  }
}

const closingTexts = (row: ClosedRow) => ({ event: JSON.stringify(row.event), head: JSON.stringify(row.head) })
