/** Rows of a task in memory: for tests and simulation. Everything passes through JSON, as it does in SQLite. */
import { compareByName, type StoredFile } from '../../../core/terms/files/files.ts'
import type { Write } from '../../../core/protocol/journal.ts'
import type { Delivery } from '../../../core/protocol/outbox.ts'
import { closedWith, foundFact, keyedRows, recallOf, splitTail, TAIL_ROWS, tailQueries } from './records.ts'
import { NOTHING_EXPORTED } from '../../../core/replay/export/export-page.ts'
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { parseJson } from '../../../core/terms/values/parse-json.ts'
import { ledgerRow, type LedgerRecord } from './ledger.ts'
import { type Rows } from './rows.ts'
import { closedRow, eventText, type JournalRecord } from './schema.ts'

export function memoryRows(): Rows & { records: Map<number, JournalRecord>; clear(): void } {
  const records = new Map<number, JournalRecord>()
  const deliveries = new Map<number, Delivery>()
  const files = new Map<string, StoredFile>()
  let link_epoch = 0
  let exported = NOTHING_EXPORTED
  const refused = new Set<string>()
  const tail = () => {
    const newest = Array.from({ length: TAIL_ROWS }, (_, index) => records.get(records.size - index))
    return splitTail(newest.filter((record) => record !== undefined))
  }
  const closed: Rows['closed'] = (seq) => {
    const record = records.get(seq)
    return record === undefined || record.head === null ? null : closedRow(record)
  }
  return {
    records,
    clear() {
      records.clear()
      deliveries.clear()
      files.clear()
      link_epoch = 0
      exported = NOTHING_EXPORTED
      refused.clear()
    },
    tail,
    ...tailQueries(tail),
    rowsWithKey(scope, key, since) {
      return keyedRows([...records.values()], { scope, key, since })
    },
    holder: (seq) => closed(seq)?.slice ?? null,
    closedWith: (seq) => closedWith(closed, seq),
    closed,
    stored: (after, limit) => [...records.values()].filter((record) => record.seq > after).slice(0, limit),
    newest: () => Math.max(0, ...records.keys()),
    recall: recallOf((seq) => {
      const row = closed(seq)
      return foundFact(row && { effect: row.effect, event: row.event, at: row.head.updated_at }, seq)
    }),
    deliveries: () => [...deliveries.values()],
    save: (delivery) => void deliveries.set(delivery.seq, delivery),
    file: (name) => files.get(name) ?? null,
    files: () => [...files.values()].map(({ content: _content, ...row }) => row).sort(compareByName),
    keepFile: (file) => void files.set(file.name, file),
    linkEpoch: () => link_epoch,
    endLinks: () => void (link_epoch += 1),
    dropFile: (name) => void files.delete(name),
    refuseBlob: (blob) => void refused.add(blob),
    isBlobRefused: (blob) => refused.has(blob),
    ledger: (from, limit) =>
      [...records.values()]
        .filter(({ seq, head }) => seq >= from && head !== null)
        .slice(0, limit)
        .map((record) => ledgerRow(ledgerRecord(record)))
        .filter((row) => row !== null),
    exported: () => exported,
    saveExported: (state) => void (exported = state),
    // Rows in memory count against no quota.
    size: () => ({ bytes: 0, room: 0 }),
    giveRoom: () => undefined,
    apply: (writes) => writes.forEach((write) => records.set(write.row.seq, recordOf(write))),
  }
}

/** What SQL takes out of a row. */
function ledgerRecord({ seq, kind, at, lease, reserved, head }: JournalRecord): LedgerRecord {
  const [parts, attempt, cap] = [parsed(head), parsed(lease)['attempt'], parsed(reserved)['output_tokens']]
  const number = (value: unknown) => (typeof value === 'number' ? value : null)
  return {
    seq,
    kind,
    at,
    closed_at: number(parts['updated_at']),
    attempt: number(attempt),
    output_cap: number(cap),
    budget: json(parts['budget']),
    ended: json(parts['end']),
    paused: json(parts['pause_reason']),
  }
}
function parsed(text: string | null): Record<string, unknown> {
  const value = parseJson(text ?? 'null')
  return isRecord(value) ? value : {}
}

const json = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))

function recordOf({ row }: Write): JournalRecord {
  const { seq, kind, at } = row
  const blank = { slice: null, lease: null, effect: null, reserved: null, head: null }
  const { slice, lease, effect, reserved, head } = { ...blank, ...row }
  const event = 'event' in row ? eventText(row.event) : null
  return {
    seq,
    kind,
    at,
    slice,
    lease: json(lease),
    key: json(row.key),
    effect: json(effect),
    reserved: json(reserved),
    event,
    head: json(head),
  }
}
