/** Tables and how their rows are read. Stored JSON is validated on read; what cannot be read is never written over. */
import { Event, StoredEffect, type Fact } from '../core/effect.ts'
import { Head } from '../core/head.ts'
import { modeOf } from '../core/modes/index.ts'
import { unreadable } from '../core/unreadable.ts'
import { Lease, type ClosedRow, type PendingRow } from '../core/journal.ts'

/** One append-only table without secondary index holds a task (docs/protocol.md 1). `key` and `reserved` are empty so far. */
export const JOURNAL_TABLE = `CREATE TABLE journal (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, at INTEGER NOT NULL, slice TEXT, lease TEXT,
  key TEXT, effect TEXT, reserved TEXT, event TEXT, head TEXT)`

export type JournalRecord = {
  seq: number
  kind: string
  at: number
  slice: string | null
  lease: string | null
  effect: string | null
  event: string | null
  head: string | null
}

export type FactRecord = { seq: number; effect: string | null; event: string | null; closed_at: number }

type Schema<T> = { safeParse(value: unknown): { success: true; data: T } | { success: false } }

function read<T>(schema: Schema<T>, text: string | null, where: string): T {
  let value: unknown
  try {
    value = JSON.parse(text ?? 'null')
  } catch {
    throw unreadable(`${where} is not JSON`)
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw unreadable(`${where} has an unknown shape`)
  return parsed.data
}

/** The head and, in it, the state of its mode. */
function readHead(record: JournalRecord, where: string): Head {
  const head = read(Head, record.head, where)
  const state = modeOf(head.mode).state.safeParse(head.state)
  if (!state.success) throw unreadable(`${where} has a state its mode does not know`)
  return head
}

/** What a closed row says happened, without its head but for the time it was closed. */
export function factOf(record: FactRecord): Fact {
  const where = `row ${record.seq}`
  const effect = record.effect === null ? null : read(StoredEffect, record.effect, where)
  return { effect, event: read(Event, record.event, where), at: record.closed_at }
}

export function closedRow(record: JournalRecord): ClosedRow {
  const where = `row ${record.seq}`
  return {
    seq: record.seq,
    kind: record.kind,
    at: record.at,
    slice: record.slice,
    lease: record.lease === null ? null : read(Lease, record.lease, where),
    effect: record.effect === null ? null : read(StoredEffect, record.effect, where),
    event: read(Event, record.event, where),
    head: readHead(record, where),
  }
}

export function pendingRow(record: JournalRecord): PendingRow {
  const where = `row ${record.seq}`
  return {
    seq: record.seq,
    kind: record.kind,
    at: record.at,
    slice: record.slice ?? '',
    lease: read(Lease, record.lease, where),
    effect: read(StoredEffect, record.effect, where),
  }
}
