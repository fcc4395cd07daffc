/** What the ending of a file's name says: its type for whoever fetches it, whether it is text, and whether a client may put it. */

const MIB = 1_048_576
/** Of one blob, whoever writes it. */
export const BLOB_BYTES_MAX = 50 * MIB
/** A spreadsheet is unpacked as a whole, and takes many times its size in memory. */
const SPREADSHEET_BYTES_MAX = 10 * MIB

/** Where code of all runs saves its results: what a client put there would be lost, and it is no dataset to begin with. */
export const RESULTS = 'result.json'

/** Tables come in whatever encoding their program has: none is named for them. */
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
}
const UNKNOWN = 'application/octet-stream'
const BINARY: ReadonlySet<string> = new Set(['xlsx', 'xls', 'png'])

/** What a client may put, and how much of it. */
const UPLOADS: Readonly<Record<string, number>> = {
  csv: BLOB_BYTES_MAX,
  tsv: BLOB_BYTES_MAX,
  json: BLOB_BYTES_MAX,
  xlsx: SPREADSHEET_BYTES_MAX,
  xls: SPREADSHEET_BYTES_MAX,
}
export const UPLOAD_ENDINGS: readonly string[] = Object.keys(UPLOADS)
export const UPLOAD_TYPES: readonly string[] = UPLOAD_ENDINGS.map((ending) => TYPES[ending] ?? UNKNOWN)

/** In lower case, without its dot; empty where there is none. */
export function endingOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
}
const found = <T>(table: Readonly<Record<string, T>>, ending: string): T | undefined =>
  Object.hasOwn(table, ending) ? table[ending] : undefined

export const contentTypeOf = (name: string): string => found(TYPES, endingOf(name)) ?? UNKNOWN

/** What no reader of text can show, by its name; what is not known may be text. */
export const isBinary = (name: string): boolean => BINARY.has(endingOf(name))

/** Whether tools for tables read it. */
export const isDataset = (name: string): boolean => uploadBytesMax(name) !== null

/** null: a client may not put such a file. */
export const uploadBytesMax = (name: string): number | null => found(UPLOADS, endingOf(name)) ?? null
