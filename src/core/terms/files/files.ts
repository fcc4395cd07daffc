/**
 * The files of a task: which names and sizes are allowed, and what is stored of them. Small texts of tools are stored in rows
 * of the task. Every other file is a blob in another store, which a row names.
 */
import { contentTypeOf, FILE_BYTES_MAX } from './file-types.ts'
import { utf8Bytes } from '../text.ts'

export const FILES_MAX = 100
/** The texts in rows together. Blobs are counted for their tenant. */
export const FILES_BYTES_MAX = 4_194_304

/** The row of a file, without its text. */
export interface FileRow {
  name: string
  /**
   * The effect that wrote the file, or the newest row when a client uploaded it. A late write of an earlier effect must
   * not replace the file.
   */
  seq: number
  /** When it was written, in ms since the epoch. */
  at: number
  /** The size of its content. A text is counted as UTF-8. */
  bytes: number
  /** Who wrote it last. */
  source: 'client' | 'tool'
  /** The blob that holds its content. null: the content is in the row. A blob is never written again. */
  blob: string | null
}
export interface StoredFile extends FileRow {
  /** Empty if a blob holds the content. */
  content: string
}
/** A file as it is shown outside. */
export interface FileEntry {
  name: string
  seq: number
  at: number
  bytes: number
  /** The content type for HTTP, which follows from the ending of the name. */
  content_type: string
  /** `mode`: a document that the mode derives from its state. */
  source: FileRow['source'] | 'mode'
}
/** A file with its text, or with the name of its blob. */
export interface FileWithContent extends FileEntry {
  blob: string | null
  content: string
  /** The entity tag, which changes whenever the content changes. */
  tag: string
}

/**
 * A file to write. `name` is valid, `content` is well-formed, and a blob is complete. `seq` names the effect that writes it.
 * null: a client uploads it.
 */
export type FileWrite = { name: string; seq: number | null } & ({ content: string } | { blob: string; bytes: number })
/**
 * The outcome of a write. Nothing is changed unless it is `written`. `file_reserved`: a document of the mode has this name.
 * `quota_exceeded`: the blobs of the tenant take all their space. `no_blob_storage`: the service has no store for blobs.
 */
export type FileWriteOutcome =
  | 'written'
  | 'file_too_large'
  | 'too_many_files'
  | 'file_reserved'
  | 'quota_exceeded'
  | 'no_blob_storage'
export interface WriteResult {
  outcome: FileWriteOutcome
  /** Whether there was no such file before. */
  created: boolean
  /** When it was written, in ms since the epoch. */
  at: number
  /** A blob that no row names any more: the replaced one, or the new one if the write was refused. */
  unused: string | null
  /** The epoch under which links to the files of the task are signed. */
  link_epoch: number
}

/** One segment of a path. `.` and `..` are excluded, because they would lead to another folder. */
export const FILE_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/
export const isFileName = (text: string): boolean => FILE_NAME.test(text)

/** The file name in a text of a model. null: the text is not a valid name. Models often write `./` before it. */
export function fileName(text: string): string | null {
  const name = text.trim().replace(/^(?:\.\/)+/, '')
  return isFileName(name) ? name : null
}

const NAME_SIGN = /[A-Za-z0-9._-]/
const LETTER = /[A-Za-z0-9]/

/** Whether the text goes on with the name at this place. A sign such as a full stop belongs to the name only if a letter follows it. */
function goesOnWithName(text: string, from: number, step: 1 | -1): boolean {
  let at = from
  while (NAME_SIGN.test(text.charAt(at)) && !LETTER.test(text.charAt(at))) at += step
  return LETTER.test(text.charAt(at))
}

/** Whether a text names the file. A longer name that contains this one is another file. */
export function namesFile(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (!goesOnWithName(text, at - 1, -1) && !goesOnWithName(text, at + name.length, 1)) return true
  return false
}

export const bytesOf = (file: FileWrite): number => ('content' in file ? utf8Bytes(file.content) : file.bytes)

/** Whether a file fits among the files of its task. The file that it replaces is not counted. */
export function checkFileRoom(files: readonly FileRow[], file: FileWrite): FileWriteOutcome {
  const bytes = 'content' in file ? bytesOf(file) : 0
  if (bytes > FILE_BYTES_MAX) return 'file_too_large'
  const others = files.filter(({ name }) => name !== file.name)
  const total = others.reduce((sum, other) => sum + (other.blob === null ? other.bytes : 0), bytes)
  return others.length >= FILES_MAX || total > FILES_BYTES_MAX ? 'too_many_files' : 'written'
}

export function fileEntry({ name, seq, at, bytes, source }: FileRow): FileEntry {
  return { name, seq, at, bytes, content_type: contentTypeOf(name), source }
}
/** The order in which the stores list files. */
export const compareByName = (one: { name: string }, other: { name: string }): number =>
  one.name < other.name ? -1 : 1
