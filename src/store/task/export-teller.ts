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

/** `owedIn` answers in how many ms there is something to export; null: nothing is owed. A patient look is followed by one that is not. */
export function exportTeller(owedIn: (is_patient: boolean) => number | null, ask: () => Promise<void>): ExportTeller {
  let timer: ReturnType<typeof setTimeout> | null = null
  let is_known = false
  let tries = 0
  /** Since the last job no row was closed, so the timer waits for the end of a run or for another try. */
  let is_quiet = false
  const look = (is_patient: boolean) => {
    timer = null
    const wait = owedIn(is_patient)
    if (wait === null || wait > WAIT_MS_MAX) return
    if (wait > 0) return lookIn(wait, false)
    if (tries >= TRIES_MAX) return
    tries += 1
    ask().catch(() => lookIn(AGAIN_MS, false))
  }
  const lookIn = (ms: number, is_patient: boolean) => {
    timer ??= setTimeout(look, ms, is_patient)
  }
  const stop = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    changed() {
      is_known = true
      tries = 0
      // New rows go with the end of their run, which is further away now.
      if (is_quiet) stop()
      is_quiet = false
      lookIn(EXPORT_AFTER_MS, true)
    },
    settled(is_ahead) {
      if (is_ahead) tries = 0
      stop()
      look(false)
      is_quiet = true
    },
    touched() {
      if (!is_known) lookIn(EXPORT_AFTER_MS, true)
      is_known = true
    },
  }
}
