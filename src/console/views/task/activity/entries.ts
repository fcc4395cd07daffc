/** Events as a reader follows them: one entry for what belongs together. A fold, so that more events cost no more than themselves. */
import type { Envelope } from '../../../api/wire.ts'
import type { ItemTitle } from '../plan/changes.ts'
import { entryOfEvent, entryBase, itemTitlesIn, type Entry } from './event-entry.ts'
import { flag, text, textOrNull } from '../payload.ts'

export interface ActivityLog {
  entries: readonly Entry[]
  /** Up to this event. */
  seq: number
  /** The list as it was told last, and the items of it that are over: those leave without having been removed. */
  plan: readonly ItemTitle[]
  over: ReadonlySet<string>
}
export const EMPTY_LOG: ActivityLog = { entries: [], seq: 0, plan: [], over: new Set() }

/** With the events that are new; entries that stay the same are the same objects. */
export function addEvents(before: ActivityLog, events: readonly Envelope[]): ActivityLog {
  const fresh = events.slice(firstAfter(events, before.seq))
  if (fresh.length === 0) return before
  // Copied once for all of them, then written to.
  const entries = [...before.entries]
  let { plan, over } = before
  for (const event of fresh) {
    if (event.type === 'action_finished') finish(entries, event)
    else {
      if (ENDS_ACTIONS.has(event.type)) giveUp(entries)
      const entry = entryOfEvent(event, plan, over)
      if (entry !== null) entries.push(entry)
    }
    plan = planAfter(event, plan)
    over = overAfter(event, over)
  }
  return { entries, seq: fresh.at(-1)?.seq ?? before.seq, plan, over }
}

/** They come by seq without gaps, so the new ones are at the end. */
function firstAfter(events: readonly Envelope[], seq: number): number {
  let index = events.length
  while (index > 0 && (events[index - 1]?.seq ?? 0) > seq) index -= 1
  return index
}

/** Behind these no running action ends any more that anyone would be told of. */
const ENDS_ACTIONS = new Set(['thought_decided', 'llm_thinking', 'task_completed', 'task_failed', 'task_canceled'])

/** Open actions are among the newest few entries; the calls of a reply are no more than 32. */
const OPEN_WITHIN = 100

function finish(entries: Entry[], event: Envelope): void {
  const { payload } = event
  const [tool, item_id] = [text(payload, 'tool'), textOrNull(payload, 'item_id')]
  const state = flag(payload, 'ok') ? ('success' as const) : ('error' as const)
  const ended = { state, result: text(payload, 'text'), finished_at: event.at }
  // Calls are made in their order; one that was given up is meant only where none is running.
  const index = [openAt(entries, 'running', tool, item_id), openAt(entries, 'unknown', tool, item_id)].find(
    (found) => found !== -1,
  )
  const entry = entries[index ?? -1]
  if (index !== undefined && entry?.kind === 'action') entries[index] = { ...entry, ...ended }
  // One that was never started: it was not approved.
  else entries.push({ ...entryBase(event), kind: 'action', tool, item_id, input: null, ...ended })
}

function openAt(entries: readonly Entry[], state: 'running' | 'unknown', tool: string, item_id: string | null): number {
  const first = Math.max(0, entries.length - OPEN_WITHIN)
  const found = entries.slice(first).findIndex((entry) => {
    const isOpen = entry.kind === 'action' && entry.state === state
    return isOpen && entry.tool === tool && entry.item_id === item_id
  })
  return found === -1 ? -1 : first + found
}

function giveUp(entries: Entry[]): void {
  for (let index = Math.max(0, entries.length - OPEN_WITHIN); index < entries.length; index += 1) {
    const entry = entries[index]
    if (entry?.kind === 'action' && entry.state === 'running') entries[index] = { ...entry, state: 'unknown' }
  }
}

function planAfter({ type, payload }: Envelope, plan: readonly ItemTitle[]): readonly ItemTitle[] {
  return type.startsWith('plan_') || type === 'tasks_updated' ? itemTitlesIn(type, payload) : plan
}

function overAfter({ type, payload }: Envelope, over: ReadonlySet<string>): ReadonlySet<string> {
  if (type !== 'item_completed' && type !== 'item_failed') return over
  return new Set([...over, text(payload, 'item_id'), text(payload, 'title')])
}

export const ENTRY_FILTERS = ['all', 'thoughts', 'actions', 'plan'] as const
export type EntryFilter = (typeof ENTRY_FILTERS)[number]
const SHOWN: Record<Exclude<EntryFilter, 'all'>, readonly Entry['kind'][]> = {
  thoughts: ['thought'],
  actions: ['action'],
  plan: ['plan', 'item'],
}
/** More would make the page slow, and is seldom read. */
export const VISIBLE_MAX = 200

export const filterEntries = (entries: readonly Entry[], filter: EntryFilter) =>
  filter === 'all' ? entries : entries.filter(({ kind }) => SHOWN[filter].includes(kind))

/** The newest `most`; `held`: the seq of an entry that is being read and must not go, null: none. */
export function visibleEntries(entries: readonly Entry[], most: number, held: number | null) {
  const newest = Math.max(0, entries.length - most)
  const kept = held === null ? -1 : entries.findIndex(({ seq }) => seq >= held)
  // As many again may come while somebody reads.
  const first = kept === -1 ? newest : Math.min(newest, Math.max(kept, entries.length - 2 * most, 0))
  return { drawn: entries.slice(first), earlier: first }
}
