/** Runs one slash command on a book, at most once per key: the change and its key are one transaction (D4, P14). */
import type { RequestKey } from '../../../core/protocol/advance.ts'
import type { Book } from '../../../core/workspace/commands/book.ts'
import type { CallerContext } from '../../../core/workspace/commands/context.ts'
import { CommandResult, isChange } from '../../../core/workspace/commands/result.ts'
import { slashCommands } from '../../../core/workspace/commands/load-commands.ts'
import { ok, refuse, type Result } from '../../../core/terms/refusal.ts'
import type { CommandCall } from '../../../core/protocol/workspace-records.ts'
import { convertWallClock, localTime, wallClock } from '../../../core/workspace/zones.ts'

/** Results under the key of the effect or request that caused them. */
export interface AppliedKeys {
  find(key: string): { digest: string; result: string } | null
  keep(key: string, digest: string, result: string): void
}

export const requestName = ({ scope, key }: RequestKey) => `${scope} ${key}`

/** The answer that a request was given under its key; null for a new key. */
export function findReply(replies: AppliedKeys, request: RequestKey): Result<string | null> {
  const before = replies.find(requestName(request))
  if (before === null) return ok(null)
  return before.digest === request.digest ? ok(before.result) : refuse({ code: 'idempotency_key_reused' })
}

type Ran = Result<{ result: CommandResult; replayed: boolean }>

export function runInBook(book: Book, applied: AppliedKeys, call: CommandCall): Ran {
  const { key, request } = call
  const name = request === null ? key : requestName(request)
  const digest = request?.digest ?? ''
  const before = name === null ? null : applied.find(name)
  if (before !== null) {
    if (before.digest !== digest) return refuse({ code: 'idempotency_key_reused' })
    return ok({ result: CommandResult.parse(JSON.parse(before.result)), replayed: true })
  }
  const result = run(book, call)
  // A tool may read again. A request gets the same answer again, whatever its command did.
  if (name !== null && (request !== null || isChange(result.kind))) applied.keep(name, digest, JSON.stringify(result))
  return ok({ result, replayed: false })
}

function run(book: Book, call: CommandCall): CommandResult {
  const { command, tool, timezone, caller_timezone } = call
  const context: CallerContext = {
    now: wallClock(call.wall_ms, timezone),
    locale: call.locale,
    reader: call.reader,
    schedule_window_days: call.schedule_window_days,
    conflict_preview_days: call.conflict_preview_days,
    momentAt: (ms) => localTime(ms, timezone),
    ...(timezone === caller_timezone ? {} : zonesOf(caller_timezone, timezone)),
  }
  return tool === undefined
    ? slashCommands.runCommand(command, book, context)
    : slashCommands.runToolCall(tool, command, book, context)
}

const zonesOf = (caller: string, workspace: string) => ({
  toWorkspace: (moment: string) => convertWallClock(moment, caller, workspace),
  toCaller: (moment: string) => convertWallClock(moment, workspace, caller),
})
