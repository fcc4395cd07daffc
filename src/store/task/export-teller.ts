/**
 * Asks for the export of a task some time after a change: no request waits for it, and successive steps make one export. The timer is lost
 * with the object, so an object that was just loaded looks again after its first call. What is owed stands in the rows.
 */
interface ExportTeller {
  /** Rows may have been closed. */
  changed(): void
  /** A job is done. `is_ahead`: some consumer has come on by it. */
  settled(is_ahead: boolean): void
  /** The object was called. After a load rows may be owed. */
  touched(): void
}

const EXPORT_AFTER_MS = 5_000
/** A queue that takes no job is asked again a few times only: a timer keeps its object in memory. What a lost job owes is found later. */
const AGAIN_MS = 30_000
const TRIES_MAX = 3
/** What is due later is left to the next change, or to the alarm. */
const WAIT_MS_MAX = 30_000

/** `owedIn` answers in how many ms there is something to export; null: nothing is owed. */
export function exportTeller(owedIn: () => number | null, ask: () => Promise<void>): ExportTeller {
  let timer: ReturnType<typeof setTimeout> | null = null
  let is_known = false
  let tries = 0
  const look = () => {
    timer = null
    const wait = owedIn()
    if (wait === null || wait > WAIT_MS_MAX) return
    if (wait > 0) return lookIn(wait)
    if (tries >= TRIES_MAX) return
    tries += 1
    ask().catch(() => lookIn(AGAIN_MS))
  }
  const lookIn = (ms: number) => {
    timer ??= setTimeout(look, ms)
  }
  return {
    changed() {
      is_known = true
      tries = 0
      lookIn(EXPORT_AFTER_MS)
    },
    settled(is_ahead) {
      if (is_ahead) tries = 0
      if (timer !== null) clearTimeout(timer)
      look()
    },
    touched() {
      if (!is_known) lookIn(EXPORT_AFTER_MS)
      is_known = true
    },
  }
}
