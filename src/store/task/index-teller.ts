/**
 * Tells the index of the tenant what a task shows, some time after it changed: no request waits for it, and steps that follow each
 * other are told once. The timer is lost with the object, so one that has just been loaded tells the index after its first call.
 */
interface IndexTeller {
  /** Something that a list shows may be new. */
  changed(): void
  /** The object was asked for something: its index may not know what was told last before the object was loaded. */
  touched(): void
}

export const TELL_AFTER_MS = 2_000
/** An index that could not be told is tried again, but not for ever: a timer keeps its object in memory. */
const RETRY_AFTER_MS = 30_000
const TRIES_MAX = 3

export function indexTeller(tell: () => Promise<void>): IndexTeller {
  let timer: ReturnType<typeof setTimeout> | null = null
  let known = false
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
      known = true
      tellIn(TELL_AFTER_MS)
    },
    touched() {
      if (!known) tellIn(TELL_AFTER_MS)
      known = true
    },
  }
}
