/** The answers on which clients may rely: tasks, answers under keys, events, closed rows of the ledger. */
import * as z from 'zod'
import { Envelope, JournalEntry, TaskView } from '../../src/core/terms/view.ts'
import { ENDED_STATUSES } from '../../src/core/terms/status.ts'
import { newPlans, type Plans } from './plans.ts'
import type { Tally } from './tally.ts'

/** The requests of the first line are answered with their task, and a fork with the new task. */
export type Kind =
  | 'create'
  | 'fork'
  | 'step'
  | 'input'
  | 'budget'
  | 'cancel'
  | 'pause'
  | 'resume'
  | 'plan'
  | 'command'
  | 'claim'
  | 'report'
  | 'answer'
  | 'put'

const SHOWS_NO_TASK: ReadonlySet<Kind> = new Set<Kind>(['command', 'claim', 'report', 'answer', 'put'])
export const showsTask = ({ kind }: Asked): boolean => !SHOWS_NO_TASK.has(kind)
export const makesTask = ({ kind }: Asked): boolean => kind === 'create' || kind === 'fork'

export interface Asked {
  tenant: string
  method: 'POST' | 'PATCH' | 'PUT'
  path: string
  key: string | null
  /** The exact bytes, because a key is bound to them. */
  body: string
  /** The headers in addition to those of every request. */
  headers: Record<string, string>
  kind: Kind
  /** The task of the request; for a create, the new task once it is known. */
  task: string | null
  /** For a fork: the task whose rows it copies, and the last of these rows. */
  from: Fork | null
  /** The text that a row or the workspace has after this request was applied; it is unique in the run. */
  mark: string | null
}
export interface Fork {
  task: string
  at: number
  /** Whether its request asked the service to drive it. */
  driven: boolean
}
export interface Answered {
  status: number
  text: string
  /** Whether the same request had been answered before, by the header. */
  replayed: boolean
}
export interface Known {
  id: string
  tenant: string
  /** The newest view that any client got. */
  view: TaskView
  /** The time before which a step is useless, ms since the epoch. */
  rests_until: number
  /** The requests that were sent and not answered yet. */
  asking: number
  /** Requests that were ever sent, and when the first of them was, in ms since the epoch; null for never. */
  begun: number
  told_ms: number | null
  /** The requests that would create the task again after its deletion. */
  remaking: number
  /** The times at which its DELETE was sent and answered, ms since the epoch; null for never. */
  deleting: number | null
  deleted: number | null
  /** The parent of a fork, or null for a task with a goal. */
  from: Fork | null
  /** step_count by acknowledged version. */
  steps_at: Map<number, number>
  /** The acknowledged rows as JSON, by seq. */
  events: Map<number, string>
  /** The same as answers of slices have shown them, long texts cut. */
  sliced: Map<number, string>
  rows: Map<number, string>
}
/** By task and name: the last upload that was answered, and later uploads that may have replaced it. */
export type Files = Map<string, Map<string, { stands: string | null; maybe: string[] }>>

/** The answers that workers got about a command. */
export interface Command {
  id: string
  task: string
  tenant: string
  /** The claims that were answered with 200: each is certainly held from `from` to `until`. */
  claims: { worker: string; sent: number; from: number; until: number }[]
  /** Texts of reports that were sent, and of those that were taken. */
  sent: Set<string>
  taken: Set<string>
}

export interface Acks {
  tally: Tally
  tasks: Map<string, Known>
  /** The commands that workers have seen, and the number of open requests about them. */
  commands: Map<string, Command>
  commands_under_way: number
  files: Files
  plans: Plans
  /** Every request with its first 2xx answer, or null. */
  asked: Map<Asked, Answered | null>
}

export const newAcks = (tally: Tally): Acks => ({
  tally,
  tasks: new Map(),
  commands: new Map(),
  commands_under_way: 0,
  files: new Map(),
  plans: newPlans(),
  asked: new Map(),
})

export const isThere = ({ deleting }: Known): boolean => deleting === null
export const isOpen = (known: Known): boolean => isThere(known) && !ENDED_STATUSES.has(known.view.status)
/** Its next input begins another run. */
export const mayReopen = ({ view }: Pick<Known, 'view'>): boolean =>
  (view.mode === 'session' && view.status === 'completed') || view.stop_reason === 'contract_failures'

