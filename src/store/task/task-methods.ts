/** The methods of a task over its rows: every store answers with these, in memory and in a Durable Object. */
import type { ObjectContext } from '../../core/protocol/advance.ts'
import { stallTask, tellTask, type CommandTarget } from '../../core/protocol/commands.ts'
import { newDelivery } from '../../core/protocol/outbox.ts'
import type { StepResult } from '../../core/protocol/task-answers.ts'
import { begin, commit, create, showAnswer } from '../../core/protocol/task.ts'
import type { Decision } from '../../core/protocol/transaction.ts'
import { fork } from '../../core/replay/fork.ts'
import type { QueryKind, TaskMethods, UpkeepKind } from '../../core/replay/stored-task.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { roomRefusal } from '../../core/workspace/stored-bytes.ts'
import { fits } from '../fits.ts'
import { deliveryUpkeep } from './delivery-upkeep.ts'
import { fileQueries, fileUpkeep } from './task-files.ts'
import { forkQueries } from './fork-queries.ts'
import { endLinks, viewQueries } from './view-queries.ts'
import type { QueryHandlers, UpkeepHandlers } from './handlers.ts'
import { readableJournal, readableStored } from './readable-rows.ts'
import type { Rows } from './rows/rows.ts'
import { stepResult } from './step-result.ts'

const sizeBeyondRoom = ({ bytes, room }: ReturnType<Rows['size']>) => (bytes > room ? { outgrown: bytes } : {})

/** Writes what the core decided, and answers with the result. */
const writing =
  (rows: Rows, context: () => ObjectContext) =>
  (decision: Decision): Result<StepResult> => {
    if (!decision.ok) return refuse(decision.refusal)
    rows.apply(decision.writes)
    for (const file of decision.files ?? []) rows.keepFile(file)
    const { notice } = decision.advance
    if (notice !== null) rows.save(newDelivery(notice, context().now_ms))
    return ok({ ...stepResult(rows, decision.advance, context()), ...sizeBeyondRoom(rows.size()) })
  }

/** The task's methods over its rows; `context` gives the clock, the process and the prices of the object at each call. */
export function taskMethods(rows: Rows, context: () => ObjectContext): TaskMethods {
  const write = writing(rows, context)
  const target = (): CommandTarget => ({
    rows,
    context: context(),
    fits,
    link_epoch: rows.linkEpoch,
    refuse_without_room: () => roomRefusal(rows.size()),
    write,
  })
  const queries = (): QueryHandlers<QueryKind> => ({
    ...viewQueries(rows, context),
    ...forkQueries(rows, context),
    ...fileQueries(rows),
    journal: ({ after, limit }) => readableJournal(rows, after, limit),
    stored_rows: ({ after, limit }) => readableStored(rows, after, limit),
    earlier_answer: ({ ticket }) => write(showAnswer(rows, ticket, context())),
  })
  const upkeep = (): UpkeepHandlers<UpkeepKind> => ({
    ...deliveryUpkeep(rows, () => context().now_ms),
    ...fileUpkeep(rows, () => context().now_ms),
    end_links: () => endLinks(rows, context),
    stall: () => stallTask(target()),
    give_room({ bytes }) {
      rows.giveRoom(bytes)
      return ok(null)
    },
  })
  return {
    create: (task, ticket) => write(create(rows, task, ticket, context())),
    begin: (ticket) => write(begin(rows, ticket, context())),
    commit: (seq, event, ticket) => write(commit(rows, seq, event, ticket, context())),
    tell: (command, ticket) => tellTask(target(), command, ticket),
    fork: (wish, ticket) => write(fork(rows, wish, ticket, context(), fits)),
    ask: (query) => queries()[query.kind](query),
    upkeep: (call) => upkeep()[call.kind](call),
  }
}
