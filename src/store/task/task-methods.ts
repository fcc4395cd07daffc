/** The methods of a task over its rows: every store answers with these, in memory and in a Durable Object. */
import type { ObjectContext, Ticket } from '../../core/protocol/advance.ts'
import type { Event } from '../../core/terms/effect.ts'
import { hear, hearPause, hearResume, hearTopUp, reopens, routeOf } from '../../core/protocol/input.ts'
import type { Journal } from '../../core/protocol/journal.ts'
import { findEarlierRequest, type EarlierRequest } from '../../core/protocol/idempotency.ts'
import { hearEdit } from '../../core/protocol/plan-edit.ts'
import { reportOnce } from '../../core/protocol/delegations.ts'
import { newDelivery } from '../../core/protocol/outbox.ts'
import { lackOfRoom } from '../../core/workspace/stored-bytes.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { fork } from '../../core/replay/fork.ts'
import { fund } from '../../core/protocol/funding.ts'
import { answerOnce } from '../../core/protocol/question.ts'
import { showAnswer, begin, cancel, commit, create, tell, tend } from '../../core/protocol/task.ts'
import type { Advance, Decision } from '../../core/protocol/transaction.ts'
import { taskView } from '../../core/protocol/task-view.ts'
import type { Envelope } from '../../core/terms/view.ts'
import type { StoredTaskView } from '../../core/protocol/stored-task-view.ts'
import type { StepResult } from '../../core/protocol/task-methods.ts'
import type { TaskMethods } from '../../core/replay/stored-task.ts'
import { linkMethods } from './link-methods.ts'
import { fileMethods } from './file-methods.ts'
import { fits } from '../fits.ts'
import { forkMethods } from './fork-methods.ts'
import { deliveryMethods } from './delivery-methods.ts'
import { readableJournal, readableStored } from './readable-rows.ts'
import { eventPage } from './pages.ts'
import type { Rows } from './rows/rows.ts'

const stallOf = (journal: Journal) => hearPause(journal, 'storage_full')
const outgrown = ({ bytes, room }: ReturnType<Rows['size']>) => (bytes > room ? { outgrown: bytes } : {})

/** Nobody's request: it writes one event and begins nothing. */
const stallTicket = ({ boot, now_ms }: ObjectContext): Ticket => {
  return { slice: 'stall', boot, more: 'nothing', rounds: 0, wall_ms: now_ms, key: null }
}

/** Writes what was decided, and answers with what came of it. */
const answering =
  (rows: Rows, here: () => ObjectContext) =>
  (decision: Decision): Result<StepResult> => {
    if (!decision.ok) return refuse(decision.refusal)
    rows.apply(decision.writes)
    for (const file of decision.files ?? []) rows.keepFile(file)
    const { notice } = decision.advance
    if (notice !== null) rows.save(newDelivery(notice, here().now_ms))
    return ok({ ...advancedOf(rows, decision.advance, here()), ...outgrown(rows.size()) })
  }

