/** The worker: one delegation after the other, until it is stopped. */
import { keepAsking } from '../delegations/patience.mjs'
import { claimNext, workOn } from './work.mjs'

/**
 * Given are `client`, `stop`, `tell`, `wait`, `worker` (its name), `lease_s`, `steal_s`, and of the program `exec`, `cwd`, `env` and `grace_ms`. With
 * `once` it ends after one delegation. Whether the report of the last one was recorded.
 */
export async function runWorker(given, { once }) {
  const worker = { ...given, sessions: new Set() }
  let worked = false
  let reported = false
  const ask = async () => {
    const delegation = await claimNext(worker)
    if (delegation === null) return false
    reported = await workOn(worker, delegation)
    worked = true
    return true
  }
  try {
    await keepAsking(ask, { ...worker, ended: () => worker.stop.aborted || (once && worked) })
  } catch (error) {
    // Work that a stop breaks off is not a failure.
    if (!worker.stop.aborted) throw error
  }
  return reported
}
