/** Datasets for tests: files from texts and bytes, the results of reading them, and files of a task as the tool sees them. */
import { fileEntry } from '../../src/core/terms/files/files.ts'
import { loadColumns } from '../../src/datasets/columns.ts'
import { summarizeDataset, type DatasetSummary } from '../../src/datasets/summary.ts'
import type { DatasetError, DatasetNote, ColumnTable } from '../../src/datasets/table.ts'
import type { Files, OpenFile } from '../../src/shell/ports.ts'

export type Content = string | Uint8Array
export const bytesOf = (content: Content): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content

/** The bytes come in chunks of this size, as over a network. */
export function fileOf(name: string, content: Content, chunk = 65_536): OpenFile {
  const bytes = bytesOf(content)
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + chunk))
      at += chunk
    },
  })
  return { entry: fileEntry({ name, seq: 1, at: 0, bytes: bytes.length, source: 'client', blob: null }), body }
}

export async function summaryFrom(
  name: string,
  content: Content,
  { preview = 5, sheet = null, chunk }: { preview?: number; sheet?: string | number | null; chunk?: number } = {},
): Promise<DatasetSummary> {
  const read = await summarizeDataset(fileOf(name, content, chunk), sheet, preview)
  if (!read.ok) throw new Error(`unread: ${JSON.stringify(read.error)}`)
  return read.value
}

export async function flawFrom(
  name: string,
  content: Content,
  sheet: string | number | null = null,
): Promise<DatasetError> {
  const read = await summarizeDataset(fileOf(name, content), sheet, 5)
  if (read.ok) throw new Error(`read: ${JSON.stringify(read.value).slice(0, 500)}`)
  return read.error
}

export async function columnsFrom(
  name: string,
  content: Content,
): Promise<{ columns: ColumnTable; notes: DatasetNote[] }> {
  const read = await loadColumns(fileOf(name, content), null)
  if (!read.ok) throw new Error(`unread: ${JSON.stringify(read.error)}`)
  return read.value
}

/** The cells of a column, with null for missing ones. */
export function cellsOf({ columns }: ColumnTable, name: string): (number | string | null)[] {
  const column = columns.find((one) => one.name === name)
  if (column === undefined) throw new Error(`no column ${name}`)
  if ('values' in column) return [...column.values].map((value) => (Number.isNaN(value) ? null : value))
  return [...column.codes].map((code) => (code === 0 ? null : (column.words[code - 1] ?? null)))
}

export function filesOf(contents: Record<string, Content>): Files {
  return {
    list: () =>
      Promise.resolve({
        ok: true,
        value: Object.entries(contents).map(([name, content]) => fileOf(name, content).entry),
      }),
    open: (_of, name) => {
      const content = contents[name]
      return Promise.resolve({ ok: true, value: content === undefined ? null : fileOf(name, content) })
    },
    write: () => Promise.reject(new Error('nothing is written here')),
  }
}
