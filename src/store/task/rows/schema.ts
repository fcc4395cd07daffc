/** The tables of a task, and how their rows are read. Stored JSON is validated on read. A row that cannot be read is never overwritten. */
import * as z from 'zod'
import { Event, StoredEffect, type Fact } from '../../../core/terms/effect.ts'
import type { FileRow, StoredFile } from '../../../core/terms/files/files.ts'
import { Head } from '../../../core/terms/head.ts'
import { Reservation } from '../../../core/terms/budget.ts'
import {
  RowKeys,
  Lease,
  type PendingRow,
  type QueuedRow,
  type StoredClosedRow,
} from '../../../core/protocol/journal.ts'
import { parseJson } from '../../../core/terms/values/parse-json.ts'
import { NOTHING_EXPORTED, TraceCursor, type ExportState } from '../../../core/replay/export/export-page.ts'
import { modeOf } from '../../../core/modes/index.ts'
import type { Delivery } from '../../../core/protocol/outbox.ts'
import { Status } from '../../../core/terms/status.ts'
import { unreadable } from '../../../core/terms/unreadable.ts'
import type { StoredRow } from '../../../core/terms/view.ts'
import { migrateEffect, migrateEvent, migrateHead, parseMember } from './migrate.ts'

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

/** A schema of zod, or something else that throws a `ZodError`. */
type Schema<T> = { parse(value: unknown): T }

/** Short texts that are read often, such as the brief and the newest heads, are parsed once: equal texts give the same value. */
const REMEMBERED_MAX = 256
const REMEMBERED_CHARS_MAX = 8_192
const remembered = new Map<Schema<unknown>, Map<string, unknown>>()

function read<T>(schema: Schema<T>, text: string | null, where: string): T {
  if (text === null || text.length > REMEMBERED_CHARS_MAX) return parse(schema, jsonOf(text, where), where)
  const known = remembered.get(schema) ?? new Map<string, unknown>()
  remembered.set(schema, known)
  // Each value in the map of a schema was parsed by that schema.
  if (known.has(text)) return known.get(text) as T
  const value = parse(schema, jsonOf(text, where), where)
  const oldest = known.size < REMEMBERED_MAX ? undefined : known.keys().next().value
  if (oldest !== undefined) known.delete(oldest)
  known.set(text, value)
  return value
}

function jsonOf(text: string | null, where: string): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    throw unreadable(`${where} is not JSON`)
  }
}

/** Ms since the epoch, within the range of dates and alarms. */
const Time = z.number().min(0).max(8e12)

/** Validates a value. The error names the first member that is wrong, and never repeats what is stored there. */
function parse<T>(schema: Schema<T>, value: unknown, where: string): T {
  try {
    return schema.parse(value)
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    const [issue] = error.issues
    throw unreadable(`${where} has an unknown shape: /${issue?.path.join('/')}: ${issue?.message}`)
  }
}

const Named = z.object({ kind: z.string(), at: Time, slice: z.string().nullable() })

const commonColumns = (record: JournalRecord, where: string) => {
  const { kind, at } = parse(Named, record, where)
  return { seq: record.seq, kind, at, key: keyedOf(record) }
}

export const keyedOf = ({ key, seq }: JournalRecord): RowKeys | null =>
  key === null ? null : read(RowKeys, key, `the key of row ${seq}`)

/** The release before refuses a setting that it does not know. So the default pool is not named, and old and new Workers read each other (OPS-09). */
export function eventText(event: Event): string {
  if (event.kind !== 'task_created' || event.brief.settings.worker_pool !== null) return JSON.stringify(event)
  const settings = { ...event.brief.settings, worker_pool: undefined }
  return JSON.stringify({ ...event, brief: { ...event.brief, settings } })
}

const EventColumn: Schema<Event> = { parse: (value) => Event.parse(migrateEvent(value)) }
const EffectColumn: Schema<StoredEffect> = { parse: (value) => StoredEffect.parse(migrateEffect(value)) }

export const effectOf = ({ effect, seq }: Pick<JournalRecord, 'effect' | 'seq'>): StoredEffect | null =>
  effect === null ? null : read(EffectColumn, effect, `the effect of row ${seq}`)

const DeliveryRow = z.object({
  seq: z.int(),
  status: Status,
  at: Time,
  due: Time,
  attempts: z.int().min(0),
  state: z.enum(['pending', 'sending', 'delivered', 'failed', 'gone']),
  detail: z.string().nullable(),
})
export const deliveryOf = (row: unknown): Delivery => parse(DeliveryRow, row, 'an entry of the outbox')

const Cursor = z
  .string()
  .transform((text) => parseJson(text))
  .pipe(TraceCursor)
const ExportColumns = z.object({ usage: z.int().min(0), service: Cursor, tenant: Cursor })
/** A damaged row counts as none: what was exported is exported again, and counts once. */
export const exportStateOf = (row: unknown): ExportState => ExportColumns.safeParse(row).data ?? NOTHING_EXPORTED

const FileColumns = z.object({
  name: z.string(),
  seq: z.int(),
  at: Time,
  bytes: z.int().min(0),
  source: z.enum(['client', 'tool']),
  blob: z.string().nullable(),
})
const FileWithContent = FileColumns.extend({ content: z.string() })
export const fileRow = (row: unknown): FileRow => parse(FileColumns, row, 'the row of a file')
export const storedFile = (row: unknown): StoredFile => parse(FileWithContent, row, 'the row of a file')

/** A head with the state of its mode, which the schema of the mode parses here once. */
const HeadColumn: Schema<Pick<StoredClosedRow, 'head' | 'guessed'>> = {
  parse(value) {
    const { head: migrated, guessed } = migrateHead(value)
    const head = Head.parse(migrated)
    return { head: { ...head, state: parseMember(modeOf(head.mode).state, 'state', head.state) }, guessed }
  },
}

/** What a closed row says happened. Of its head only the closing time is read. */
export function factOf(record: FactRecord): Fact {
  const where = `row ${record.seq}`
  return {
    effect: effectOf(record),
    event: read(EventColumn, record.event, `the event of ${where}`),
    at: parse(Time, record.closed_at, where),
  }
}

export function closedRow(record: JournalRecord): StoredClosedRow {
  const where = `row ${record.seq}`
  return {
    ...commonColumns(record, where),
    slice: record.slice,
    lease: record.lease === null ? null : read(Lease, record.lease, `the lease of ${where}`),
    effect: effectOf(record),
    reserved: record.effect === null ? null : reservedOf(record, where),
    event: read(EventColumn, record.event, `the event of ${where}`),
    ...read(HeadColumn, record.head, `the head of ${where}`),
  }
}

export function pendingRow(record: JournalRecord): PendingRow {
  const where = `row ${record.seq}`
  return {
    ...commonColumns(record, where),
    slice: record.slice ?? '',
    lease: read(Lease, record.lease, `the lease of ${where}`),
    effect: read(EffectColumn, record.effect, `the effect of ${where}`),
    reserved: reservedOf(record, where),
  }
}

export function queuedRow(record: JournalRecord): QueuedRow {
  const where = `row ${record.seq}`
  return { ...commonColumns(record, where), event: read(EventColumn, record.event, `the event of ${where}`) }
}

/** Rows of version 1 reserved only the time of their lease. */
function reservedOf(record: JournalRecord, where: string): Reservation {
  if (record.reserved !== null) return read(Reservation, record.reserved, `the reservation of ${where}`)
  const { until } = read(Lease, record.lease, `the lease of ${where}`)
  return { input_tokens: 0, output_tokens: 0, cost: 0, ms: Math.max(0, until - record.at), price: null }
}
