/** What the ending of a file name decides: its content type, whether it is text, and whether a client may upload it. */

const MIB = 1_048_576
/** A text is stored in one row of SQLite, for which the platform allows 2 MB. */
export const FILE_BYTES_MAX = 262_144
/** The size of one blob, from a client or from a tool. */
export const BLOB_BYTES_MAX = 50 * MIB
/** A spreadsheet is unpacked as a whole. In memory it takes many times its size. */
const SPREADSHEET_BYTES_MAX = 10 * MIB
/** An image is sent to a model as a whole, and providers take no larger one. */
export const IMAGE_BYTES_MAX = 5 * MIB

/** The file in which code saves its results. A client may not upload it, because the next run would overwrite it. */
export const RESULT_FILE = 'result.json'

/** The tables name no charset, because each program writes them in an encoding of its own. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
}
const UNKNOWN = 'application/octet-stream'
const BINARY: ReadonlySet<string> = new Set(['xlsx', 'xls', 'png', 'jpg', 'jpeg', 'webp', 'gif'])

/** The endings of datasets, each with the maximum size of an upload. */
const DATASET_BYTES_MAX: Readonly<Record<string, number>> = {
  csv: BLOB_BYTES_MAX,
  tsv: BLOB_BYTES_MAX,
  json: BLOB_BYTES_MAX,
  xlsx: SPREADSHEET_BYTES_MAX,
  xls: SPREADSHEET_BYTES_MAX,
}
export const DATASET_ENDINGS: readonly string[] = Object.keys(DATASET_BYTES_MAX)

/** The endings of files that a client may upload, each with its maximum size. A larger text could not be shown to a model. */
const UPLOAD_BYTES_MAX: Readonly<Record<string, number>> = {
  ...DATASET_BYTES_MAX,
  md: FILE_BYTES_MAX,
  txt: FILE_BYTES_MAX,
  png: IMAGE_BYTES_MAX,
  jpg: IMAGE_BYTES_MAX,
  jpeg: IMAGE_BYTES_MAX,
  webp: IMAGE_BYTES_MAX,
  gif: IMAGE_BYTES_MAX,
}
export const UPLOAD_ENDINGS: readonly string[] = Object.keys(UPLOAD_BYTES_MAX)
export const UPLOAD_TYPES: readonly string[] = [...new Set(UPLOAD_ENDINGS.map((ending) => TYPES[ending] ?? UNKNOWN))]

/** The ending in lower case, without its dot. It is empty if the name has none. */
export function endingOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
}
const ownEntry = <T>(table: Readonly<Record<string, T>>, ending: string): T | undefined =>
  Object.hasOwn(table, ending) ? table[ending] : undefined

export const contentTypeOf = (name: string): string => ownEntry(TYPES, endingOf(name)) ?? UNKNOWN

/** Whether the file cannot be shown as text. A file with an unknown ending may be text. */
export const isBinary = (name: string): boolean => BINARY.has(endingOf(name))

/** Whether the tools for tables read the file. */
export const isDataset = (name: string): boolean => Object.hasOwn(DATASET_BYTES_MAX, endingOf(name))

/** The maximum size of an upload in bytes. null: a client may not upload such a file. */
export const uploadBytesMax = (name: string): number | null => ownEntry(UPLOAD_BYTES_MAX, endingOf(name)) ?? null

/** Whether a client may upload a file of this name. */
export const mayUpload = (name: string): boolean => uploadBytesMax(name) !== null && name !== RESULT_FILE