/** The task's methods over its rows; `here` gives the object's clock, process and prices at each call. */
export function taskMethods(rows: Rows, here: () => ObjectContext): TaskMethods {
  const answer = answering(rows, here)
  const stall = () => answer(tell(rows, stallOf, stallTicket(here()), here()))
  /** A request that is repeated is answered as it was, however little room there is now. */
  const refuseWithoutRoom = (ticket: Ticket) => {
    const refusal = lackOfRoom(rows.size())
    return refusal === null || findEarlierRequest(rows, ticket, here()).kind !== 'none' ? null : refusal
  }
  /** Takes what a client says, if there is room for it. A pause and a cancel are taken without. */
  const tellWithRoom = (hears: Parameters<typeof tell>[1], ticket: Ticket) =>
    refuseWithoutRoom(ticket) ?? answer(tell(rows, hears, ticket, here()))
  return {
    stall,
    giveRoom: rows.giveRoom,
    create: (task, ticket) => answer(create(rows, task, ticket, here())),
    begin: (ticket) => answer(begin(rows, ticket, here())),
    commit: (seq: number, event: Event, ticket: Ticket) => answer(commit(rows, seq, event, ticket, here())),
    topUp: (add, ticket) => tellWithRoom((journal) => hearTopUp(journal, add), ticket),
    editPlan: (edit, ticket) => {
      // A lost effect that is closed on the way is no version that anyone has seen.
      const shown = rows.last()?.seq ?? 0
      return tellWithRoom((journal) => hearEdit(journal, edit, shown), ticket)
    },
    input: (text, request_id, ticket) => {
      const last = rows.last()
      if (last === null) return refuse({ code: 'task_not_found' })
      // A repeated request is known by its key, whatever its text would mean by now.
      if (findEarlierRequest(rows, ticket, here()).kind !== 'none') return answer(begin(rows, ticket, here()))
      switch (routeOf(text, rows.recall)) {
        case 'cancel':
          return answer(cancel(rows, ticket, here()))
        case 'command':
          return ok('command')
        case 'word': {
          const heard: Parameters<typeof tell>[1] = (journal) => hear(journal, text, request_id, fits)
          // What is refused anyway takes no place among the open tasks.
          const asks = ticket.admitted !== true && reopens(last.head) && heard(rows).ok
          return asks ? (refuseWithoutRoom(ticket) ?? ok('reopens')) : tellWithRoom(heard, ticket)
        }
      }
    },
    answer: (ref, text, ticket) => {
      if (ref.link_epoch !== rows.linkEpoch()) return refuse({ code: 'link_not_found' })
      return answerOnce<StepResult>(rows, ref, text, { now_ms: here().now_ms, fits }, (hears) =>
        tellWithRoom(hears, ticket),
      )
    },
    report: (seq, sent, ticket) => {
      const known = findEarlierRequest(rows, ticket, here())
      if (known.kind === 'refused') return refuse(known.refusal)
      return reportOnce<StepResult>(rows, seq, sent, here(), (hears) => tellWithRoom(hears, ticket))
    },
    fund: (allowance, ticket, later) => answer(fund(rows, allowance, ticket, here(), later)),
    pause: (ticket) => answer(tell(rows, (journal) => hearPause(journal), ticket, here())),
    resume: (ticket) => tellWithRoom(hearResume, ticket),
    tend: (ticket) => answer(tend(rows, ticket, here())),
    cancel: (ticket) => answer(cancel(rows, ticket, here())),
    answered: (ticket) => answer(showAnswer(rows, ticket, here())),
    fork: (wish, ticket) => answer(fork(rows, wish, ticket, here(), fits)),
    ...linkMethods(rows, here, () => seen(rows, here())),
    ...forkMethods(rows, here),
    ...deliveryMethods(rows, () => here().now_ms),
    ...fileMethods(rows, () => here().now_ms),
    journal: (after, limit) => readableJournal(rows, after, limit),
    stored: (after, limit) => readableStored(rows, after, limit),
  }
}

function advancedOf(rows: Rows, advance: Advance, here: ObjectContext): StepResult {
  const { earlier: known } = advance
  if (known === null) return { ...advance, task: advance.assignment === null ? seen(rows, here) : null }
  const shown = rows.closed(known.version ?? rows.last()?.seq ?? 0)
  if (shown === null) throw new Error('a known key names a row that is missing')
  const before = eventsOfRequest(rows, known.rows)
  // What the request caused by now is in `events` already, unless it is over.
  const fresh = new Set(advance.events.map((event) => event.seq))
  const events = [...before.filter((event) => !fresh.has(event.seq)), ...advance.events]
  if (known.version === null) return { ...advance, events, task: advance.assignment === null ? seen(rows, here) : null }
  const { head } = shown
  const now_ms = known.answered_ms ?? head.updated_at
  const { under_way } = known
  return { ...advance, events, task: taskView({ head, version: shown.seq, under_way }, rows, now_ms) }
}

/** More than an answer shows (U24). */
const SLICE_EVENTS_READ = 100

/** What the closed rows of a request caused, each from where its transaction began to what was closed with it. */
function eventsOfRequest(rows: Rows, written: EarlierRequest['rows']): Envelope[] {
  const events: Envelope[] = []
  for (const { seq, first_event } of written) {
    const range = rows.closed(rows.closedWith(seq))?.head.events
    if (range === undefined || events.length >= SLICE_EVENTS_READ) break
    const [first, end] = [Math.max(first_event, (events.at(-1)?.seq ?? 0) + 1), range.first + range.count]
    if (first >= end) continue
    const page = eventPage(rows, first - 1, Math.min(end - first, SLICE_EVENTS_READ))
    if (page.ok) events.push(...page.value.data)
  }
  return events
}

function seen(rows: Rows, here: ObjectContext): StoredTaskView | null {
  const last = rows.last()
  if (last === null) return null
  const shown = { head: last.head, version: last.seq, under_way: rows.pending() !== null }
  return taskView(shown, rows, here.now_ms)
}
