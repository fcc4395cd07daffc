/** A report as it comes in: recorded, and nothing begun; and the alarm of a task, by which time alone is heard. */
import type { SentReport } from '../../src/core/delegation-methods.ts'
import type { Delegation } from '../../src/core/delegation.ts'
import { ok, type Result } from '../../src/core/refusal.ts'
import { work } from '../../src/shell/jobs.ts'
import type { Ports } from '../../src/shell/ports.ts'
import type { Answered, Caller } from '../../src/shell/service.ts'
import { openSlice, runSlice, ticketOf } from '../../src/shell/slice.ts'

export interface Taken {
  delegation: Delegation
  /** The task after it; null: this report was there already. */
  answered: Answered | null
}

/** Of the command that row `seq` dispatched. */
export async function sendReport(
  ports: Ports,
  caller: Caller,
  id: string,
  seq: number,
  sent: SentReport,
): Promise<Result<Taken>> {
  const run = openSlice(ports, caller, id, { rounds: 0, max_ms: 0 })
  const told = await ports.store.of(caller.tenant, id).report(seq, sent, { ...ticketOf(run, 0), more: 'nothing' })
  if (!told.ok) return told
  const { delegation, advanced } = told.value
  if (advanced === null) return ok({ delegation, answered: null })
  const shown = await runSlice(run, ok(advanced))
  return shown.ok ? ok({ delegation, answered: shown.value }) : shown
}

/** What the service does when the alarm of a task goes off. */
export const tend = (ports: Ports, { tenant }: Caller, task: string): Promise<void> =>
  work(ports, { kind: 'tend', tenant, task })
