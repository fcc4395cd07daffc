/** Turns one event into an entry of the activity. */
import type { EventType } from '../../../../core/terms/plain/wire-names.ts'
import type { Envelope } from '../../../api/wire.ts'
import { changesOf, type Changes, type ItemTitle } from '../plan/changes.ts'
import { flag, listOf, number, text, textOrNull, type Payload } from '../payload.ts'

/** `running` until an event tells its end. `unknown`: another event came instead. */
type ActionProgress = 'running' | 'success' | 'error' | 'unknown'
interface EntryBase {
  /** The seq of the first event of the entry. */
  seq: number
  at: string
  /** The row of the journal that caused it. */
  row: number | null
}
export type Entry = EntryBase &
  (
    | { kind: 'thought'; phase: string; decision: string | null; text: string; real: boolean | null }
    | {
        kind: 'action'
        tool: string
        item_id: string | null
        input: string | null
        state: ActionProgress
        result: string | null
        finished_at: string | null
      }
    | { kind: 'plan'; what: PlanEvent; changes: Changes; total: number; author: string | null }
    | { kind: 'item'; what: 'item_started' | 'item_completed' | 'item_failed'; title: string }
    | { kind: 'question'; text: string }
    | { kind: 'answer'; text: string }
    | { kind: 'guard'; guard: string; count: number; evidence: string }
    | { kind: 'contract'; phase: string; reason: string }
    | {
        kind: 'budget'
        what: 'budget_exhausted' | 'budget_added'
        axis: string
        amounts: [string | null, string | null]
      }
    | { kind: 'command'; delegation_id: string; command_type: string }
    | { kind: 'report'; delegation_id: string; status: string; text: string }
    | { kind: 'tools'; what: 'action_waiting' | 'tools_listed' | 'tools_unavailable'; name: string; text: string }
    | { kind: 'written'; text: string }
    | { kind: 'turn'; what: string; reason: string }
  )
export type EntryOf<K extends Entry['kind']> = Extract<Entry, { kind: K }>
/** The names of entries, for which the compiler asks a label and a sign. */
export type EntryName =
  | Exclude<Entry['kind'], 'plan' | 'item' | 'tools' | 'turn'>
  | PlanEvent
  | EntryOf<'item' | 'tools'>['what']
  | NamedEvent
/** Returns the name by which the label of an entry is found. A newer service may send events that this page does not know. */
export const entryName = (entry: Entry): string =>
  'what' in entry && entry.kind !== 'budget' ? entry.what : entry.kind
type PlanEvent = Extract<EventType, `plan_${string}` | 'tasks_updated'>

export const entryBase = ({ seq, at, payload }: Envelope): EntryBase => ({
  seq,
  at,
  row: number(payload, 'journal_seq'),
})

/** Returns null if another entry shows the event. `plan` is the list before the event, and `over` its finished items. */
export function entryOfEvent(event: Envelope, plan: readonly ItemTitle[], over: ReadonlySet<string>): Entry | null {
  const { type, payload } = event
  const base = entryBase(event)
  if (isPlanEvent(type)) return planEntry(base, type, payload, plan, over)
  const makers: Readonly<Record<string, Maker | null>> = MAKERS
  return makers[type]?.(base, payload) ?? { ...base, kind: 'turn', what: type, reason: reasonIn(payload) }
}

