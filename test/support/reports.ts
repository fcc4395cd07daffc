/** What a task hears of workers and of time, as the service does it. */
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import type { SentReport } from '../../src/core/protocol/delegation-methods.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import type { Worked } from '../../src/shell/delegations/delegations.ts'
import { work } from '../../src/shell/jobs/jobs.ts'
import type { Ports } from '../../src/shell/ports.ts'
import type { Caller, Service } from '../../src/shell/service.ts'

/** A report of the command that row `seq` dispatched. */
export const sendReport = (
  service: Service,
  caller: Caller,
  id: string,
  seq: number,
  sent: SentReport,
): Promise<Result<Worked>> => service.reportDelegation(caller, delegationId(id, seq), sent)

/** What the service does when the alarm of a task that is not driven goes off. */
export const tend = (ports: Ports, { tenant }: Caller, task: string): Promise<void> =>
  work(ports, { kind: 'tend', tenant, task })
