/** The methods of a task over its rows: every store answers with these, in memory and in a Durable Object. */
import type { ObjectContext, Ticket } from '../../core/protocol/advance.ts'
import type { Event } from '../../core/terms/effect.ts'
import { hear, hearPause, hearResume, hearTopUp, reopens, routeOf } from '../../core/protocol/input.ts'
import type { Journal } from '../../core/protocol/journal.ts'
import { findEarlierRequest } from '../../core/protocol/idempotency.ts'
import { hearEdit } from '../../core/protocol/plan-edit.ts'
import { reportOnce } from '../../core/protocol/delegations.ts'
import { newDelivery } from '../../core/protocol/outbox.ts'
import { lackOfRoom } from '../../core/workspace/stored-bytes.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { fork } from '../../core/replay/fork.ts'
import { fund } from '../../core/protocol/funding.ts'
import { answerOnce } from '../../core/protocol/question.ts'
import { showAnswer, begin, cancel, commit, create, tell, tend } from '../../core/protocol/task.ts'
import type { Decision } from '../../core/protocol/transaction.ts'
import type { StepResult } from '../../core/protocol/task-methods.ts'
import type { TaskMethods } from '../../core/replay/stored-task.ts'
import { linkMethods } from './link-methods.ts'
import { fileMethods } from './file-methods.ts'
import { fits } from '../fits.ts'
import { forkMethods } from './fork-methods.ts'
import { deliveryMethods } from './delivery-methods.ts'
import { readableJournal, readableStored } from './readable-rows.ts'
import type { Rows } from './rows/rows.ts'
import { currentView, stepResult } from './step-result.ts'

const stallOf = (journal: Journal) => hearPause(journal, 'storage_full')
const outgrown = ({ bytes, room }: ReturnType<Rows['size']>) => (bytes > room ? { outgrown: bytes } : {})

/** A ticket without a request: what it allows is one event, and no effect begins. */
const stallTicket = ({ boot, now_ms }: ObjectContext): Ticket => {
  return { slice: 'stall', boot, more: 'nothing', rounds: 0, wall_ms: now_ms, key: null }
}

/** Writes what the core decided, and answers with the result. */
const writing =
  (rows: Rows, context: () => ObjectContext) =>
  (decision: Decision): Result<StepResult> => {
    if (!decision.ok) return refuse(decision.refusal)
    rows.apply(decision.writes)
    for (const file of decision.files ?? []) rows.keepFile(file)
    const { notice } = decision.advance
    if (notice !== null) rows.save(newDelivery(notice, context().now_ms))
    return ok({ ...stepResult(rows, decision.advance, context()), ...outgrown(rows.size()) })
  }

/** The task's methods over its rows; `context` gives the clock, the process and the prices of the object at each call. */
export function taskMethods(rows: Rows, context: () => ObjectContext): TaskMethods {
  const answer = writing(rows, context)
  const stall = () => answer(tell(rows, stallOf, stallTicket(context()), context()))
  /** A repeated request gets its earlier answer even where the task has no room any more. */
  const refuseWithoutRoom = (ticket: Ticket) => {
    const refusal = lackOfRoom(rows.size())
    return refusal === null || findEarlierRequest(rows, ticket, context()).kind !== 'none' ? null : refusal
  }
  /** Records what a client says where the task has room for it. A pause and a cancel need no room. */
  const tellWithRoom = (hears: Parameters<typeof tell>[1], ticket: Ticket) =>
    refuseWithoutRoom(ticket) ?? answer(tell(rows, hears, ticket, context()))
  return {
    stall,
    giveRoom: rows.giveRoom,
    create: (task, ticket) => answer(create(rows, task, ticket, context())),
    begin: (ticket) => answer(begin(rows, ticket, context())),
    commit: (seq: number, event: Event, ticket: Ticket) => answer(commit(rows, seq, event, ticket, context())),
    topUp: (add, ticket) => tellWithRoom((journal) => hearTopUp(journal, add), ticket),
    editPlan: (edit, ticket) => {
      // The client saw the version before this call, not the one that closing a lost effect makes.
      const shown = rows.last()?.seq ?? 0
      return tellWithRoom((journal) => hearEdit(journal, edit, shown), ticket)
    },
    input: (text, request_id, ticket) => {
      const last = rows.last()
      if (last === null) return refuse({ code: 'task_not_found' })
      // The key identifies a repeated request. Its text may mean something else by now.
      if (findEarlierRequest(rows, ticket, context()).kind !== 'none') return answer(begin(rows, ticket, context()))
      switch (routeOf(text, rows.recall)) {
        case 'cancel':
          return answer(cancel(rows, ticket, context()))
        case 'command':
          return ok('command')
        case 'word': {
          const hears: Parameters<typeof tell>[1] = (journal) => hear(journal, text, request_id, fits)
          // A text that is refused must not take a place among the open tasks.
          const must_ask = ticket.admitted !== true && reopens(last.head) && hears(rows).ok
          return must_ask ? (refuseWithoutRoom(ticket) ?? ok('reopens')) : tellWithRoom(hears, ticket)
        }
      }
    },
    answer: (ref, text, ticket) => {
      if (ref.link_epoch !== rows.linkEpoch()) return refuse({ code: 'link_not_found' })
      return answerOnce<StepResult>(rows, ref, text, { now_ms: context().now_ms, fits }, (hears) =>
        tellWithRoom(hears, ticket),
      )
    },
    report: (seq, sent, ticket) => {
      const known = findEarlierRequest(rows, ticket, context())
      if (known.kind === 'refused') return refuse(known.refusal)
      return reportOnce<StepResult>(rows, seq, sent, context(), (hears) => tellWithRoom(hears, ticket))
    },
    fund: (allowance, ticket, later) => answer(fund(rows, allowance, ticket, context(), later)),
    pause: (ticket) => answer(tell(rows, (journal) => hearPause(journal), ticket, context())),
    resume: (ticket) => tellWithRoom(hearResume, ticket),
    tend: (ticket) => answer(tend(rows, ticket, context())),
    cancel: (ticket) => answer(cancel(rows, ticket, context())),
    answered: (ticket) => answer(showAnswer(rows, ticket, context())),
    fork: (wish, ticket) => answer(fork(rows, wish, ticket, context(), fits)),
    ...linkMethods(rows, context, () => currentView(rows, context())),
    ...forkMethods(rows, context),
    ...deliveryMethods(rows, () => context().now_ms),
    ...fileMethods(rows, () => context().now_ms),
    journal: (after, limit) => readableJournal(rows, after, limit),
    stored: (after, limit) => readableStored(rows, after, limit),
  }
}
