/** The files of a task, wherever they are kept: what a row holds is read from it, what a blob holds from there. */
import type { FileWrite, FileWriteOutcome, FileWithContent, WriteResult } from '../../core/terms/files/files.ts'
import { BLOB_BYTES_MAX } from '../../core/terms/files/file-types.ts'
import { FILE_BYTES_MAX } from '../../core/terms/files/files.ts'
import { ok, type Result } from '../../core/terms/refusal.ts'
import { utf8Bytes } from '../../core/terms/text.ts'
import { settleBlob, keepBlob, type Keeping } from './blob-keeping.ts'
import { onceMoreIfLost } from '../lost-object.ts'
import { bodyStream } from '../network/chunked-body.ts'
import type { Files, OpenFile, TaskRef } from '../ports.ts'

export function taskFiles(keeping: Keeping): Files {
  return {
    list: (of) => onceMoreIfLost(() => keeping.store.of(of.tenant, of.task).listFiles()),
    open: (of, name) => openTaskFile(keeping, of, name),
    write: (of, file) => writeFile(keeping, of, file),
  }
}

/** A file that was found, not opened yet. */
export type FoundFile = Omit<FileWithContent, 'content' | 'blob'> & {
  /** null: it was replaced or deleted since. */
  body: () => Promise<ReadableStream<Uint8Array> | null>
}

/** With the epoch of the link by which its reader has come. */
export type LinkedRef = TaskRef & { link?: number }

export async function findFile(keeping: Keeping, of: LinkedRef, name: string): Promise<Result<FoundFile | null>> {
  const read = await onceMoreIfLost(() => keeping.store.of(of.tenant, of.task).readFile(name, of.link))
  if (!read.ok) return read
  if (read.value === null) return ok(null)
  const { content, blob, ...found } = read.value
  const body = async () =>
    blob === null ? bodyStream(content) : ((await keeping.blobs?.open({ ...of, blob })) ?? null)
  return ok({ ...found, body })
}

/** A file may be replaced between the look at its row and that at its blob. */
const LOOKS = 3

export async function openTaskFile(keeping: Keeping, of: TaskRef, name: string): Promise<Result<OpenFile | null>> {
  for (let look = 0; look < LOOKS; look++) {
    const found = await findFile(keeping, of, name)
    if (!found.ok) return found
    if (found.value === null) break
    const { body, tag: _tag, ...entry } = found.value
    const opened = await body()
    if (opened !== null) return ok({ entry, body: opened })
  }
  return ok(null)
}

async function writeFile(
  keeping: Keeping,
  of: TaskRef,
  { name, seq, content }: Parameters<Files['write']>[1],
): Promise<Result<FileWriteOutcome>> {
  if (typeof content === 'string' && utf8Bytes(content) <= FILE_BYTES_MAX) {
    const written = await recordFile(keeping, of, { name, seq, content: content.toWellFormed() })
    return written.ok ? ok(written.value.outcome) : written
  }
  const bytes = typeof content === 'string' ? utf8Bytes(content) : content.byteLength
  const bounds = { bytes_max: BLOB_BYTES_MAX, announced: bytes, empty: true }
  const may = await onceMoreIfLost(() => keeping.store.of(of.tenant, of.task).mayWrite(name, seq))
  if (!may.ok) return may
  const kept = await keepBlob(keeping, { ...of, life: may.value }, bodyStream(content), bounds)
  if (!kept.ok) return refusedWrite(kept)
  const written = await recordFile(keeping, of, { name, seq, ...kept.value })
  return written.ok ? ok(written.value.outcome) : written
}

/** What stands against a blob is told to the model; that its task is gone is told to nobody. */
function refusedWrite(refused: Extract<Result<unknown>, { ok: false }>): Result<FileWriteOutcome> {
  switch (refused.refusal.code) {
    case 'quota_exceeded':
    case 'file_too_large':
      return ok(refused.refusal.code)
    case 'not_configured':
      return ok('no_blob_storage')
    default:
      return refused
  }
}

/** Writes the row, and removes the blob that no row names then. */
export async function recordFile(keeping: Keeping, of: TaskRef, file: FileWrite): Promise<Result<WriteResult>> {
  const written = await onceMoreIfLost(() => keeping.store.of(of.tenant, of.task).writeFile(file))
  const brought = 'content' in file ? null : file.blob
  const unused = written.ok ? written.value.unused : brought
  await settleBlob(keeping, of, { named: brought === unused ? null : brought, unused })
  return written
}
