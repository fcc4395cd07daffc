/**
 * Reports to the index of the tenant what a task shows, some time after a change: no request waits for it, and successive steps make one
 * report. The timer is lost with the object, so an object that was just loaded reports after its first call.
 */
interface IndexTeller {
  /** What a list shows may have changed. */
  changed(): void
  /** The object was called. After a load the index may lack the last change. */
  touched(): void
}

export const TELL_AFTER_MS = 2_000
/** A failed report is repeated a few times only: a timer keeps its object in memory. */
const RETRY_AFTER_MS = 30_000
const TRIES_MAX = 3

export function indexTeller(tell: () => Promise<void>): IndexTeller {
  let timer: ReturnType<typeof setTimeout> | null = null
  let is_informed = false
  const tellIn = (ms: number, tries = 1) => {
    if (timer !== null) return
    timer = setTimeout(() => {
      timer = null
      tell().catch(() => {
        if (tries < TRIES_MAX) tellIn(RETRY_AFTER_MS, tries + 1)
      })
    }, ms)
  }
  return {
    changed() {
      is_informed = true
      tellIn(TELL_AFTER_MS)
    },
    touched() {
      if (!is_informed) tellIn(TELL_AFTER_MS)
      is_informed = true
    },
  }
}
