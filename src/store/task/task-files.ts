/**
 * The files of a task, over its rows. A file that a tool writes is fenced by the seq of the effect. A file that the client puts
 * takes the seq of the newest row. So a repeated effect does not replace the client's file, and a later effect may.
 */
import { documentsOf, filesWith } from '../../core/protocol/view/documents.ts'
import { RESULT_FILE } from '../../core/terms/files/file-types.ts'
import {
  bytesOf,
  fileEntry,
  checkFileRoom,
  type FileRow,
  type FileWrite,
  type StoredFile,
  type WriteResult,
} from '../../core/terms/files/files.ts'
import { fingerprint } from '../../core/terms/values/hash.ts'
import { incarnationOfBlob } from '../../core/workspace/incarnation.ts'
import { mayReopen } from '../../core/protocol/input.ts'
import type { Tail } from '../../core/protocol/journal.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import type { OutcomeEdit } from '../../core/replay/fork-edit.ts'
import { copiesFile } from '../../core/replay/fork-files.ts'
import { checkLink } from './view-queries.ts'
import { storedIncarnation } from './task-facts.ts'
import type { Rows } from './rows/rows.ts'
import type { QueryHandlers, TaskTarget, UpkeepHandlers } from './handlers.ts'

type Last = NonNullable<Tail['last']>

/** Without a journal there is no task, and no table is created (P12). */
function ofTask<T>(rows: Rows, answer: (last: Last) => Result<T>): Result<T> {
  const last = rows.last()
  return last === null ? refuse({ code: 'task_not_found' }) : answer(last)
}

const allFiles = (rows: Rows, last: Last) => filesWith(rows.files(), documentsOf(last, rows.recall))

/** Checks whether a file of this name may be written. `seq` is the effect that writes it; null: the client does. */
const checkWrite = (rows: Rows, last: Last, name: string, seq: number | null) =>
  seq === null ? checkPut(rows, last, name) : ok(null)

export const FILE_QUERIES: QueryHandlers<'file' | 'files' | 'linked_files' | 'may_write' | 'forked_files'> = {
  file: ({ rows }, { name, link }) =>
    ofTask(rows, (last) =>
      checkLink(rows, link, () => {
        const document = documentsOf(last, rows.recall).find((one) => one.name === name)
        const stored = document === undefined ? rows.file(name) : null
        return ok(document ?? (stored === null ? null : readableFile(stored)))
      }),
    ),
  files: ({ rows }) => ofTask(rows, (last) => ok(allFiles(rows, last))),
  linked_files: ({ rows }, { link }) =>
    ofTask(rows, (last) =>
      checkLink(rows, link, () => ok({ files: allFiles(rows, last), link_epoch: rows.linkEpoch() })),
    ),
  may_write: ({ rows }, { name, seq }) =>
    ofTask(rows, (last) => {
      const allowed = checkWrite(rows, last, name, seq)
      return allowed.ok ? ok(storedIncarnation(rows)) : allowed
    }),
  forked_files: ({ rows }, { at, outcome }) => ofTask(rows, () => ok(forkedFiles(rows, at, outcome))),
}

/** `tellArrival` tells the task that a file of its client has arrived. A task that waits for it goes on in the same transaction. */
export const fileUpkeep = (
  tellArrival: (target: TaskTarget, name: string) => void,
): UpkeepHandlers<'write_file' | 'remove_file' | 'refuse_blobs'> => ({
  write_file(target, { file }) {
    const { rows, context } = target
    return ofTask(rows, (last) => {
      const allowed = checkWrite(rows, last, file.name, file.seq)
      const recorded = allowed.ok ? recordFile(rows, last, file, context().now_ms) : allowed
      if (recorded.ok && recorded.value.outcome === 'written' && file.seq === null) tellArrival(target, file.name)
      return recorded
    })
  },
  remove_file: ({ rows }, { name }) =>
    ofTask(rows, (last) => {
      if (isReserved(rows, last, name)) return refuse({ code: 'file_reserved', name })
      const stored = rows.files().find((one) => one.name === name)
      if (stored === undefined) return refuse({ code: 'file_not_found' })
      rows.dropFile(name)
      return ok({ unused: stored.blob })
    }),
  refuse_blobs: ({ rows }, { blobs }) =>
    ofTask(rows, () => {
      const names = new Set(rows.files().map(({ blob }) => blob))
      const named = blobs.filter((blob) => names.has(blob))
      for (const blob of blobs) if (!names.has(blob)) rows.refuseBlob(blob)
      return ok(named)
    }),
})

