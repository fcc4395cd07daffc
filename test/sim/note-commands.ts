/** Counts the events of commands and reports, for the counters that must not stay at zero. */
import type { ClosedRow } from '../../src/core/protocol/journal.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { OrchestratorState } from '../../src/core/modes/orchestrator/state.ts'
import { awaitedIn } from './check-reports.ts'
import type { Watched } from './check-rows.ts'
import type { Coverage } from './coverage.ts'

/** `waited` is true if the row was queued behind an effect. */
export function noteCommand({ rows }: Watched, row: ClosedRow, waited: boolean, seen: Coverage): void {
  const { event, head, seq } = row
  const previous = rows.closed(seq - 1)?.head
  if (head.mode !== 'orchestrator' || previous === undefined) return
  const [before, after] = [OrchestratorState.parse(previous.state), OrchestratorState.parse(head.state)]
  const awaited = awaitedIn(previous)
  const isReport = event.kind === 'report_arrived'
  if (isReport && waited) seen('report queued behind a dispatch')
  if (isReport && awaited === event.delegation && previous.pause_reason !== null) seen('report while paused')
  if (isReport && previous.end !== null) seen('report of an end')
  if (isReport && awaited !== event.delegation && previous.end === null) seen('report that nobody waits for any more')
  if (event.kind === 'report_expired') seen(previous.pause_reason === null ? 'time-out' : 'time-out while paused')
  if (event.kind === 'plan_edited' && before.command !== null && after.command === null) seen('withdrawn by an edit')
  if (event.kind === 'canceled' && awaited !== null) seen('canceled while waiting')
  if (head.counters.replans > previous.counters.replans) seen('replan of steps')
  if (after.failures > before.failures && after.phase === 'dispatching') seen('retry')
  if (after.phase === 'asking' && before.phase !== 'asking') seen(`asks after ${after.step.failures} failures`)
  if (after.plan.replans > 0 && after.phase === 'asking' && before.failures === after.failures)
    seen('asks after replans')
  if (previous.end === null && head.end !== null) {
    seen(`commands: ${head.end.status} ${head.end.reason}`)
    if ((modeOf(head.mode).finalCommand?.(head.state, rows) ?? null) !== null) seen('end command')
  }
}
