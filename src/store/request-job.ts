/** An object has its jobs done by the queue where one is bound, else in its own process. */
import { subjectOf, type Job } from '../core/protocol/alarm-times.ts'
import { errorFacts } from '../telemetry/error-facts.ts'
import { isolateLog } from '../telemetry/isolate.ts'

/** The caller does not wait for the job, so a slow job delays no other. Rejects when the queue does not take it. */
export async function requestJob<J extends Job>(
  queue: Queue<Job> | undefined,
  state: DurableObjectState,
  work: (job: J) => Promise<void>,
  job: J,
): Promise<void> {
  if (queue !== undefined) await queue.send(job)
  else state.waitUntil(work(job).catch((error: unknown) => logJobFailure(job, error)))
}

const logJobFailure = (job: Job, error: unknown) =>
  isolateLog.write({ event: 'job_failed', ...subjectOf(job), ...errorFacts(error) })
