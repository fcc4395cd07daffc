/** How an object has a job done: by the queue where one is bound, else beside it. */
import { jobFailure, type Job } from '../core/protocol/alarm-times.ts'

/** Nobody waits for the job: a slow one holds up no other. Rejects when the queue does not take it. */
export async function requestJob<J extends Job>(
  queue: Queue<Job> | undefined,
  state: DurableObjectState,
  work: (job: J) => Promise<void>,
  job: J,
): Promise<void> {
  if (queue !== undefined) await queue.send(job)
  else state.waitUntil(work(job).catch((error: unknown) => console.error(jobFailure(job, error))))
}
