/** Turns events into entries, one for events that belong together. It only adds new events, so old ones cost nothing again. */
import type { Envelope } from '../../../api/wire.ts'
import type { ItemTitle } from '../plan/changes.ts'
import { entryOfEvent, entryBase, itemTitlesIn, type Entry } from './event-entry.ts'
import { flag, text, textOrNull } from '../payload.ts'

export interface ActivityLog {
  entries: readonly Entry[]
  /** The last event that is part of the log. */
  seq: number
  /** The latest list of the plan, and its finished items. Finished items leave the list without being removed. */
  plan: readonly ItemTitle[]
  over: ReadonlySet<string>
}
export const EMPTY_LOG: ActivityLog = { entries: [], seq: 0, plan: [], over: new Set() }

/** Adds the new events. Unchanged entries stay the same objects. */
export function addEvents(before: ActivityLog, events: readonly Envelope[]): ActivityLog {
  const fresh = events.slice(firstAfter(events, before.seq))
  if (fresh.length === 0) return before
  // The list is copied once for all new events.
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

/** Events are in the order of `seq`, so new ones are at the end. */
function firstAfter(events: readonly Envelope[], seq: number): number {
  let index = events.length
  while (index > 0 && (events[index - 1]?.seq ?? 0) > seq) index -= 1
  return index
}

/** After one of these events no event tells how a running action ended. */
const ENDS_ACTIONS = new Set(['thought_decided', 'llm_thinking', 'task_completed', 'task_failed', 'task_canceled'])

/** Open actions are among the newest entries, because a reply has at most 32 calls. */
const OPEN_WITHIN = 100

function finish(entries: Entry[], event: Envelope): void {
  const { payload } = event
  const [tool, item_id] = [text(payload, 'tool'), textOrNull(payload, 'item_id')]
  const state = flag(payload, 'ok') ? ('success' as const) : ('error' as const)
  const result = { state, result: text(payload, 'text'), finished_at: event.at }
  // Calls run in their order. An action that was given up matches only if none is running.
  const index = [openAt(entries, 'running', tool, item_id), openAt(entries, 'unknown', tool, item_id)].find(
    (found) => found !== -1,
  )
  const entry = entries[index ?? -1]
  if (index !== undefined && entry?.kind === 'action') entries[index] = { ...entry, ...result }
  // An action that was not approved ends without a start.
  else entries.push({ ...entryBase(event), kind: 'action', tool, item_id, input: null, ...result })
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
const KINDS_SHOWN: Record<Exclude<EntryFilter, 'all'>, readonly Entry['kind'][]> = {
  thoughts: ['thought'],
  actions: ['action'],
  plan: ['plan', 'item'],
}
/** More entries would make the page slow. */
export const VISIBLE_MAX = 200

export const filterEntries = (entries: readonly Entry[], filter: EntryFilter) =>
  filter === 'all' ? entries : entries.filter(({ kind }) => KINDS_SHOWN[filter].includes(kind))

/** Returns the newest `most` entries. `held` is the seq of an entry that is being read and must stay; null if none. */
export function visibleEntries(entries: readonly Entry[], most: number, held: number | null) {
  const newest = Math.max(0, entries.length - most)
  const heldIndex = held === null ? -1 : entries.findIndex(({ seq }) => seq >= held)
  // While somebody reads, the list may grow to twice its length.
  const first = heldIndex === -1 ? newest : Math.min(newest, Math.max(heldIndex, entries.length - 2 * most, 0))
  return { drawn: entries.slice(first), earlier: first }
}
