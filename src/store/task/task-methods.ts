/** The table of one task as the stores keep it, and the methods every store answers with (memory and Durable Object). */
import type { Here, Ticket } from '../../core/protocol/advance.ts'
import type { Event, Fact, Recall } from '../../core/terms/effect.ts'
import type { FileRow, StoredFile } from '../../core/terms/files/files.ts'
import { hear, hearPause, hearResume, hearTopUp, reopens, routeOf } from '../../core/protocol/input.ts'
import { QUEUED_SLICE, keyOf, type ClosedRow, type Journal, type Tail, type Write } from '../../core/protocol/journal.ts'
import { earlier, type Earlier } from '../../core/protocol/idempotency.ts'
import { hearEdit } from '../../core/protocol/plan-edit.ts'
import { reportOnce } from '../../core/protocol/delegations.ts'
import { newDelivery, type Delivery } from '../../core/protocol/outbox.ts'
import { lackOfRoom, type TaskRoom } from '../../core/workspace/stored-bytes.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { fork } from '../../core/replay/fork.ts'
import { fund, heldAllowance } from '../../core/protocol/funding.ts'
import { answerOnce } from '../../core/protocol/question.ts'
import { answered, begin, cancel, commit, create, tell, tend } from '../../core/protocol/task.ts'
import type { Advance, Decision } from '../../core/protocol/transaction.ts'
import { taskView } from '../../core/protocol/task-view.ts'
import { isUnreadable, unreadable } from '../../core/terms/unreadable.ts'
import type { Envelope } from '../../core/terms/view.ts'
import type { Advanced, Removed, Seen, TaskMethods } from '../../core/protocol/task-methods.ts'
import { linkMethods } from './by-link.ts'
import { isDamaged } from '../damage.ts'
import { fileMethods } from './file-methods.ts'
import { fits } from '../fits.ts'
import { forkMethods } from './fork-methods.ts'
import { lifeOf } from './rows/life.ts'
import { deliveryMethods } from './delivery-methods.ts'
import { readableJournal, readableStored } from './readable-rows.ts'
import { eventPage } from './pages.ts'
import { closedRow, effectOf, keyedOf, pendingRow, queuedRow, type JournalRecord } from './rows/schema.ts'

/** What is remembered of closed rows, by seq. */
export interface Facts {
  get(seq: number): Fact | undefined
  set(seq: number, fact: Fact): void
}

/** Rows of one task, read and written synchronously within one transaction. */
export interface Rows extends Journal, TaskRoom {
  tail(): Tail
  closed(seq: number): ClosedRow | null
  /** The first `limit` rows above `after`, unread; none for a task that does not exist. */
  stored(after: number, limit: number): JournalRecord[]
  /** The highest seq, of a row that can be read or not; 0: there is none. */
  newest(): number
  apply(writes: Write[]): void
  /** Oldest first. */
  deliveries(): readonly Delivery[]
  save(delivery: Delivery): void
  file(name: string): StoredFile | null
  /** By name. */
  files(): readonly FileRow[]
  keepFile(file: StoredFile): void
  /** How often the links of the task were ended: a link names the number it was made under. */
  linkEpoch(): number
  endLinks(): void
  dropFile(name: string): void
  /** No file may name the blob from now on. */
  refuseBlob(blob: string): void
  isBlobRefused(blob: string): boolean
}

const stallOf = (journal: Journal) => hearPause(journal, 'storage_full')
const outgrown = ({ bytes, room }: ReturnType<Rows['size']>) => (bytes > room ? { outgrown: bytes } : {})

/** Nobody's request: it writes one event and begins nothing. */
const stallTicket = ({ boot, now_ms }: Here): Ticket => {
  return { slice: 'stall', boot, more: 'nothing', rounds: 0, wall_ms: now_ms, key: null }
}

/** Writes what was decided, and answers with what came of it. */
const answering =
  (rows: Rows, here: () => Here) =>
  (decision: Decision): Result<Advanced> => {
    if (!decision.ok) return refuse(decision.refusal)
    rows.apply(decision.writes)
    for (const file of decision.files ?? []) rows.keepFile(file)
    const { notice } = decision.advance
    if (notice !== null) rows.save(newDelivery(notice, here().now_ms))
    return ok({ ...advancedOf(rows, decision.advance, here()), ...outgrown(rows.size()) })
  }

