/** The methods of a task over its rows. Every store uses them, in memory and in a Durable Object. */
import type { ObjectContext } from '../../core/protocol/advance.ts'
import { stallTask, tellFile, tellTask, type CommandTarget } from '../../core/protocol/commands.ts'
import { newDelivery } from '../../core/protocol/outbox.ts'
import type { StepResult } from '../../core/protocol/task-answers.ts'
import { chargeOfTransaction } from '../../core/protocol/view/transaction-charge.ts'
import { begin, commit, create, showAnswer } from '../../core/protocol/task.ts'
import type { Decision } from '../../core/protocol/transaction.ts'
import { fork } from '../../core/replay/fork.ts'
import type { QueryKind, TaskMethods, UpkeepKind } from '../../core/replay/stored-task.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { roomRefusal } from '../../core/workspace/stored-bytes.ts'
import { fits } from '../fits.ts'
import { DELIVERY_UPKEEP } from './delivery-upkeep.ts'
import { EXPORT_QUERIES, EXPORT_UPKEEP } from './export-queries.ts'
import { FILE_QUERIES, fileUpkeep } from './task-files.ts'
import { FORK_QUERIES } from './fork-queries.ts'
import { endLinks, VIEW_QUERIES } from './view-queries.ts'
import type { QueryHandlers, TaskTarget, UpkeepHandlers } from './handlers.ts'
import { readableJournal, readableStored } from './readable-rows.ts'
import type { Rows } from './rows/rows.ts'
import { stepResult } from './step-result.ts'

const sizeBeyondRoom = ({ bytes, room }: ReturnType<Rows['size']>) => (bytes > room ? { outgrown: bytes } : {})

/** Writes what the core decided, and answers with the result. */
function writeDecision({ rows, context }: TaskTarget, decision: Decision): Result<StepResult> {
  if (!decision.ok) return refuse(decision.refusal)
  const before = rows.last()?.head ?? null
  rows.apply(decision.writes)
  for (const file of decision.files ?? []) rows.keepFile(file)
  const { notice } = decision.result
  if (notice !== null) rows.save(newDelivery(notice, context().now_ms))
  const charged = chargeOfTransaction(before, rows.last()?.head ?? null, decision.writes)
  return ok({
    ...stepResult(rows, decision.result, context()),
    ...(charged !== null && { charged }),
    ...sizeBeyondRoom(rows.size()),
  })
}

const commandTarget = (target: TaskTarget): CommandTarget => ({
  rows: target.rows,
  context: target.context(),
  fits,
  has_file: (name) => target.rows.file(name) !== null,
  link_epoch: target.rows.linkEpoch,
  refuse_without_room: () => roomRefusal(target.rows.size()),
  write: (decision) => writeDecision(target, decision),
})

const QUERIES: QueryHandlers<QueryKind> = {
  ...VIEW_QUERIES,
  ...FORK_QUERIES,
  ...FILE_QUERIES,
  ...EXPORT_QUERIES,
  journal: ({ rows }, { after, limit }) => readableJournal(rows, after, limit),
  stored_rows: ({ rows }, { after, limit }) => readableStored(rows, after, limit),
  earlier_answer: (target, { ticket }) => writeDecision(target, showAnswer(target.rows, ticket, target.context())),
}

const UPKEEP: UpkeepHandlers<UpkeepKind> = {
  ...DELIVERY_UPKEEP,
  ...EXPORT_UPKEEP,
  ...fileUpkeep((target, name) => tellFile(commandTarget(target), name)),
  end_links: endLinks,
  stall: (target) => stallTask(commandTarget(target)),
  give_room({ rows }, { bytes }) {
    rows.giveRoom(bytes)
    return ok(null)
  },
}

/** The task's methods over its rows. `context` gives the clock, the process and the prices of the object at each call. */
export function taskMethods(rows: Rows, context: () => ObjectContext): TaskMethods {
  const target: TaskTarget = { rows, context }
  const write = (decision: Decision) => writeDecision(target, decision)
  return {
    create: (task, ticket) => write(create(rows, task, ticket, context())),
    begin: (ticket) => write(begin(rows, ticket, context())),
    commit: (seq, event, ticket) => write(commit(rows, seq, event, ticket, context(), fits)),
    tell: (command, ticket) => tellTask(commandTarget(target), command, ticket),
    fork: (request, ticket) => write(fork(rows, request, ticket, context(), fits)),
    ask: (query) => QUERIES[query.kind](target, query),
    upkeep: (upkeep) => UPKEEP[upkeep.kind](target, upkeep),
  }
}
