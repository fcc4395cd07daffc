/** The files of a task: what a row holds is read from the row, what a blob holds from the blob. */
import {
  type FileWrite,
  type FileWriteOutcome,
  type FileWithContent,
  type WriteResult,
} from '../../core/terms/files/files.ts'
import { BLOB_BYTES_MAX, FILE_BYTES_MAX } from '../../core/terms/files/file-types.ts'
import { ok, type Result } from '../../core/terms/refusal.ts'
import { utf8Bytes } from '../../core/terms/text.ts'
import { settleBlob, keepBlob, type Keeping } from './blob-keeping.ts'
import { onceMoreIfLost } from '../lost-object.ts'
import { bodyStream } from '../network/chunked-body.ts'
import type { Files, OpenFile, TaskRef } from '../ports.ts'

export function taskFiles(keeping: Keeping): Files {
  return {
    list: (of) => onceMoreIfLost(() => keeping.store.of(of.tenant, of.task).ask({ kind: 'files' })),
    open: (of, name) => openTaskFile(keeping, of, name),
    write: (of, file) => writeFile(keeping, of, file),
  }
}

/** A file whose row was read and whose content is not opened yet. */
export type FoundFile = Omit<FileWithContent, 'content' | 'blob'> & {
  /** null where the file was replaced or deleted since. */
  body: () => Promise<ReadableStream<Uint8Array> | null>
}

/** A task, with the epoch of the link by which its reader came. */
export type LinkedRef = TaskRef & { link?: number }

export async function findFile(keeping: Keeping, of: LinkedRef, name: string): Promise<Result<FoundFile | null>> {
  const read = await onceMoreIfLost(() =>
    keeping.store.of(of.tenant, of.task).ask({ kind: 'file', name, link: of.link }),
  )
  if (!read.ok) return read
  if (read.value === null) return ok(null)
  const { content, blob, ...found } = read.value
  const body = async () =>
    blob === null ? bodyStream(content) : ((await keeping.blobs?.open({ ...of, blob })) ?? null)
  return ok({ ...found, body })
}

/** The most looks: a file may be replaced between the look at its row and the look at its blob. */
const LOOKS = 3

async function openTaskFile(keeping: Keeping, of: TaskRef, name: string): Promise<Result<OpenFile | null>> {
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
  const permission = await onceMoreIfLost(() =>
    keeping.store.of(of.tenant, of.task).ask({ kind: 'may_write', name, seq }),
  )
  if (!permission.ok) return permission
  const kept_blob = await keepBlob(keeping, { ...of, incarnation: permission.value }, bodyStream(content), bounds)
  if (!kept_blob.ok) return writeRefusal(kept_blob)
  const written = await recordFile(keeping, of, { name, seq, ...kept_blob.value })
  return written.ok ? ok(written.value.outcome) : written
}

/** The reasons against a blob are told to the model. That its task is gone stays a refusal. */
function writeRefusal(refused: Extract<Result<unknown>, { ok: false }>): Result<FileWriteOutcome> {
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
  const written = await onceMoreIfLost(() => keeping.store.of(of.tenant, of.task).upkeep({ kind: 'write_file', file }))
  const brought = 'content' in file ? null : file.blob
  const unused = written.ok ? written.value.unused : brought
  await settleBlob(keeping, of, { named: brought === unused ? null : brought, unused })
  return written
}
