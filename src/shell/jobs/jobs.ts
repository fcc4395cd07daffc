/** What tasks and workspaces ask for by their alarms, done by whoever takes the job: more than once is the same as once. */
import type { DriveJob, Job } from '../../core/protocol/alarm-times.ts'
import { retire } from '../delete-task.ts'
import { drive, wakeHolders } from './drive.ts'
import { mend } from '../listing/mend.ts'
import type { Ports } from '../ports.ts'
import { remind } from '../callbacks/remind.ts'
import type { Caller } from '../service.ts'
import { openSlice, runSlice, ticketOf } from '../slice/slice.ts'
import { sweepUploads } from '../files/sweep-uploads.ts'
import { deliver } from '../callbacks/webhooks.ts'

export async function work(ports: Ports, job: Job): Promise<void> {
  // The alarm asks for it again, in the next process.
  if (ports.draining.hasBegun()) return
  switch (job.kind) {
    case 'remind':
      return remind(ports, job.tenant)
    case 'mend':
      return mend(ports, job.tenant, job.tasks)
    case 'sweep':
      return sweepUploads(ports, job.tenant)
    case 'wake':
      return wakeHolders(ports, callerOf(job))
    case 'drive':
      return drive(ports, callerOf(job), job)
    case 'tend':
      return tend(ports, callerOf(job), job.task)
    case 'deliver':
      return deliver(ports, job.tenant, job.task)
    case 'retire':
      return retire(ports, callerOf(job), job.task)
  }
}

const callerOf = ({ tenant }: Pick<DriveJob, 'tenant'>): Caller => ({
  tenant,
  traceparent: null,
  key: null,
  gone: () => false,
})

/** What time brings about needs no run slot: it is said to the task, which begins nothing. */
async function tend(ports: Ports, caller: Caller, id: string): Promise<void> {
  const run = openSlice(ports, caller, id, { rounds: 0, max_ms: 0 })
  await runSlice(run, await ports.store.of(caller.tenant, id).tend({ ...ticketOf(run, 0), more: 'nothing' }))
}
