/** What clients do with the files of a task: put, fetch, list and delete them. */
import { contentTypeOf } from '../../core/terms/files/file-types.ts'
import { bytesOf, type FileEntry } from '../../core/terms/files/files.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { discardBlob, keepBlob, type Keeping } from './blob-keeping.ts'
import { checkedUpload, type Upload } from './checked-upload.ts'
import { findFile, recordFile, type FoundFile, type LinkedRef } from './files.ts'
import { brokenBody } from '../network/chunked-body.ts'
import type { TaskRef } from '../ports.ts'
import type { Caller, FilePage } from '../caller.ts'

interface Put {
  file: Pick<FileEntry, 'name' | 'content_type' | 'bytes' | 'at'>
  /** Whether the file is new. */
  created: boolean
  link_epoch: number
}

export interface FileService {
  /**
   * Puts a file in place of any other of its name. A body that breaks off rejects (shell/network/chunked-body.ts), and nothing of it is
   * kept.
   */
  putFile(caller: Caller, id: string, upload: Upload): Promise<Result<Put>>
  fetchFile(caller: Caller, id: string, name: string): Promise<Result<FoundFile>>
  /** By name; `after` is a name, or empty. */
  listFiles(caller: Caller, id: string, paging: { limit: number; after: string }): Promise<Result<FilePage>>
  deleteFile(caller: Caller, id: string, name: string): Promise<Result<null>>
}

export function fileService(keeping: Keeping): FileService {
  const refOf = ({ tenant, link }: Caller, task: string): LinkedRef => ({
    tenant,
    task,
    ...(link === undefined ? {} : { link }),
  })
  return {
    putFile: (caller, id, upload) => putFile(keeping, refOf(caller, id), upload),
    fetchFile: (caller, id, name) => fetchFile(keeping, refOf(caller, id), name),
    listFiles: (caller, id, paging) => listFiles(keeping, refOf(caller, id), paging),
    deleteFile: (caller, id, name) => deleteFile(keeping, refOf(caller, id), name),
  }
}

/**
 * Refuses a file before its body is read, where possible. Of two uploads of one name the later row stands, and the other's blob is removed.
 */
async function putFile(keeping: Keeping, of: TaskRef, upload: Upload): Promise<Result<Put>> {
  const { name, length, bytes_max } = upload
  const permission = await keeping.store.of(of.tenant, of.task).ask({ kind: 'may_write', name, seq: null })
  if (!permission.ok) return permission
  const body = await checkedUpload(upload)
  if (!body.ok) return body
  const kept_blob = await keepBlob(keeping, { ...of, incarnation: permission.value }, body.value, {
    bytes_max,
    announced: length,
    empty: false,
  })
  if (!kept_blob.ok) return unlessSwept(kept_blob)
  const file = { name, seq: null, ...kept_blob.value }
  const written = await recordFile(keeping, of, file)
  if (!written.ok) return unlessSwept(written)
  const { outcome, created, at, link_epoch } = written.value
  // Most refusals came before. One is left: other uploads may have filled the task meanwhile.
  if (outcome !== 'written') return refuse({ code: 'too_many_files' })
  const shown = { name, content_type: contentTypeOf(name), bytes: bytesOf(file), at }
  return ok({ file: shown, created, link_epoch })
}

/** To its client, an upload that was swept for its silence looks like one that broke off: it may be sent again. */
function unlessSwept<T>(refused: Result<T> & { ok: false }): Result<never> {
  if (refused.refusal.code === 'lease_lost') throw brokenBody()
  return refused
}

async function fetchFile(keeping: Keeping, of: LinkedRef, name: string): Promise<Result<FoundFile>> {
  const found = await findFile(keeping, of, name)
  if (!found.ok) return found
  return found.value === null ? refuse({ code: 'file_not_found' }) : ok(found.value)
}

/** By name; `after` is the last of the page before, empty for the first. */
async function listFiles(
  { store }: Pick<Keeping, 'store'>,
  { tenant, task, link }: LinkedRef,
  { after, limit }: { after: string; limit: number },
): Promise<Result<FilePage>> {
  const listed = await store.of(tenant, task).ask({ kind: 'linked_files', link })
  if (!listed.ok) return listed
  const { files, link_epoch } = listed.value
  const found = files.filter(({ name }) => name > after)
  const data = found.slice(0, limit)
  const has_more = found.length > limit
  return ok({ data, has_more, next_cursor: has_more ? (data.at(-1)?.name ?? null) : null, link_epoch })
}

async function deleteFile(keeping: Keeping, of: TaskRef, name: string): Promise<Result<null>> {
  const removed = await keeping.store.of(of.tenant, of.task).upkeep({ kind: 'remove_file', name })
  if (!removed.ok) return removed
  await discardBlob(keeping, of, removed.value.unused)
  return ok(null)
}
