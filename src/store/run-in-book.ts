/** One slash command on a book, at most once per effect key: the change and its key are one transaction (D4). */
import type { Book } from '../core/commands/book.ts'
import { CommandResult, isChange } from '../core/commands/result.ts'
import { runCommand } from '../core/commands/run.ts'
import { moveWall, wallClock } from '../core/zones.ts'
import type { CommandCall } from '../core/workspace-methods.ts'

/** Results kept under the key of the effect that caused them. */
export interface AppliedKeys {
  find(key: string): string | null
  keep(key: string, at: number, result: string): void
}

export function runInBook(book: Book, applied: AppliedKeys, call: CommandCall): CommandResult {
  const before = call.key === null ? null : applied.find(call.key)
  if (before !== null) return CommandResult.parse(JSON.parse(before))
  const { timezone, caller_timezone } = call
  const zones = timezone === caller_timezone ? {} : zonesOf(caller_timezone, timezone)
  const result = runCommand(call.command, book, {
    now: wallClock(call.wall_ms, timezone),
    locale: call.locale,
    schedule_window_days: call.schedule_window_days,
    conflict_preview_days: call.conflict_preview_days,
    ...zones,
  })
  if (call.key !== null && isChange(result.kind)) applied.keep(call.key, call.wall_ms, JSON.stringify(result))
  return result
}

const zonesOf = (caller: string, workspace: string) => ({
  into: (moment: string) => moveWall(moment, caller, workspace),
  outof: (moment: string) => moveWall(moment, workspace, caller),
})
