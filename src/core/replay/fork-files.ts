/**
 * The files that a fork begins with. What `write_file` wrote is written again from what the rows say, as it was after its last row: a
 * write whose row says that it failed, or that nobody knows, is not among them, whatever came of it in the parent. What no row can
 * tell – what a client put, what other tools made – is copied as the parent has it now.
 */
import { findClientTool } from '../engine/offered-tools.ts'
import type { Fact, Recall } from '../terms/effect.ts'
import { parseFileWrite } from '../terms/files/file-input.ts'
import { checkFileRoom, type FileRow, type StoredFile } from '../terms/files/files.ts'
import type { OutcomeEdit } from './fork-edit.ts'
import type { PastRow } from './past-row.ts'
import type { Head } from '../terms/head.ts'
import { inputAt } from './history.ts'
import { briefOf } from '../mode/mode.ts'
import { utf8Bytes } from '../terms/text.ts'

/** A row of the fork, and the head that its effect was chosen at. */
export interface WritingRow {
  row: PastRow
  before: Head
}

/** Whether a tool named like that wrote a file, and says so; a client's own of that name is another one. */
export const mayHaveWritten = ({ effect, event }: Pick<PastRow, 'effect' | 'event'>): boolean =>
  effect?.kind === 'run_tool' && effect.tool === 'write_file' && event.kind === 'tool_returned' && event.ok

/** `rows` in order. */
export function forkFiles(rows: readonly WritingRow[], recall: Recall): StoredFile[] {
  const files = new Map<string, StoredFile>()
  if (rows.length === 0 || findClientTool(briefOf(recall), 'write_file') !== null) return []
  for (const { row, before } of rows) {
    const file = fileOf(row, inputAt(before, recall) ?? '')
    // An edit may say of a write that had no room that it was done.
    if (file !== null && checkFileRoom([...files.values()], file) === 'written') files.set(file.name, file)
  }
  return [...files.values()]
}

function fileOf({ seq, closed_at: at }: PastRow, input: string): StoredFile | null {
  const wanted = parseFileWrite(input)
  if (!wanted.ok) return null
  const { name, content } = wanted
  return { name, seq, at, bytes: utf8Bytes(content), source: 'tool', blob: null, content }
}

/**
 * Whether a file is copied as it is: of the client's all, of tools' those of rows up to `at` that do not say how they wrote it. `wrote`:
 * the row of its seq; `outcome`: what the row `at` is to say instead.
 */
export function isCopied(
  { source, seq }: FileRow,
  wrote: () => Fact,
  at: number,
  outcome: OutcomeEdit | null,
): boolean {
  if (source === 'client') return true
  if (seq > at || (seq === at && outcome?.ok === false)) return false
  const { effect, event } = wrote()
  return effect?.kind === 'run_tool' && effect.tool !== 'write_file' && event.kind === 'tool_returned'
}

/** By name: what was copied, unless a row up to `at` has written it again since. No later effect of the fork is older than its files. */
export function beginningWith(copied: readonly StoredFile[], derived: readonly StoredFile[], at: number): StoredFile[] {
  const files = new Map(derived.map((file) => [file.name, file]))
  for (const file of copied) {
    const other = files.get(file.name)
    if (other === undefined || (file.seq <= at && file.seq >= other.seq))
      files.set(file.name, { ...file, seq: Math.min(file.seq, at) })
  }
  return [...files.values()]
}
