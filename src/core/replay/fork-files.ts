/**
 * The files that a fork begins with. Files of `write_file` are written again from the rows, as they were after the last row of
 * the fork. A write whose row says that it failed, or whose outcome is unknown, is left out. Files that no row contains, from
 * clients and from other tools, are copied as the parent has them now.
 */
import { findClientTool } from '../engine/tools/offered-tools.ts'
import type { Fact, Recall } from '../terms/effect.ts'
import { parseFileWrite } from '../terms/files/file-input.ts'
import { checkFileRoom, type FileRow, type StoredFile } from '../terms/files/files.ts'
import type { OutcomeEdit } from './fork-edit.ts'
import type { PastRow } from './past-row.ts'
import type { Head } from '../terms/head.ts'
import { inputAt } from './history.ts'
import { briefOf } from '../mode/mode.ts'
import { utf8Bytes } from '../terms/text.ts'

/** A row of the fork that wrote a file, and the head that chose its effect. */
export interface FileWriteRow {
  row: PastRow
  before: Head
}

/** Whether a tool with the name `write_file` reported success. It may still be a tool of the client with this name. */
export const wroteFile = ({ effect, event }: Pick<PastRow, 'effect' | 'event'>): boolean =>
  effect?.kind === 'run_tool' && effect.tool === 'write_file' && event.kind === 'tool_returned' && event.ok

/** The files that the rows wrote. `rows` have to be in order. */
export function filesFromRows(rows: readonly FileWriteRow[], recall: Recall): StoredFile[] {
  const files = new Map<string, StoredFile>()
  if (rows.length === 0 || findClientTool(briefOf(recall), 'write_file') !== null) return []
  for (const { row, before } of rows) {
    const file = fileOf(row, inputAt(before, recall) ?? '')
    // An edit may turn a write that had no room into a successful one.
    if (file !== null && checkFileRoom([...files.values()], file) === 'written') files.set(file.name, file)
  }
  return [...files.values()]
}

function fileOf({ seq, closed_at: at }: PastRow, input: string): StoredFile | null {
  const write = parseFileWrite(input)
  if (!write.ok) return null
  const { name, content } = write
  return { name, seq, at, bytes: utf8Bytes(content), source: 'tool', blob: null, content }
}

/**
 * Whether a file is copied as it is. All files of the client are. A file of a tool is if its row, up to `at`, does not contain
 * the content. `factOfWrite` reads the row that wrote the file. `outcome` replaces the outcome of row `at`.
 */
export function copiesFile(
  { source, seq }: FileRow,
  factOfWrite: () => Fact,
  at: number,
  outcome: OutcomeEdit | null,
): boolean {
  if (source === 'client') return true
  if (seq > at || (seq === at && outcome?.ok === false)) return false
  const { effect, event } = factOfWrite()
  return effect?.kind === 'run_tool' && effect.tool !== 'write_file' && event.kind === 'tool_returned'
}

/**
 * Merges copied files with those from the rows. A copied file is dropped if a row up to `at` has written it later. No file
 * has a seq above `at`, so that later effects of the fork can replace it.
 */
export function mergeFiles(copied: readonly StoredFile[], derived: readonly StoredFile[], at: number): StoredFile[] {
  const files = new Map(derived.map((file) => [file.name, file]))
  for (const file of copied) {
    const other = files.get(file.name)
    if (other === undefined || (file.seq <= at && file.seq >= other.seq))
      files.set(file.name, { ...file, seq: Math.min(file.seq, at) })
  }
  return [...files.values()]
}
