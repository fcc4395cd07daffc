/** The files of a task: texts that its tools leave for one another. What a name may be, and how much there is room for. */
import { utf8Bytes } from './text.ts'

/** One row of SQLite holds a file; the platform takes 2 MB. */
export const FILE_BYTES_MAX = 262_144
export const FILES_MAX = 100
export const FILES_BYTES_MAX = 4_194_304

export interface FileEntry {
  name: string
  /** The effect that wrote it: what an earlier one writes late must not replace it. */
  seq: number
  /** When it was written, ms since the epoch. */
  at: number
  /** Of its content, a text as UTF-8. */
  bytes: number
}
export interface StoredFile extends FileEntry {
  content: string
}
/** `name` is a file name, `content` well-formed. */
export type FileWrite = Pick<StoredFile, 'name' | 'seq' | 'content'>
/** Where there is no room nothing was changed. */
export type FileWritten = 'written' | 'file_too_large' | 'too_many_files'

/** Not `.` or `..`, which lead elsewhere. */
export const FILE_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/

/** One segment of a path that leads nowhere else; null: it is none. A `./` in front is how models say "here". */
export function fileName(text: string): string | null {
  const name = text.trim().replace(/^(?:\.\/)+/, '')
  return FILE_NAME.test(name) ? name : null
}

/** What becomes of a file among those there are; the one it replaces makes room. */
export function roomFor(files: readonly FileEntry[], { name, content }: FileWrite): FileWritten {
  const bytes = utf8Bytes(content)
  if (bytes > FILE_BYTES_MAX) return 'file_too_large'
  const others = files.filter((file) => file.name !== name)
  const total = others.reduce((sum, file) => sum + file.bytes, bytes)
  return others.length >= FILES_MAX || total > FILES_BYTES_MAX ? 'too_many_files' : 'written'
}
