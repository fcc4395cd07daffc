/** The texts of the file tools, in the language of the task. */
import type { Locale } from '../core/terms/locale.ts'
import { FILES_BYTES_MAX, FILES_MAX, type FileEntry } from '../core/terms/files/files.ts'
import {
  BLOB_BYTES_MAX,
  FILE_BYTES_MAX,
  IMAGE_BYTES_MAX,
  isDataset,
  mayUpload,
} from '../core/terms/files/file-types.ts'
import { IMAGE_SIDE_MAX, type ImageRef } from '../core/terms/files/images.ts'
import { nameList, nearestName } from '../core/terms/values/known-names.ts'

/** The shown part of a file: characters from `from` (0-based) to before `to`, of `length` in all. */
interface FilePart {
  name: string
  from: number
  to: number
  length: number
}

const KIB = 1024
const MIB = 1_048_576

const EN = {
  name: (tool: string) =>
    `Usage: ${tool} needs {"name":"…"}: 1 to 128 letters, digits, ".", "_" or "-", without folders; not "." or ".."`,
  content: 'Usage: write_file needs {"name":"…","content":"…"}: the content is the whole text of the file',
  range: 'Usage: offset is a whole number from 0 on, limit one from 1 on; both count characters',
  /** `known`: the files there are. A person can put files of some endings only. */
  notFound: (name: string, known: readonly string[], task: string) => {
    const nearest = nearestName(name, known)
    const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`
    const files = known.length === 0 ? 'The task has no files.' : `Files: ${nameList(known)}.`
    const put = mayUpload(name) ? ` A person can put it with PUT /tasks/${task}/files/${name}; ask for it.` : ''
    return `There is no file "${name}".${hint} ${files}${put}`
  },
  empty: (name: string) => `The file "${name}" is empty.`,
  part: ({ name, from, to, length }: FilePart) =>
    `[${name}: characters ${from} to ${to} of ${length}${to < length ? `, cut; go on with offset ${to}` : ''}]`,
  behind: ({ name, from, length }: FilePart) =>
    `The file "${name}" has ${length} characters, none from offset ${from} on.`,
  written: (name: string, bytes: number) => `Wrote "${name}" (${bytes} bytes).`,
  textTooLarge: (bytes: number) =>
    `Not written: ${bytes} bytes are too many for one file, at most ${FILE_BYTES_MAX / KIB} KiB. Write it in several files.`,
  too_many_files: `Not written: a task has at most ${FILES_MAX} files and ${FILES_BYTES_MAX / MIB} MiB in all. Write over one that is no longer needed.`,
  file_too_large: `Not written: a file has at most ${BLOB_BYTES_MAX / MIB} MiB.`,
  file_reserved: 'Not written: the task keeps a document of this name by itself. Take another name.',
  quota_exceeded:
    'Not written: the files of all tasks together take all the room there is. Make it smaller, or go on without it.',
  no_blob_storage: `Not written: there is no storage for files that are no text of up to ${FILE_BYTES_MAX / KIB} KiB.`,
  /** For a file that cannot be shown as text. */
  notText: ({ name, bytes, content_type }: FileEntry) =>
    `The file "${name}" (${content_type}, ${bytes} bytes) is no text of up to ${FILE_BYTES_MAX / KIB} KiB and is not shown. ${isDataset(name) ? 'Where they are offered, read_dataset describes it and run_code computes with it.' : 'Whoever asked for it can fetch it.'}`,
  image: ({ name, media_type, width, height, bytes }: ImageRef) =>
    `${name}: ${media_type}, ${width} × ${height} pixels, ${bytes} bytes`,
  imageTooLarge: ({ name, bytes }: FileEntry) =>
    `The image "${name}" has ${bytes} bytes and is not shown: an image has at most ${IMAGE_BYTES_MAX / MIB} MiB.`,
  notAnImage: (name: string) =>
    `The file "${name}" is not shown: it is no image of the type that its name ends with, of at most ${IMAGE_SIDE_MAX} pixels on each side.`,
  none: 'There are no files.',
  entry: ({ name, bytes }: FileEntry) => `- ${name} (${bytes} bytes)`,
}
export type FileWords = typeof EN

const ZH: FileWords = {
  name: (tool) => `用法: ${tool} 需要 {"name":"…"}：1 到 128 个字母、数字或 . _ -，不含目录，且不能是 . 或 ..`,
  content: '用法: write_file 需要 {"name":"…","content":"…"}：content 为文件的全部文本',
  range: '用法: offset 为不小于 0 的整数，limit 为不小于 1 的整数，单位均为字符',
  notFound: (name, known, task) => {
    const nearest = nearestName(name, known)
    const hint = nearest === null ? '' : `是否指“${nearest}”？`
    const files = known.length === 0 ? '本任务没有文件。' : `已有文件：${nameList(known)}。`
    const put = mayUpload(name) ? `用户可以用 PUT /tasks/${task}/files/${name} 上传；请向用户索取。` : ''
    return `没有文件“${name}”。${hint}${files}${put}`
  },
  empty: (name) => `文件“${name}”是空的。`,
  part: ({ name, from, to, length }) =>
    `[${name}：共 ${length} 个字符，以下为第 ${from} 到 ${to} 个${to < length ? `，已截断；请从 offset ${to} 继续` : ''}]`,
  behind: ({ name, from, length }) => `文件“${name}”共 ${length} 个字符，offset ${from} 之后没有内容。`,
  written: (name, bytes) => `已写入“${name}”（${bytes} 字节）。`,
  textTooLarge: (bytes) =>
    `未写入：单个文件最多 ${FILE_BYTES_MAX / KIB} KiB，而内容有 ${bytes} 字节。请分成多个文件写入。`,
  too_many_files: `未写入：一个任务最多 ${FILES_MAX} 个文件，共 ${FILES_BYTES_MAX / MIB} MiB。请覆盖不再需要的文件。`,
  file_too_large: `未写入：单个文件最多 ${BLOB_BYTES_MAX / MIB} MiB。`,
  file_reserved: '未写入：该名称的文档由任务自行维护。请换一个名称。',
  quota_exceeded: '未写入：所有任务的文件已用完全部空间。请缩小文件，或在没有它的情况下继续。',
  no_blob_storage: `未写入：只能存放不超过 ${FILE_BYTES_MAX / KIB} KiB 的文本，没有可存放其他文件的空间。`,
  notText: ({ name, bytes, content_type }) =>
    `文件“${name}”（${content_type}，${bytes} 字节）不是 ${FILE_BYTES_MAX / KIB} KiB 以内的文本，无法显示。${isDataset(name) ? '若提供了相应工具，可用 read_dataset 查看其结构，用 run_code 对其计算。' : '提出任务的人可以直接下载它。'}`,
  image: ({ name, media_type, width, height, bytes }) =>
    `${name}：${media_type}，${width} × ${height} 像素，${bytes} 字节`,
  imageTooLarge: ({ name, bytes }) =>
    `图片“${name}”有 ${bytes} 字节，无法显示：一张图片最多 ${IMAGE_BYTES_MAX / MIB} MiB。`,
  notAnImage: (name) => `文件“${name}”无法显示：它不是其扩展名所示类型的图片，或边长超过 ${IMAGE_SIDE_MAX} 像素。`,
  none: '没有文件。',
  entry: ({ name, bytes }) => `- ${name}（${bytes} 字节）`,
}

export const FILE_WORDS: Record<Locale, FileWords> = { en: EN, zh: ZH }
