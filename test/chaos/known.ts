/** What clients were told and may rely on from then on: tasks, answers under keys, events, closed rows of the ledger. */
import * as z from 'zod'
import { Envelope, JournalEntry, TaskView } from '../../src/core/view.ts'
import { ENDED } from '../../src/core/status.ts'
import type { Tally } from './tally.ts'

export interface Asked {
  tenant: string
  path: string
  key: string | null
  /** The exact bytes: a key is bound to them. */
  body: string
  kind: 'create' | 'step' | 'input' | 'budget' | 'cancel' | 'command'
  task: string | null
  /** What stands in a row, or in the workspace, once this was heard: unique in the run. */
  mark: string | null
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
  /** The newest view anyone was given. */
  view: TaskView
  /** Before this a step is in vain, ms since the epoch. */
  rests_until: number
  /** Requests that somebody has sent and was not answered yet. */
  asking: number
  /** Requests that were ever sent. */
  begun: number
  /** step_count by acknowledged version. */
  steps_at: Map<number, number>
  /** Acknowledged, as JSON by their seq. */
  events: Map<number, string>
  rows: Map<number, string>
}
export interface Acks {
  tally: Tally
  tasks: Map<string, Known>
  /** Every request, with its first answer of 2xx or null. */
  asked: Map<Asked, Answered | null>
}

export const newAcks = (tally: Tally): Acks => ({ tally, tasks: new Map(), asked: new Map() })

export const isOpen = ({ view }: Known): boolean => !ENDED.has(view.status)

/** Takes in a task somebody was shown; `asked_at` is what its reader had been told before he asked, null for an old answer. */
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
  for (const event of view.slice?.events ?? []) learnEvent(acks, known, event)
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
    steps_at: new Map(),
    events: new Map(),
    rows: new Map(),
  }
  acks.tasks.set(view.id, fresh)
  return fresh
}

/** What was answered later never shows less. */
function checkForward(tally: Tally, before: TaskView, now: TaskView): void {
  const shown = (what: string, one: unknown, other: unknown) => () => `${what} was ${one}, is ${other}`
  const law = 'nothing acknowledged is lost'
  tally.demand(now.version >= before.version, law, shown('version', before.version, now.version), now.id)
  tally.demand(now.step_count >= before.step_count, law, shown('step_count', before.step_count, now.step_count), now.id)
  const ended = !ENDED.has(before.status) || now.status === before.status
  tally.demand(ended, 'ended stays ended', shown('status', before.status, now.status), now.id)
}

export function learnEvent({ tally }: Acks, known: Known, event: Envelope): void {
  learn(tally, known.events, event.seq, JSON.stringify(event), 'an acknowledged event stays as it is', known.id)
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

/** The same answer but for the time to wait, which is told as of the moment it is shown. */
export function sameAnswer(one: string, other: string): boolean {
  return one === other || withoutWait(one) === withoutWait(other)
}
const withoutWait = (text: string) => text.replace(/"retry_after_ms":\d+/, '"retry_after_ms":0')
