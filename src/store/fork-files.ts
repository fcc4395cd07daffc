/** What a fork copies of its parent's files, over the parent's rows: texts whole, blobs by name. */
import type { StoredFile } from '../core/terms/files/files.ts'
import type { Outcome } from '../core/replay/fork-edit.ts'
import { isCopied } from '../core/replay/fork-files.ts'
import type { Rows } from './task/task-methods.ts'

export function forkedFiles(rows: Rows, at: number, outcome: Outcome | null): StoredFile[] {
  const copied = rows.files().filter((file) => isCopied(file, () => rows.recall(file.seq), at, outcome))
  return copied.flatMap(({ name }) => rows.file(name) ?? [])
}
