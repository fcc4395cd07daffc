/** A file that a task waits for: which files will do, and which its client has named. */
import type { Brief } from '../terms/effect.ts'
import { endingOf } from '../terms/files/file-types.ts'
import { namesFile } from '../terms/files/files.ts'

/** A file that a task lacks and waits for. */
export interface FileRequest {
  /** The row that found the file missing. */
  row: number
  request_id: string
  /** The name the file must have. null: any file of these endings will do. */
  name: string | null
  /** The endings of the files that the mode can work with. */
  endings: readonly string[]
}

/** Whether the client knows a file by this name, because its goal, its settings or one of its later texts name it. */
export function isNamedByClient(
  { goal, settings }: Pick<Brief, 'goal' | 'settings'>,
  name: string,
  later_texts: Iterable<string> = [],
): boolean {
  if (name === settings.dataset || namesFile(goal, name)) return true
  for (const text of later_texts) if (namesFile(text, name)) return true
  return false
}

/** Whether the mode that asks for a file can work with one of this name. */
export const isUsable = ({ endings }: Pick<FileRequest, 'endings'>, name: string): boolean =>
  endings.includes(endingOf(name))

/** Whether a file is the one that is asked for. */
export const isRequested = (request: Pick<FileRequest, 'name' | 'endings'>, name: string): boolean =>
  request.name === null ? isUsable(request, name) : name === request.name
