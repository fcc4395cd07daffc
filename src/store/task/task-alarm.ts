/** The alarm of a task's object: one for all that is due by time (U5), set after each transaction to the earliest of it. */
import type { TaskJob } from '../../core/protocol/alarm-times.ts'
import { unreadable } from '../../core/terms/unreadable.ts'

/** An alarm that could not find out what is due looks again: a later release may be able to. */
const AFTER_FAILURE_MS = 600_000

/** The jobs that are due are asked for again as long as nothing comes of them. */
const AGAIN_MS = 15_000

/** The alarm of a process that is ending goes off again, in the next one. */
const DRAINED_MS = 1_000

export type DueJob = { at: number; job: TaskJob }

interface TaskAlarmHost {
  now: () => number
  /** What is to be done for the task, and when: nothing for one that is not there; null for one that cannot be read. */
  jobs: () => DueJob[] | null
  /** Whether the task can use a run slot now. */
  needsRunSlot: () => boolean
  setAlarm: (time: number) => void
  ask: (job: TaskJob) => Promise<void>
  /** Whether the process begins nothing any more. */
  isEnding: () => boolean
}

export interface TaskAlarm {
  /** After a transaction: something else may be due. */
  plan(): void
  driveLater(ms: number, asked_ms: number): void
  wake(): boolean
  ring(): Promise<void>
  /** The object holds nothing any more. */
  forget(): void
}

export function taskAlarm({ now, jobs, needsRunSlot, setAlarm, ask, isEnding }: TaskAlarmHost): TaskAlarm {
  /** As far as it is known; what it finds due when it goes off is decided then, so it may be too early, never too late. */
  let set: number | null = null
  /** The task waits for a run slot and does not ask again before; forgotten, it only asks too early. */
  let not_before = 0
  /** When it was last told that it has a slot, or had another reason to ask for one. */
  let woken = -Infinity

  const waited = () =>
    jobs()?.map((due) => (due.job.kind === 'drive' ? { ...due, at: Math.max(due.at, not_before) } : due))
  const wakeAt = (time: number) => {
    if (set !== null && set <= time) return
    set = time
    setAlarm(time)
  }
  const wakeFor = (due: readonly DueJob[]) => {
    if (due.length > 0) wakeAt(Math.min(...due.map(({ at }) => at)))
  }
  const goOn = () => {
    not_before = 0
    woken = now()
    wakeFor(jobs() ?? [])
  }
  return {
    // What was said to it may have taken it out of the queue, or put it there.
    plan: goOn,
    driveLater(ms, asked_ms) {
      // It was handed a slot while this was under way.
      if (woken >= asked_ms) return
      set = null
      not_before = now() + ms
      wakeFor(waited() ?? [])
    },
    wake() {
      if (!needsRunSlot()) return false
      goOn()
      return true
    },
    async ring() {
      set = null
      const at = now()
      // The next process finds it due.
      if (isEnding()) return wakeAt(at + DRAINED_MS)
      try {
        const known = waited()
        if (known === undefined) throw unreadable('what is due cannot be told')
        const due = known.filter((one) => one.at <= at)
        if (due.length > 0) wakeAt(at + AGAIN_MS)
        else wakeFor(known)
        await Promise.all(due.map(({ job }) => ask(job)))
      } catch (error) {
        // Thrown away it would be tried six times and never again (F36).
        wakeAt(at + AFTER_FAILURE_MS)
        console.error(JSON.stringify({ event: 'alarm_failed', reason: error instanceof Error ? error.name : 'error' }))
      }
    },
    forget() {
      set = null
      not_before = 0
    },
  }
}
