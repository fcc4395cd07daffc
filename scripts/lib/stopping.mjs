/**
 * Decides what a request to stop means. The first request lets the work that is under way finish. A later signal ends the process at once, but only
 * a signal that a person can have meant: a process group, a parent and npm may each deliver the same signal, milliseconds apart.
 */
const SAME_SIGNAL_MS = 1_000

/** `drain` begins to stop and is called once; `abort` ends the process at once; `now_ms` is a clock that never goes back. */
export function stopRequests({ drain, abort, now_ms = () => performance.now() }) {
  let is_draining = false
  let first_signal_ms = null
  const begin = () => {
    if (is_draining) return
    is_draining = true
    drain()
  }
  return {
    /** Whoever started this process is gone. That follows from many signals, so it never counts as a second one. */
    orphaned: begin,
    signaled() {
      const now = now_ms()
      first_signal_ms ??= now
      if (now - first_signal_ms >= SAME_SIGNAL_MS) return abort()
      begin()
    },
  }
}
