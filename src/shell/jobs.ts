/** What tasks and workspaces ask for by their alarms, done by whoever takes the job: more than once is the same as once. */
import type { Job } from '../core/due.ts'
import { retire } from './delete-task.ts'
import type { Ports } from './ports.ts'
import { remind } from './remind.ts'
import type { Bounds, Caller } from './service.ts'
import { openSlice, runSlice, ticketOf } from './slice.ts'
import { deliver } from './webhooks.ts'

/** A slice of a task that the service drives: long enough to be worth its alarm, short enough to be fair. */
const BOUNDS: Bounds = { rounds: 20, max_ms: 25_000 }

export async function work(ports: Ports, job: Job): Promise<void> {
  if (job.kind === 'remind') return remind(ports, job.tenant)
  const { kind, tenant, task } = job
  const caller: Caller = { tenant, traceparent: null, key: null, gone: () => false }
  switch (kind) {
    case 'tend':
      return tend(ports, caller, task)
    case 'deliver':
      return deliver(ports, tenant, task)
    case 'retire':
      return retire(ports, caller, task)
  }
}

/** Fair between tenants: each has so many turns at once, and takes them in the order it asked. */
async function tend(ports: Ports, caller: Caller, id: string): Promise<void> {
  const [task, workspace] = [ports.store.of(caller.tenant, id), ports.store.workspace(caller.tenant)]
  const run = openSlice(ports, caller, id, BOUNDS)
  const turn = { id, slice: run.slice }
  const wait_ms = await workspace.takeTurn(turn, ports.max_driven_tasks)
  if (wait_ms > 0) return task.later(wait_ms)
  try {
    await runSlice(run, await task.tend(ticketOf(run, 0)))
  } finally {
    await workspace.endTurn(turn)
  }
}
