/**
 * The run slots of a tenant, which bound how many of its tasks are driven at once. A slot belongs to a task, not to a slice.
 * When its holder becomes idle or ends, the slot goes to the task that has waited longest. This file decides, and the
 * workspace stores the rows.
 */

/** A task that holds a slot or waits for one, with its version when it asked. News of an earlier version is stale. */
export interface SlotClaim {
  task: string
  version: number
}

/** The rows of one workspace. No method may read more rows than it returns. */
export interface RunSlotRows {
  /** How many tasks hold a slot. */
  countHeld(): number
  findHolder(task: string): SlotClaim | null
  /** Gives the task a slot. A task that has one gets the new version and time. */
  saveHolder(claim: SlotClaim, look_at: number): void
  removeHolder(task: string): void
  findWaiting(task: string): SlotClaim | null
  /** Puts the task at the end of the queue. A task that already waits keeps its place. */
  saveWaiting(claim: SlotClaim): void
  removeWaiting(task: string): void
  firstWaiting(): SlotClaim | null
  /** The holders that are due to be checked, the earliest first. */
  holdersDue(now_ms: number, limit: number): SlotClaim[]
  /** When the next holder is due to be checked. null: there is no holder. */
  nextLook(): number | null
}

export interface SlotLimits {
  max: number
  now_ms: number
}

/**
 * A holder that has not asked for so long is checked by the workspace. A holder asks once per slice (25 s and the end of its
 * last effect), so few working holders are checked. Without the check a task that became idle just before a crash would keep
 * its slot.
 */
const LOOK_MS = 35_000
/** A task that got a slot and has not asked for it is woken again after this time. */
const WAKE_AGAIN_MS = 10_000

/** A task that goes on within this time keeps its slot. A task that waits longer gives it to another. */
export const SLOT_KEPT_MS = 1_000

/** `wake_at` is when the workspace has to wake or check a holder. null: not earlier than it already planned. */
interface SlotAnswer {
  held: boolean
  wake_at: number | null
}

/** Gives the task a slot, or puts it into the queue. A task that asks again keeps its slot, or its place. */
export function acquireSlot(rows: RunSlotRows, claim: SlotClaim, { max, now_ms }: SlotLimits): SlotAnswer {
  const getsSlot = rows.findHolder(claim.task) !== null || isFree(rows, max)
  if (!getsSlot) rows.saveWaiting(claim)
  // If the limit was raised, the next tasks in the queue get the new slots.
  const wake_at = assignFreeSlots(rows, { max, now_ms })
  if (!getsSlot && rows.findHolder(claim.task) === null) return { held: false, wake_at }
  // The task is running, so it need not be woken.
  rows.saveHolder(claim, now_ms + LOOK_MS)
  return { held: true, wake_at: wake_at ?? now_ms + LOOK_MS }
}

const isFree = (rows: RunSlotRows, max: number) => rows.countHeld() < max && rows.firstWaiting() === null

/**
 * Frees the slot of a task that is idle or has ended, and gives it to the next task. The task leaves the queue too. A task
 * that asked at version `below` or later has gone on since, and keeps what it has. The answer is when to wake the next holder.
 */
export function freeSlot(rows: RunSlotRows, task: string, below: number, limits: SlotLimits): number | null {
  const waiting = rows.findWaiting(task)
  if (waiting !== null && waiting.version < below) rows.removeWaiting(task)
  const holder = rows.findHolder(task)
  if (holder === null || holder.version >= below) return null
  rows.removeHolder(task)
  return assignFreeSlots(rows, limits)
}

/**
 * Forgets the versions of an id that may belong to a new task now, whose versions begin again. So the slot is freed when
 * either task becomes idle. The slot is not taken away, because the create of a running task may only have been repeated.
 */
export function forgetVersions(rows: RunSlotRows, task: string, now_ms: number): void {
  if (rows.findHolder(task) !== null) rows.saveHolder({ task, version: 0 }, now_ms + LOOK_MS)
  if (rows.findWaiting(task) !== null) rows.saveWaiting({ task, version: 0 })
}

/** Gives free slots to the tasks that have waited longest. Each of them has to be woken at once. */
export function assignFreeSlots(rows: RunSlotRows, { max, now_ms }: SlotLimits): number | null {
  let wake_at: number | null = null
  for (let free = max - rows.countHeld(); free > 0; free--) {
    const next = rows.firstWaiting()
    if (next === null) break
    rows.removeWaiting(next.task)
    rows.saveHolder(next, now_ms)
    wake_at = now_ms
  }
  return wake_at
}

/** The holders to wake or to check now. Each of them is returned again until it has asked for its slot. */
export function holdersToWake(rows: RunSlotRows, limit: number, now_ms: number): string[] {
  const due = rows.holdersDue(now_ms, limit)
  for (const claim of due) rows.saveHolder(claim, now_ms + WAKE_AGAIN_MS)
  return due.map(({ task }) => task)
}
