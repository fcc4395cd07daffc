/** Does the jobs that tasks and workspaces ask for by their alarms. A job that is done twice has the effect of one. */
import type { Job } from '../../core/protocol/alarm-times.ts'
import { retireTask } from '../delete-task.ts'
import { driveTask, wakeHolders } from './drive.ts'
import { mendIndex } from '../listing/mend.ts'
import type { Ports } from '../ports.ts'
import { serviceCaller, type Caller } from '../caller.ts'
import { createService } from '../create-service.ts'
import { openIdleSlice, runSlice } from '../slice/slice.ts'
import { deliver } from '../callbacks/deliveries.ts'

export async function runJob(ports: Ports, job: Job): Promise<void> {
  // The alarm asks for the job again in the next process.
  if (ports.draining.hasBegun()) return
  switch (job.kind) {
    case 'remind':
      return (await import('../callbacks/send-reminders.ts')).sendReminders(ports, job.tenant, job.pool ?? null)
    case 'mend':
      return mendIndex(ports, job.tenant, job.tasks, job.shard)
    case 'sweep':
      return (await import('../files/sweep-uploads.ts')).sweepUploads(ports, job.tenant, job.shard)
    case 'schedules':
      return (await import('../schedules/run-schedules.ts')).runSchedules(ports, createService(ports), job.tenant)
    case 'feed_index':
      return (await import('../listing/feed-index.ts')).feedIndex(ports, job.tenant, job.shard)
    case 'wake':
      return wakeHolders(ports, serviceCaller(job.tenant), job.shard)
    case 'drive':
      return driveTask(ports, { ...serviceCaller(job.tenant), key_name: job.key_name ?? null }, job)
    case 'tend':
      return tend(ports, serviceCaller(job.tenant), job.task)
    case 'deliver':
      return deliver(ports, job.tenant, job.task)
    case 'export':
      return (await import('../exports/export-task.ts')).exportTask(ports, job.tenant, job.task)
    case 'retire':
      return retireTask(ports, serviceCaller(job.tenant), job.task)
  }
}

/** Due times need no run slot: they are told to the task, which begins no effect. */
async function tend(ports: Ports, caller: Caller, id: string): Promise<void> {
  const { run, ticket } = openIdleSlice(ports, caller, id)
  await runSlice(run, await ports.store.of(caller.tenant, id).tell({ kind: 'tend' }, ticket))
}
