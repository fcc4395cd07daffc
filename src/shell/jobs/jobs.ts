/** Does the jobs that tasks and workspaces ask for by their alarms. A job that is done twice has the effect of one. */
import type { DriveJob, Job } from '../../core/protocol/alarm-times.ts'
import { retireTask } from '../delete-task.ts'
import { driveTask, wakeHolders } from './drive.ts'
import { mendIndex } from '../listing/mend.ts'
import type { Ports } from '../ports.ts'
import { sendReminders } from '../callbacks/send-reminders.ts'
import type { Caller } from '../caller.ts'
import { openSlice, runSlice, ticketOf } from '../slice/slice.ts'
import { sweepUploads } from '../files/sweep-uploads.ts'
import { deliver } from '../callbacks/deliveries.ts'

export async function runJob(ports: Ports, job: Job): Promise<void> {
  // The alarm asks for the job again in the next process.
  if (ports.draining.hasBegun()) return
  switch (job.kind) {
    case 'remind':
      return sendReminders(ports, job.tenant)
    case 'mend':
      return mendIndex(ports, job.tenant, job.tasks)
    case 'sweep':
      return sweepUploads(ports, job.tenant)
    case 'wake':
      return wakeHolders(ports, callerOf(job))
    case 'drive':
      return driveTask(ports, callerOf(job), job)
    case 'tend':
      return tend(ports, callerOf(job), job.task)
    case 'deliver':
      return deliver(ports, job.tenant, job.task)
    case 'retire':
      return retireTask(ports, callerOf(job), job.task)
  }
}

const callerOf = ({ tenant }: Pick<DriveJob, 'tenant'>): Caller => ({
  tenant,
  traceparent: null,
  key: null,
  gone: () => false,
})

/** Due times need no run slot: they are told to the task, which begins no effect. */
async function tend(ports: Ports, caller: Caller, id: string): Promise<void> {
  const run = openSlice(ports, caller, id, { rounds: 0, max_ms: 0 })
  await runSlice(
    run,
    await ports.store.of(caller.tenant, id).tell({ kind: 'tend' }, { ...ticketOf(run, 0), more: 'nothing' }),
  )
}