/** The task's methods over its rows; `here` gives the object's clock, process and prices at each call. */
export function taskMethods(rows: Rows, here: () => Here): TaskMethods {
  const answer = answering(rows, here)
  const stall = () => answer(tell(rows, stallOf, stallTicket(here()), here()))
  /** A request that is repeated is answered as it was, however little room there is now. */
  const refuseWithoutRoom = (ticket: Ticket) => {
    const refusal = lackOfRoom(rows.size())
    return refusal === null || earlier(rows, ticket, here()).kind !== 'none' ? null : refusal
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
      if (earlier(rows, ticket, here()).kind !== 'none') return answer(begin(rows, ticket, here()))
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
      return answerOnce<Advanced>(rows, ref, text, { now_ms: here().now_ms, fits }, (hears) =>
        tellWithRoom(hears, ticket),
      )
    },
    report: (seq, sent, ticket) => {
      const known = earlier(rows, ticket, here())
      if (known.kind === 'refused') return refuse(known.refusal)
      return reportOnce<Advanced>(rows, seq, sent, here(), (hears) => tellWithRoom(hears, ticket))
    },
    fund: (allowance, ticket, later) => answer(fund(rows, allowance, ticket, here(), later)),
    pause: (ticket) => answer(tell(rows, (journal) => hearPause(journal), ticket, here())),
    resume: (ticket) => tellWithRoom(hearResume, ticket),
    tend: (ticket) => answer(tend(rows, ticket, here())),
    cancel: (ticket) => answer(cancel(rows, ticket, here())),
    answered: (ticket) => answer(answered(rows, ticket, here())),
    fork: (wish, ticket) => answer(fork(rows, wish, ticket, here(), fits)),
    ...linkMethods(rows, here, () => seen(rows, here())),
    ...forkMethods(rows, here),
    ...deliveryMethods(rows, () => here().now_ms),
    ...fileMethods(rows, () => here().now_ms),
    journal: (after, limit) => readableJournal(rows, after, limit),
    stored: (after, limit) => readableStored(rows, after, limit),
  }
}

function advancedOf(rows: Rows, advance: Advance, here: Here): Advanced {
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
function eventsOfRequest(rows: Rows, written: Earlier['rows']): Envelope[] {
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

function seen(rows: Rows, here: Here): Seen | null {
  const last = rows.last()
  if (last === null) return null
  const shown = { head: last.head, version: last.seq, under_way: rows.pending() !== null }
  return taskView(shown, rows, here.now_ms)
}

/** As many as a tail can have. */
export const TAIL_ROWS = 18

/** `records` are the newest, newest first. */
export function splitTail(records: JournalRecord[]): Tail {
  const open = records
    .slice(
      0,
      records.findIndex((record) => record.head !== null),
    )
    .toReversed()
  const closed = records.find((record) => record.head !== null)
  const [pending, ...queued] = open
  return {
    last: closed === undefined ? null : { seq: closed.seq, head: closedRow(closed).head },
    pending: pending === undefined ? null : pendingRow(pending),
    queued: queued.map(queuedRow),
  }
}

/** Rows of the request with this key that were begun, or taken over, at `since` or later; `records` oldest first. */
export function keyedRows(
  records: JournalRecord[],
  { scope, key, since }: { scope: string; key: string; since: number },
): ReturnType<Journal['keyed']> {
  return records.flatMap((record) => {
    const keyed = keyOf(keyedOf(record), { scope, key })
    const at = keyed?.took_over_at ?? record.at
    if (keyed === null || at < since) return []
    const effect = effectOf(record)
    const opens_round = effect?.opens_round === true && keyed.took_over_at === undefined
    return [{ seq: record.seq, at, keyed, opens_round }]
  })
}

/** Events that were queued behind an effect are closed in its transaction, and say so; a cancel behind what it abandons. */
export function closedWith(closed: Rows['closed'], seq: number): number {
  let [first, last] = [seq, seq]
  while (closed(first)?.slice === QUEUED_SLICE) first -= 1
  while (closed(last + 1)?.slice === QUEUED_SLICE) last += 1
  return closed(first)?.event.kind === 'abandoned' ? last + 1 : last
}

/** A recall that reads a text from the row that holds it once; closed rows never change. */
export function recallOf(recall: Recall, known: Facts = new Map()): Recall {
  return (seq) => {
    const before = known.get(seq)
    if (before !== undefined) return before
    const fact = recall(seq)
    known.set(seq, fact)
    return fact
  }
}

export function foundFact(fact: Fact | null, seq: number): Fact {
  if (fact === null) throw unreadable(`row ${seq} is missing`)
  return fact
}

/** What a task that is to be deleted leaves elsewhere. */
export function leftOf(rows: Rows): Removed {
  const held = guarded(() => ok(heldAllowance(rows)))
  const life = guarded(() => ok(lifeOf(rows)))
  return { life: life.ok ? life.value : null, held: held.ok ? held.value : null }
}

/** The newest rows, as the protocol asks for them. */
export const tailed = (tail: () => Tail): Pick<Journal, 'last' | 'pending' | 'queued'> => ({
  last: () => tail().last,
  pending: () => tail().pending,
  queued: () => tail().queued,
})

/** One task whose state cannot be read is refused and left as it is; others are unaffected. */
export function guarded<T>(decide: () => Result<T>): Result<T> {
  try {
    return decide()
  } catch (error) {
    if (isUnreadable(error) || isDamaged(error)) return refuse({ code: 'state_unreadable', detail: error.message })
    throw error
  }
}
