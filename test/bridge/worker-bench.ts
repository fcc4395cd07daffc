/** A worker for one command at a time, with its time in the hands of the test. */
import { delegationClient } from '../../scripts/lib/delegations.mjs'
import type { Told } from '../../scripts/lib/delegations/told.mjs'
import { runWorker, type Worker } from '../../scripts/lib/worker/worker.mjs'
import { LEASE_S, RENEWAL_MS, STEAL_S } from './bench.ts'
import { newClock, type Clock } from './clock.ts'

/** The wait for a deadline, ten minutes away, has a length that no test can name. */
export const DEADLINE_MS = RENEWAL_MS + 1

export interface WorkerBench {
  clock: Clock
  told: Told[]
  events(): string[]
  worker(exec: string, changes?: Partial<Worker>): Worker
  /** Runs the command for one delegation; whether its report was recorded. */
  once(exec: string, changes?: Partial<Worker>): Promise<boolean>
  stop(): void
}

export function newWorkerBench(url: string, cwd: string): WorkerBench {
  const controller = new AbortController()
  const clock = newClock()
  clock.hold(RENEWAL_MS)
  const told: Told[] = []
  const stop = controller.signal
  const worker = (exec: string, changes: Partial<Worker> = {}): Worker => ({
    client: delegationClient({ url, key: 'dev-key', stop }),
    stop,
    tell: (one) => told.push(one),
    wait: (ms, signal) => clock.wait(ms > 500_000 ? DEADLINE_MS : ms, signal),
    worker: 'w',
    lease_s: LEASE_S,
    steal_s: STEAL_S,
    exec,
    cwd,
    env: { PATH: process.env['PATH'], LOOP_AGENT_KEY: 'dev-key', MINE: 'yes' },
    grace_ms: 300,
    ...changes,
  })
  return {
    clock,
    told,
    worker,
    events: () => told.map(({ event }) => event),
    once: (exec, changes) => {
      clock.hold(DEADLINE_MS)
      return runWorker(worker(exec, changes), { once: true })
    },
    stop: () => controller.abort(),
  }
}
