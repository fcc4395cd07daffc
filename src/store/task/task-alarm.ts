/** The alarm of a task object. One alarm serves all times of the task (U5): each transaction sets it to the earliest. */
import type { TaskJob } from '../../core/protocol/alarm-times.ts'
import { unreadable } from '../../core/terms/unreadable.ts'
import { errorFacts } from '../../telemetry/error-facts.ts'
import { isolateLog } from '../../telemetry/isolate.ts'

/** An alarm that cannot compute what is due looks again later: a later release may be able to. */
const AFTER_FAILURE_MS = 600_000

/** The alarm asks again for jobs that are due until their result is stored. */
const AGAIN_MS = 15_000

/** In a process that ends the alarm is put off to the next process. */
const DRAINED_MS = 1_000

export type DueJob = { at: number; job: TaskJob }

interface TaskAlarmHost {
  now: () => number
  /** The jobs of the task and their times: empty where there is no task, null where it cannot be read. */
  jobs: () => DueJob[] | null
  /** Whether the task can use a run slot now. */
  needsRunSlot: () => boolean
  setAlarm: (time: number) => void
  ask: (job: TaskJob) => Promise<void>
  /** Whether the process is draining and begins no work. */
  isEnding: () => boolean
}

export interface TaskAlarm {
  /** Called after a transaction, which may have changed what is due. */
  plan(): void
  /** Called after something that was due was done. The alarm may come later than it was set to. `is_due`: something may be due sooner. */
  replan(is_due: boolean): void
  driveLater(ms: number, asked_ms: number): void
  wake(): boolean
  ring(): Promise<void>
  /** Called when the storage of the object was emptied. */
  forget(): void
}

export function taskAlarm({ now, jobs, needsRunSlot, setAlarm, ask, isEnding }: TaskAlarmHost): TaskAlarm {
  /** The time the alarm is set to, where known. What is due is decided when it goes off, so it may be too early but never too late. */
  let set: number | null = null
  /** A task that waits for a run slot does not ask again before this time. If the value is lost, it asks too early. */
  let not_before = 0
  /** When the task last had a reason to ask for a run slot, such as being handed one. */
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
    // The change may have taken the task out of the queue, or put it there.
    plan: goOn,
    replan(is_due) {
      const time = Math.min(...(waited() ?? []).map(({ at }) => at))
      if (time === Infinity || time === set || (set === null && !is_due)) return
      set = time
      setAlarm(time)
    },
    driveLater(ms, asked_ms) {
      // The task was handed a slot while this call was under way.
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
      const at = now()
      // What is due at once was due when the alarm was set for it. After a reload that time is not known.
      const planned = set ?? at
      set = null
      // The next process finds the jobs due.
      if (isEnding()) return wakeAt(at + DRAINED_MS)
      try {
        const known = waited()
        if (known === undefined) throw unreadable('what is due cannot be told')
        const due = known.filter((one) => one.at <= at)
        if (due.length > 0) wakeAt(at + AGAIN_MS)
        else wakeFor(known)
        await Promise.all(due.map((one) => ask({ ...one.job, due_ms: Math.min(one.at, planned) })))
      } catch (error) {
        // If this threw, the runtime would retry six times and then drop the alarm (F36).
        wakeAt(at + AFTER_FAILURE_MS)
        isolateLog.write({ event: 'alarm_failed', ...errorFacts(error) })
      }
    },
    forget() {
      set = null
      not_before = 0
    },
  }
}