/** Takes in the view of a task; `asked_at` is the version that the reader knew before the request, null for an old answer. */
export function learnTask(acks: Acks, tenant: string, json: unknown, asked_at: TaskView | null): Known | null {
  const read = TaskView.safeParse(json)
  acks.tally.demand(read.success, 'an answer is a task', () => `${read.error?.message}: ${JSON.stringify(json)}`)
  if (!read.success) return null
  const view = read.data
  const known = acks.tasks.get(view.id) ?? newKnown(acks, tenant, view)
  if (asked_at !== null) checkForward(acks.tally, asked_at, view)
  const before = known.steps_at.get(view.version)
  const says = () => `version ${view.version} had ${before} steps, now ${view.step_count}`
  acks.tally.demand(before === undefined || before === view.step_count, 'a version never changes', says, view.id)
  known.steps_at.set(view.version, view.step_count)
  for (const event of view.slice?.events ?? []) learnSliced(acks, known, event)
  if (view.version >= known.view.version) {
    known.view = view
    known.rests_until = Date.now() + (view.retry_after_ms ?? 0)
  }
  return known
}

function newKnown(acks: Acks, tenant: string, view: TaskView): Known {
  const fresh = {
    id: view.id,
    tenant,
    view,
    rests_until: 0,
    asking: 0,
    begun: 0,
    told_ms: null,
    remaking: 0,
    deleting: null,
    deleted: null,
    from: null,
    steps_at: new Map(),
    events: new Map(),
    sliced: new Map(),
    rows: new Map(),
  }
  acks.tasks.set(view.id, fresh)
  return fresh
}

/** A later answer never shows less. */
function checkForward(tally: Tally, before: TaskView, now: TaskView): void {
  const shown = (what: string, one: unknown, other: unknown) => () => `${what} was ${one}, is ${other}`
  const law = 'nothing acknowledged is lost'
  tally.demand(now.version >= before.version, law, shown('version', before.version, now.version), now.id)
  tally.demand(now.step_count >= before.step_count, law, shown('step_count', before.step_count, now.step_count), now.id)
  const ended = !ENDED_STATUSES.has(before.status) || now.status === before.status || mayReopen({ view: before })
  tally.demand(ended, 'ended stays ended', shown('status', before.status, now.status), now.id)
}

/** The answer of a slice cuts long texts of an event, so only the shown part is compared. */
function learnSliced({ tally }: Acks, known: Known, event: Envelope): void {
  const before = known.sliced.get(event.seq) ?? known.events.get(event.seq)
  const same = before === undefined || isShortOf(event, JSON.parse(before))
  const told = () => `${event.seq} was ${before}, is ${JSON.stringify(event)}`
  tally.demand(same, 'an acknowledged event stays as it is', told, known.id)
  known.sliced.set(event.seq, JSON.stringify(event))
}

const CUT = '...'
/** Whether two values differ, apart from texts that were cut. */
function isShortOf(short: unknown, whole: unknown): boolean {
  if (typeof short === 'string' && typeof whole === 'string')
    return short === whole || (short.endsWith(CUT) && whole.startsWith(short.slice(0, -CUT.length)))
  if (typeof short !== 'object' || typeof whole !== 'object' || short === null || whole === null) return short === whole
  const [mine, its] = [new Map(Object.entries(short)), new Map(Object.entries(whole))]
  return mine.size === its.size && [...mine].every(([name, value]) => isShortOf(value, its.get(name)))
}

export function learnEvent({ tally }: Acks, known: Known, event: Envelope): void {
  const law = 'an acknowledged event stays as it is'
  const sliced = known.sliced.get(event.seq)
  const same = sliced === undefined || isShortOf(JSON.parse(sliced), event)
  tally.demand(same, law, () => `${event.seq} was ${sliced}, is ${JSON.stringify(event)}`, known.id)
  learn(tally, known.events, event.seq, JSON.stringify(event), law, known.id)
}

/** Open rows may still change; closed ones never do. */
export function learnRow({ tally }: Acks, known: Known, row: JournalEntry): void {
  if (row.finished_at === null) return
  learn(tally, known.rows, row.seq, JSON.stringify(row), 'a closed row is never written again', known.id)
}

function learn(tally: Tally, all: Map<number, string>, seq: number, now: string, law: string, id: string): void {
  const before = all.get(seq)
  tally.demand(before === undefined || before === now, law, () => `${seq} was ${before}, is ${now}`, id)
  all.set(seq, before ?? now)
}

export const EventsPage = z.object({ data: z.array(Envelope), next_cursor: z.string().nullable() })
export const JournalPage = z.object({ data: z.array(JournalEntry), next_cursor: z.string().nullable() })

/** The same answer except for the parts that depend on the time of the answer: the time to wait, and the files. */
export function sameAnswer(one: string, other: string): boolean {
  return one === other || asOfThen(one) === asOfThen(other)
}
const asOfThen = (text: string) => withoutFiles(text).replace(/"retry_after_ms":(?:\d+|null)/, '"retry_after_ms":0')
export const withoutFiles = (text: string) => text.replace(/"artifacts":\[[^\]]*\]/, '')
