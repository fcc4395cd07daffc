/**
 * The files of a task: what its client puts, and what its tools leave for one another. Small texts of tools stand in rows of the task
 * itself; everything else is a blob elsewhere, which a row names. What a name may be, and how much there is room for.
 */
import { contentTypeOf } from './file-types.ts'
import { utf8Bytes } from '../text.ts'

/** One row of SQLite holds a text; the platform takes 2 MB. */
export const FILE_BYTES_MAX = 262_144
export const FILES_MAX = 100
/** Of the texts in rows; blobs are counted for their tenant. */
export const FILES_BYTES_MAX = 4_194_304

/** A row, without the text in it. */
export interface FileRow {
  name: string
  /** The effect that wrote it, or the newest row when its client put it: what an earlier effect writes late must not replace it. */
  seq: number
  /** When it was written, ms since the epoch. */
  at: number
  /** Of its content, a text as UTF-8. */
  bytes: number
  /** Who wrote it last. */
  source: 'client' | 'tool'
  /** Names what holds its content; null: that stands in the row. A blob is never written again. */
  blob: string | null
}
export interface StoredFile extends FileRow {
  /** Empty where a blob has it. */
  content: string
}
/** A file as others see it. */
export interface FileEntry {
  name: string
  seq: number
  at: number
  bytes: number
  /** By the ending of its name, for HTTP. */
  content_type: string
  /** `mode`: a document that the mode derives from its state. */
  source: FileRow['source'] | 'mode'
}
/** With its text, or the name of its blob. */
export interface ReadFile extends FileEntry {
  blob: string | null
  content: string
  /** Another one whenever the content is. */
  tag: string
}

/** `name` is a file name, `content` well-formed, a blob complete. `seq`: the effect that writes it; null: the client puts it. */
export type FileWrite = { name: string; seq: number | null } & ({ content: string } | { blob: string; bytes: number })
/**
 * What became of it; where it is not `written` nothing was changed. `file_reserved`: a document of the mode has this name. Of blobs:
 * `quota_exceeded`: those of the tenant take all they may; `no_blob_storage`: there is nowhere to keep one.
 */
export type FileWritten =
  'written' | 'file_too_large' | 'too_many_files' | 'file_reserved' | 'quota_exceeded' | 'no_blob_storage'
export interface WriteResult {
  outcome: FileWritten
  /** Whether there was no such file before. */
  created: boolean
  /** When it was, ms since the epoch. */
  at: number
  /** A blob that no row names now: the one that was replaced, or the one that was not wanted. */
  unused: string | null
  /** What links to the files of the task are made under. */
  link_epoch: number
}

/** One segment of a path that leads nowhere else: not `.` or `..`. */
export const FILE_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/
export const isFileName = (text: string): boolean => FILE_NAME.test(text)

/** The name of a file as models write it; null: it is none. A `./` in front is how they say "here". */
export function fileName(text: string): string | null {
  const name = text.trim().replace(/^(?:\.\/)+/, '')
  return isFileName(name) ? name : null
}

export const bytesOf = (file: FileWrite): number => ('content' in file ? utf8Bytes(file.content) : file.bytes)

/** What becomes of a file among those there are; the one it replaces makes room. */
export function roomFor(files: readonly FileRow[], file: FileWrite): FileWritten {
  const bytes = 'content' in file ? bytesOf(file) : 0
  if (bytes > FILE_BYTES_MAX) return 'file_too_large'
  const others = files.filter(({ name }) => name !== file.name)
  const total = others.reduce((sum, other) => sum + (other.blob === null ? other.bytes : 0), bytes)
  return others.length >= FILES_MAX || total > FILES_BYTES_MAX ? 'too_many_files' : 'written'
}

export function fileEntry({ name, seq, at, bytes, source }: FileRow): FileEntry {
  return { name, seq, at, bytes, content_type: contentTypeOf(name), source }
}
/** By name, as the stores sort them. */
export const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1)
