/**
 * The files that a fork begins with: as they were after its last row, written again from what the rows say. A write whose row says
 * that it failed, or that nobody knows, is not among them, whatever came of it in the parent.
 */
import { clientTool } from './offered-tools.ts'
import type { Recall } from './effect.ts'
import { writingIn } from './file-input.ts'
import { roomFor, type StoredFile } from './files.ts'
import type { PastRow } from './fork.ts'
import type { Head } from './head.ts'
import { inputAt } from './history.ts'
import { briefOf } from './mode.ts'
import { utf8Bytes } from './text.ts'

/** A row of the fork, and the head that its effect was chosen at. */
export interface Written {
  row: PastRow
  before: Head
}

/** Whether a tool named like that wrote a file, and says so; a client's own of that name is another one. */
export const mayHaveWritten = ({ effect, event }: Pick<PastRow, 'effect' | 'event'>): boolean =>
  effect?.kind === 'run_tool' && effect.tool === 'write_file' && event.kind === 'tool_returned' && event.ok

/** `rows` in order. */
export function forkFiles(rows: readonly Written[], recall: Recall): StoredFile[] {
  const files = new Map<string, StoredFile>()
  if (rows.length === 0 || clientTool(briefOf(recall), 'write_file') !== null) return []
  for (const { row, before } of rows) {
    const file = fileOf(row, inputAt(before, recall) ?? '')
    // An edit may say of a write that had no room that it was done.
    if (file !== null && roomFor([...files.values()], file) === 'written') files.set(file.name, file)
  }
  return [...files.values()]
}

function fileOf({ seq, closed_at: at }: PastRow, input: string): StoredFile | null {
  const wanted = writingIn(input)
  if (!wanted.ok) return null
  const { name, content } = wanted
  return { name, seq, at, bytes: utf8Bytes(content), content }
}
