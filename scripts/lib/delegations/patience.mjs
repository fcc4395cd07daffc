/** Repeated tries: the pause between them, and a wait that ends when the program is stopped. */
import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_MS = 500
const LONGEST_MS = 30_000
/** The minimum pause, also if a service says "at once". */
const SHORTEST_MS = 100
/** The longest pause after answers that came quickly and gave nothing to do. */
const IDLE_MAX_MS = 5_000
const QUICK_MS = 1_000

/** Rejects when `stop` is aborted, and at once if it is already aborted. */
export function wait(ms, stop) {
  return sleep(ms, undefined, { signal: stop })
}

/** Doubles with each failure in a row (0: the first), and is spread so that many workers do not come back together. */
export function backoff_ms(failures, random = Math.random()) {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 16))
  return Math.round(longest / 2 + (random * longest) / 2)
}

/** The pause until the next try, after an outcome `again`. */
export function pause_ms({ retry_after_ms }, failures) {
  return retry_after_ms === null ? backoff_ms(failures) : Math.max(retry_after_ms, SHORTEST_MS)
}

/**
 * Repeats `attempt` as long as its outcome is `again`, at most `tries` times, and says so each time; `what` is for people. The caller
 * hands in its `wait`, `stop` and `tell`.
 */
export async function patiently(what, attempt, { wait, stop, tell, tries = Infinity }) {
  for (let failures = 0; ; failures += 1) {
    const outcome = await attempt()
    if (outcome.kind !== 'again' || failures + 1 >= tries) return outcome
    const wait_ms = pause_ms(outcome, failures)
    tell({ event: 'retrying', what, reason: outcome.reason, wait_ms })
    await wait(wait_ms, stop)
  }
}

/** Repeats `ask` until `ended`. `ask` says whether it has done something; if it quickly did nothing, a pause follows. */
export async function keepAsking(ask, { wait, stop, ended }) {
  for (let idle = 0; !ended();) {
    const asked = performance.now()
    const busy = await ask()
    idle = busy || performance.now() - asked > QUICK_MS ? 0 : idle + 1
    if (idle > 0) await wait(Math.min(backoff_ms(idle - 1), IDLE_MAX_MS), stop)
  }
}