type Maker = (base: EntryBase, payload: Payload) => Entry
/** The entry of each event. null: it shows the name of the event and a reason. The end of an action changes an earlier entry. */
const MAKERS = {
  task_created: null,
  task_paused: null,
  task_changed: null,
  task_resumed: null,
  task_completed: null,
  task_failed: null,
  task_canceled: null,
  agent_started: null,
  agent_completed: null,
  agent_error: null,
  llm_thinking: (base, payload) => {
    const thinking = text(payload, 'thinking')
    return { ...base, kind: 'thought', phase: 'turn', decision: null, text: thinking, real: flag(payload, 'is_real') }
  },
  thought_decided: thoughtEntry,
  action_started: (base, payload) => ({
    ...base,
    kind: 'action',
    tool: text(payload, 'tool'),
    item_id: textOrNull(payload, 'item_id'),
    input: text(payload, 'input'),
    state: 'running',
    result: null,
    finished_at: null,
  }),
  item_started: (base, payload) => ({ ...base, kind: 'item', what: 'item_started', title: text(payload, 'title') }),
  item_completed: (base, payload) => ({ ...base, kind: 'item', what: 'item_completed', title: text(payload, 'title') }),
  item_failed: (base, payload) => ({ ...base, kind: 'item', what: 'item_failed', title: text(payload, 'title') }),
  clarification_requested: (base, payload) => ({ ...base, kind: 'question', text: text(payload, 'question') }),
  file_requested: (base, payload) => ({ ...base, kind: 'question', text: text(payload, 'prompt') }),
  file_arrived: (base, payload) => ({ ...base, kind: 'answer', text: text(payload, 'name') }),
  clarification_answered: (base, payload) => ({ ...base, kind: 'answer', text: text(payload, 'answer') }),
  action_waiting: (base, payload) => ({
    ...base,
    kind: 'tools',
    what: 'action_waiting',
    name: text(payload, 'tool'),
    text: text(payload, 'message'),
  }),
  tools_listed: (base, payload) => ({
    ...base,
    kind: 'tools',
    what: 'tools_listed',
    name: text(payload, 'source'),
    text: listOf(payload, 'tools').map(String).join(', '),
  }),
  tools_unavailable: (base, payload) => ({
    ...base,
    kind: 'tools',
    what: 'tools_unavailable',
    name: text(payload, 'source'),
    text: text(payload, 'reason'),
  }),
  loop_guard: (base, payload) => {
    const [guard, evidence] = [text(payload, 'guard'), text(payload, 'evidence')]
    return { ...base, kind: 'guard', guard, count: number(payload, 'count') ?? 1, evidence }
  },
  contract_failed: (base, payload) => {
    return { ...base, kind: 'contract', phase: text(payload, 'phase'), reason: text(payload, 'reason') }
  },
  budget_exhausted: (base, payload) => budgetEntry(base, 'budget_exhausted', 'used', payload),
  budget_added: (base, payload) => budgetEntry(base, 'budget_added', 'amount', payload),
  command_dispatched: (base, payload) => {
    const [delegation_id, command_type] = [text(payload, 'delegation_id'), text(payload, 'command_type')]
    return { ...base, kind: 'command', delegation_id, command_type }
  },
  report_received: reportEntry,
  report_generated: (base, payload) => ({ ...base, kind: 'written', text: text(payload, 'report') }),
} satisfies Record<Exclude<EventType, PlanEvent | 'action_finished'>, Maker | null>
type Makers = typeof MAKERS
type NamedEvent = { [T in keyof Makers]: Makers[T] extends null ? T : never }[keyof Makers]

function thoughtEntry(base: EntryBase, payload: Payload): Entry {
  const [thought, reason] = [text(payload, 'text'), text(payload, 'reason')]
  // In some modes the text is the reason.
  const whole = reason === '' || thought.includes(reason) ? thought : `${thought} (${reason})`.trim()
  const [phase, decision] = [text(payload, 'phase'), text(payload, 'decision')]
  return { ...base, kind: 'thought', phase, decision, text: whole, real: null }
}

type BudgetEvent = EntryOf<'budget'>['what']
function budgetEntry(base: EntryBase, what: BudgetEvent, amount: string, payload: Payload): Entry {
  const amounts: [string | null, string | null] = [textOrNull(payload, amount), textOrNull(payload, 'max')]
  return { ...base, kind: 'budget', what, axis: text(payload, 'axis'), amounts }
}

const reasonIn = (payload: Payload) =>
  ['stop_reason', 'error', 'reason'].map((name) => text(payload, name)).find((value) => value !== '') ?? ''

function reportEntry(base: EntryBase, payload: Payload): Entry {
  const report = payload['report']
  // Any object can be read as a record of unknown members.
  const inside = typeof report === 'object' && report !== null ? (report as Payload) : {}
  const content = ['results', 'text', 'pitfalls'].map((name) => text(inside, name)).find((part) => part !== '') ?? ''
  const delegation_id = text(payload, 'delegation_id')
  return { ...base, kind: 'report', delegation_id, status: text(inside, 'status'), text: content }
}

function planEntry(
  base: EntryBase,
  what: PlanEvent,
  payload: Payload,
  plan: readonly ItemTitle[],
  over: ReadonlySet<string>,
): Entry | null {
  const items = itemTitlesIn(what, payload)
  const before = plan.filter(
    ({ id, title }) => !over.has(id ?? title) || items.some((item) => item.id === id && item.title === title),
  )
  const changes = changesOf(before, items)
  // A model sends its whole task list with every change of a state, and other entries show these states.
  const isNew = changes.added.length + changes.removed.length + changes.renamed.length > 0
  if (what === 'tasks_updated' && !isNew) return null
  return { ...base, kind: 'plan', what, changes, total: items.length, author: textOrNull(payload, 'author') }
}

/** Tasks of a model are known by their names, because their numbers are only places. */
export const itemTitlesIn = (what: string, payload: Payload): ItemTitle[] =>
  what === 'tasks_updated'
    ? listOf(payload, 'tasks').map((task) => ({ id: null, title: text(task, 'name') }))
    : listOf(payload, 'items').map((item) => ({ id: textOrNull(item, 'id'), title: text(item, 'title') }))

const isPlanEvent = (type: string): type is PlanEvent => type.startsWith('plan_') || type === 'tasks_updated'
