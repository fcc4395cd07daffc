/** Tells a task about its workers and the time, as the service does. */
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import type { SentReport } from '../../src/core/terms/delegation.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import type { DelegationAnswer } from '../../src/shell/delegations/delegation-service.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import type { Ports } from '../../src/shell/ports.ts'
import type { Service } from '../../src/shell/service.ts'
import type { Caller } from '../../src/shell/caller.ts'

/** A report of the command that row `seq` dispatched. */
export const sendReport = (
  service: Service,
  caller: Caller,
  id: string,
  seq: number,
  sent: SentReport,
): Promise<Result<DelegationAnswer>> => service.reportDelegation(caller, delegationId(id, seq), sent)

/** The job of the service at the alarm of a task that it does not drive. */
export const tend = (ports: Ports, { tenant }: Caller, task: string): Promise<void> =>
  runJob(ports, { kind: 'tend', tenant, task })
