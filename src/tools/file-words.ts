/** What the file tools say, in the language of the task. */
import type { Locale } from '../core/effect.ts'
import { FILE_BYTES_MAX, FILES_BYTES_MAX, FILES_MAX, type FileEntry } from '../core/files.ts'

/** Which characters of how many are shown: from `from` (0-based) to before `to`. */
export interface Part {
  name: string
  from: number
  to: number
  length: number
}

const KIB = 1024
const MIB = 1_048_576

export interface FileWords {
  name: (tool: string) => string
  content: string
  range: string
  notFound: (name: string) => string
  empty: (name: string) => string
  part: (part: Part) => string
  behind: (part: Part) => string
  written: (name: string, bytes: number) => string
  file_too_large: (bytes: number) => string
  too_many_files: string
  none: string
  entry: (file: FileEntry) => string
}

export const FILE_WORDS: Record<Locale, FileWords> = {
  en: {
    name: (tool) =>
      `Usage: ${tool} needs {"name":"…"}: 1 to 128 letters, digits, ".", "_" or "-", without folders; not "." or ".."`,
    content: 'Usage: write_file needs {"name":"…","content":"…"}: the content is the whole text of the file',
    range: 'Usage: offset is a whole number from 0 on, limit one from 1 on; both count characters',
    notFound: (name) => `There is no file "${name}"; list_files shows which there are.`,
    empty: (name) => `The file "${name}" is empty.`,
    part: ({ name, from, to, length }) =>
      `[${name}: characters ${from} to ${to} of ${length}${to < length ? `, cut; go on with offset ${to}` : ''}]`,
    behind: ({ name, from, length }) => `The file "${name}" has ${length} characters, none from offset ${from} on.`,
    written: (name, bytes) => `Wrote "${name}" (${bytes} bytes).`,
    file_too_large: (bytes) =>
      `Not written: ${bytes} bytes are too many for one file, at most ${FILE_BYTES_MAX / KIB} KiB. Write it in several files.`,
    too_many_files: `Not written: a task has at most ${FILES_MAX} files and ${FILES_BYTES_MAX / MIB} MiB in all. Write over one that is no longer needed.`,
    none: 'There are no files.',
    entry: ({ name, bytes }) => `- ${name} (${bytes} bytes)`,
  },
  zh: {
    name: (tool) => `用法: ${tool} 需要 {"name":"…"}：1 到 128 个字母、数字或 . _ -，不含目录，且不能是 . 或 ..`,
    content: '用法: write_file 需要 {"name":"…","content":"…"}：content 为文件的全部文本',
    range: '用法: offset 为不小于 0 的整数，limit 为不小于 1 的整数，单位均为字符',
    notFound: (name) => `没有文件“${name}”；可用 list_files 查看已有文件。`,
    empty: (name) => `文件“${name}”是空的。`,
    part: ({ name, from, to, length }) =>
      `[${name}：共 ${length} 个字符，以下为第 ${from} 到 ${to} 个${to < length ? `，已截断；请从 offset ${to} 继续` : ''}]`,
    behind: ({ name, from, length }) => `文件“${name}”共 ${length} 个字符，offset ${from} 之后没有内容。`,
    written: (name, bytes) => `已写入“${name}”（${bytes} 字节）。`,
    file_too_large: (bytes) =>
      `未写入：单个文件最多 ${FILE_BYTES_MAX / KIB} KiB，而内容有 ${bytes} 字节。请分成多个文件写入。`,
    too_many_files: `未写入：一个任务最多 ${FILES_MAX} 个文件，共 ${FILES_BYTES_MAX / MIB} MiB。请覆盖不再需要的文件。`,
    none: '没有文件。',
    entry: ({ name, bytes }) => `- ${name}（${bytes} 字节）`,
  },
}