const readableFile = ({ content, blob, ...row }: StoredFile) => ({
  ...fileEntry({ ...row, blob }),
  blob,
  content,
  tag: blob ?? fingerprint(content),
})

const isReserved = (rows: Rows, last: Last, name: string): boolean =>
  documentsOf(last, rows.recall).some((one) => one.name === name)

/** Checks whether the client may put a file of this name. Its size is checked during the upload. */
function checkPut(rows: Rows, last: Last, name: string): Result<null> {
  const { head } = last
  if (head.end !== null && !mayReopen(head)) return refuse({ code: 'task_ended', status: head.end.status })
  if (name === RESULT_FILE || isReserved(rows, last, name)) return refuse({ code: 'file_reserved', name })
  const room = checkFileRoom(rows.files(), { name, seq: null, blob: '', bytes: 0 })
  return room === 'written' ? ok(null) : refuse({ code: 'too_many_files' })
}

function recordFile(rows: Rows, last: Last, file: FileWrite, at: number): Result<WriteResult> {
  const { name } = file
  const brought = 'content' in file ? null : file.blob
  // The blob belongs to an earlier incarnation of the task, and is deleted with it.
  if (brought !== null && incarnationOfBlob(brought) !== '' && incarnationOfBlob(brought) !== storedIncarnation(rows))
    return refuse({ code: 'task_not_found' })
  const files = rows.files()
  const stored = files.find((one) => one.name === name)
  const found = { created: false, at: stored?.at ?? at, link_epoch: rows.linkEpoch() }
  const unwritten = (outcome: WriteResult['outcome']) => ok({ ...found, outcome, unused: brought })
  // The worker of the effect counts as lost, and a later effect has written the file.
  if (file.seq !== null && (stored?.seq ?? 0) > file.seq) return refuse({ code: 'lease_lost' })
  // The call that stored it came twice.
  if (brought !== null && stored?.blob === brought) return ok({ ...found, outcome: 'written', unused: null })
  // The writer of the blob was silent for so long that the blob was swept (shell/files/sweep-uploads.ts).
  if (brought !== null && rows.isBlobRefused(brought)) return refuse({ code: 'lease_lost' })
  if (file.seq !== null && stored?.seq === file.seq) return unwritten('written')
  if (isReserved(rows, last, name)) return unwritten('file_reserved')
  const room = checkFileRoom(files, file)
  if (room !== 'written') return unwritten(room)
  const newest = rows.pending()?.seq ?? last.seq
  const row: FileRow = {
    name,
    seq: file.seq ?? newest,
    at,
    bytes: bytesOf(file),
    source: file.seq === null ? 'client' : 'tool',
    blob: brought,
  }
  rows.keepFile({ ...row, content: 'content' in file ? file.content : '' })
  return ok({
    outcome: 'written',
    created: stored === undefined,
    at,
    unused: stored?.blob ?? null,
    link_epoch: rows.linkEpoch(),
  })
}

/** The files that a fork copies from its parent. Texts are copied in full, and blobs by name. */
function forkedFiles(rows: Rows, at: number, outcome: OutcomeEdit | null): StoredFile[] {
  const copied = rows.files().filter((file) => copiesFile(file, () => rows.recall(file.seq), at, outcome))
  return copied.flatMap(({ name }) => rows.file(name) ?? [])
}
