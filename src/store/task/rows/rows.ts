/** The rows of one task as every store keeps them: in SQLite, in memory, or remembered over those of another store. */
import type { Fact } from '../../../core/terms/effect.ts'
import type { FileRow, StoredFile } from '../../../core/terms/files/files.ts'
import type { Journal, StoredClosedRow, Tail, Write } from '../../../core/protocol/journal.ts'
import type { Delivery } from '../../../core/protocol/outbox.ts'
import type { TaskRoom } from '../../../core/workspace/stored-bytes.ts'
import type { ExportState, LedgerRow } from '../../../core/replay/export/export-page.ts'
import type { JournalRecord } from './schema.ts'

/** A cache of what closed rows say, by seq. */
export interface Facts {
  get(seq: number): Fact | undefined
  set(seq: number, fact: Fact): void
}

/** Rows of one task, read and written synchronously within one transaction. */
export interface Rows extends Journal, TaskRoom {
  tail(): Tail
  closed(seq: number): StoredClosedRow | null
  /** The first `limit` rows above `after`, unread; none for a task that does not exist. */
  stored(after: number, limit: number): JournalRecord[]
  /** The highest seq of any row, readable or not; 0 without rows. */
  newest(): number
  /** At most `limit` closed rows from `from` on, without the state of the mode. A row whose head is damaged is left out. */
  ledger(from: number, limit: number): LedgerRow[]
  /** How far the consumers of the export have come. */
  exported(): ExportState
  saveExported(state: ExportState): void
  apply(writes: Write[]): void
  /** Oldest first. */
  deliveries(): readonly Delivery[]
  save(delivery: Delivery): void
  file(name: string): StoredFile | null
  /** By name. */
  files(): readonly FileRow[]
  keepFile(file: StoredFile): void
  /** How often the links of the task were ended. A link names the epoch that it was made in. */
  linkEpoch(): number
  endLinks(): void
  dropFile(name: string): void
  /** From now on no file may name the blob. */
  refuseBlob(blob: string): void
  isBlobRefused(blob: string): boolean
}
