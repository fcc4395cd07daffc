/** The tables of a task, and how their rows are read. Stored JSON is validated on read. A row that cannot be read is never overwritten. */
import * as z from 'zod'
import { Event, StoredEffect, type Fact } from '../../../core/terms/effect.ts'
import type { FileRow, StoredFile } from '../../../core/terms/files/files.ts'
import { Head } from '../../../core/terms/head.ts'
import { Reservation } from '../../../core/terms/budget.ts'
import { RowKeys, Lease, type ClosedRow, type PendingRow, type QueuedRow } from '../../../core/protocol/journal.ts'
import { modeOf } from '../../../core/modes/index.ts'
import type { Delivery } from '../../../core/protocol/outbox.ts'
import { Status } from '../../../core/terms/status.ts'
import { unreadable } from '../../../core/terms/unreadable.ts'
import type { StoredRow } from '../../../core/terms/view.ts'
import { migrateHead } from './migrate.ts'

/** One append-only table without secondary index holds a task (P1). Only a closed row has a head. */
export const JOURNAL_TABLE = `CREATE TABLE journal (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, at INTEGER NOT NULL, slice TEXT, lease TEXT,
  key TEXT, effect TEXT, reserved TEXT, event TEXT, head TEXT)`

/** The notices for the callback of the task (core/protocol/outbox.ts). */
export const OUTBOX_TABLE = `CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY, status TEXT NOT NULL, at INTEGER NOT NULL, due INTEGER NOT NULL,
  attempts INTEGER NOT NULL, state TEXT NOT NULL, detail TEXT)`

export type JournalRecord = StoredRow

export type FactRecord = { seq: number; effect: string | null; event: string | null; closed_at: number | null }

type Schema<T> = { safeParse(value: unknown): { success: true; data: T } | { success: false } }

/** Short texts that are read often, such as the brief and the newest heads, are parsed once: equal texts give the same value. */
const REMEMBERED_MAX = 256
const REMEMBERED_CHARS_MAX = 8_192
const remembered = new Map<Schema<unknown>, Map<string, unknown>>()

function read<T>(schema: Schema<T>, text: string | null, where: string, migrate?: (value: unknown) => unknown): T {
  if (text === null || text.length > REMEMBERED_CHARS_MAX) return parse(schema, text, where, migrate)
  const known = remembered.get(schema) ?? new Map<string, unknown>()
  remembered.set(schema, known)
  // Each value in the map of a schema was parsed by that schema.
  if (known.has(text)) return known.get(text) as T
  const value = parse(schema, text, where, migrate)
  const oldest = known.size < REMEMBERED_MAX ? undefined : known.keys().next().value
  if (oldest !== undefined) known.delete(oldest)
  known.set(text, value)
  return value
}

function parse<T>(
  schema: Schema<T>,
  text: string | null,
  where: string,
  migrate = (value: unknown): unknown => value,
): T {
  let value: unknown
  try {
    value = JSON.parse(text ?? 'null')
  } catch {
    throw unreadable(`${where} is not JSON`)
  }
  const parsed = schema.safeParse(migrate(value))
  if (!parsed.success) throw unreadable(`${where} has an unknown shape`)
  return parsed.data
}

/** Ms since the epoch, within the range of dates and alarms. */
const Time = z.number().min(0).max(8e12)

/** Validates columns that hold no JSON. */
function plain<T>(schema: Schema<T>, value: unknown, where: string): T {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw unreadable(`${where} has an unknown shape`)
  return parsed.data
}

const Named = z.object({ kind: z.string(), at: Time, slice: z.string().nullable() })

const commonColumns = (record: JournalRecord, where: string) => {
  const { kind, at } = plain(Named, record, where)
  return { seq: record.seq, kind, at, key: keyedOf(record) }
}

export const keyedOf = ({ key, seq }: JournalRecord): RowKeys | null =>
  key === null ? null : read(RowKeys, key, `row ${seq}`)

export const effectOf = ({ effect, seq }: Pick<JournalRecord, 'effect' | 'seq'>): StoredEffect | null =>
  effect === null ? null : read(StoredEffect, effect, `row ${seq}`)

const DeliveryRow = z.object({
  seq: z.int(),
  status: Status,
  at: Time,
  due: Time,
  attempts: z.int().min(0),
  state: z.enum(['pending', 'sending', 'delivered', 'failed', 'gone']),
  detail: z.string().nullable(),
})
export const deliveryOf = (row: unknown): Delivery => plain(DeliveryRow, row, 'an entry of the outbox')

const FileColumns = z.object({
  name: z.string(),
  seq: z.int(),
  at: Time,
  bytes: z.int().min(0),
  source: z.enum(['client', 'tool']),
  blob: z.string().nullable(),
})
const FileWithContent = FileColumns.extend({ content: z.string() })
export const fileRow = (row: unknown): FileRow => plain(FileColumns, row, 'the row of a file')
export const storedFile = (row: unknown): StoredFile => plain(FileWithContent, row, 'the row of a file')

/** A head with the state of its mode, which the schema of the mode parses here once. */
const StoredHead = Head.transform((head, issues): Head => {
  const state = modeOf(head.mode).state.safeParse(head.state)
  if (!state.success) issues.addIssue({ code: 'custom', message: 'a state its mode does not know' })
  return { ...head, state: state.data ?? head.state }
})

/** What a closed row says happened. Of its head only the closing time is read. */
export function factOf(record: FactRecord): Fact {
  const where = `row ${record.seq}`
  return { effect: effectOf(record), event: read(Event, record.event, where), at: plain(Time, record.closed_at, where) }
}

export function closedRow(record: JournalRecord): ClosedRow {
  const where = `row ${record.seq}`
  return {
    ...commonColumns(record, where),
    slice: record.slice,
    lease: record.lease === null ? null : read(Lease, record.lease, where),
    effect: effectOf(record),
    reserved: record.effect === null ? null : reservedOf(record, where),
    event: read(Event, record.event, where),
    head: read(StoredHead, record.head, where, migrateHead),
  }
}

export function pendingRow(record: JournalRecord): PendingRow {
  const where = `row ${record.seq}`
  return {
    ...commonColumns(record, where),
    slice: record.slice ?? '',
    lease: read(Lease, record.lease, where),
    effect: read(StoredEffect, record.effect, where),
    reserved: reservedOf(record, where),
  }
}

export function queuedRow(record: JournalRecord): QueuedRow {
  const where = `row ${record.seq}`
  return { ...commonColumns(record, where), event: read(Event, record.event, where) }
}

/** Rows of version 1 reserved only the time of their lease. */
function reservedOf(record: JournalRecord, where: string): Reservation {
  if (record.reserved !== null) return read(Reservation, record.reserved, where)
  const { until } = read(Lease, record.lease, where)
  return { input_tokens: 0, output_tokens: 0, cost: 0, ms: Math.max(0, until - record.at), price: null }
}
