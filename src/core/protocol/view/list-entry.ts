/** What the index of a workspace keeps of a task for lists (U25, U43): the entry as the task showed it, as bounded JSON. */
import type { StoredTaskView } from './stored-task-view.ts'

/** A task as its object shows it, without what no list shows. */
export type ListEntry = Omit<StoredTaskView, 'plan' | 'last_thought' | 'handover' | 'spend' | 'command'> & {
  plan: Omit<StoredTaskView['plan'], 'items'>
}

/** `text` null: the entry is too long to be kept, and is read from its task whenever it is listed. */
export interface ListedText {
  /** When the task was as the text says, in ms. */
  as_of: number
  text: string | null
}

/** A hundred of them are one answer to whoever lists them, and it must fit into a call of an object. */
export const LISTED_CHARS_MAX = 65_536

/** Raised when the shape of an entry changes: texts of another format are read from their tasks anew. */
const FORMAT = 2

export function listedOf(seen: StoredTaskView): ListEntry {
  const { last_thought: _thought, handover: _handover, spend: _spend, command: _command, plan, ...rest } = seen
  const { items: _items, ...shown } = plan
  const { pending } = rest
  // A list has no link to answer by, and what such a link is made of is kept in no second place.
  if (pending?.kind !== 'question') return { ...rest, plan: shown }
  return { ...rest, plan: shown, pending: { ...pending, link: null } }
}

export function listedText(seen: StoredTaskView, as_of: number): ListedText {
  const text = JSON.stringify({ format: FORMAT, entry: listedOf(seen) })
  return { as_of, text: text.length > LISTED_CHARS_MAX ? null : text }
}

/** null: there is none of this release. */
export function readListed(text: string | null): ListEntry | null {
  if (text === null) return null
  const { format, entry }: { format: unknown; entry: ListEntry } = JSON.parse(text)
  return format === FORMAT ? entry : null
}

/** What counts down goes on counting: an entry was true at `as_of`. */
export function countDown(entry: ListEntry, as_of: number, now_ms: number): ListEntry {
  if (entry.retry_after_ms === null) return entry
  const left = entry.retry_after_ms - Math.max(0, now_ms - as_of)
  return { ...entry, retry_after_ms: left > 0 ? left : null }
}
