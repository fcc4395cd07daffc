/** Types of worker.mjs for the tests. */
import type { DelegationClient } from '../delegations.d.mts'
import type { Told } from '../delegations/told.d.mts'

export interface Worker {
  client: DelegationClient
  stop: AbortSignal
  tell(told: Told): void
  wait(ms: number, stop?: AbortSignal): Promise<void>
  worker: string
  lease_s: number
  steal_s: number
  overtime_s?: number
  exec: string
  cwd: string
  env: Record<string, string | undefined>
  grace_ms?: number
  /** In milliseconds, by which the program is timed. */
  now?: () => number
}
export function runWorker(worker: Worker, options: { once: boolean }): Promise<boolean>
