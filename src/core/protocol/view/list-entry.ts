/** The entry of a task in the index of its workspace, for lists (U25, U43). It is stored as bounded JSON. */
import type { Outcome } from '../../terms/status.ts'
import type { StoredTaskView } from './stored-task-view.ts'

/** A task as its object shows it, without the members that no list shows. */
export type ListEntry = Omit<
  StoredTaskView,
  'plan' | 'instructions' | 'output_schema' | 'input' | 'last_thought' | 'handover' | 'spend' | 'command'
> & {
  plan: Omit<StoredTaskView['plan'], 'items' | 'finished'>
}

/** A `text` of null means that the entry is too long to be stored. It is then read from the task for each list. */
export interface ListedText {
  /** When the task was as the text says, in ms since the epoch. */
  as_of: number
  text: string | null
}

/** A page of a hundred entries must fit into the answer of one call of an object. */
export const LISTED_CHARS_MAX = 65_536

/** Raise this when the members of an entry change, which a test notices. Entries of another format are read from their tasks again. */
const FORMAT = 9

export function listEntryOf(view: StoredTaskView): ListEntry {
  const {
    last_thought: _thought,
    handover: _handover,
    spend: _spend,
    command: _command,
    plan,
    instructions: _,
    output_schema: _schema,
    input: _input,
    ...rest
  } = view
  const { items: _items, finished: _finished, ...shown } = plan
  const { pending } = rest
  // A list contains no answer link. The parts of such a link are stored nowhere else.
  if (pending?.kind !== 'question') return { ...rest, plan: shown }
  return { ...rest, plan: shown, pending: { ...pending, link: null } }
}

export function listedText(view: StoredTaskView, as_of: number): ListedText {
  const text = JSON.stringify({ format: FORMAT, entry: listEntryOf(view) })
  return { as_of, text: text.length > LISTED_CHARS_MAX ? null : text }
}

/** The stored entry. null: there is none in the current format. */
export function readListEntry(text: string | null): ListEntry | null {
  if (text === null) return null
  const { format, entry }: { format: unknown; entry: ListEntry } = JSON.parse(text)
  return format === FORMAT ? entry : null
}

/** The outcome by which lists are filtered. null: the task has none. */
export const outcomeOf = ({ result }: Pick<ListEntry, 'result'>): Outcome | null => result?.outcome ?? null

/** Reduces the remaining wait of an entry by the time since `as_of`. */
export function countDown(entry: ListEntry, as_of: number, now_ms: number): ListEntry {
  if (entry.retry_after_ms === null) return entry
  const remaining_ms = entry.retry_after_ms - Math.max(0, now_ms - as_of)
  return { ...entry, retry_after_ms: remaining_ms > 0 ? remaining_ms : null }
}
