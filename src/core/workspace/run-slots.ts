/**
 * The run slots of a tenant: at most so many of its tasks are driven at once. A slot belongs to a task, not to one of its slices, and is
 * handed to the task that waited longest when its holder rests or ends. The decisions are here; the rows are in the workspace.
 */

/** A task that holds a slot, or waits for one, at the version it had when it asked: what is known of an earlier version is stale. */
export interface SlotClaim {
  task: string
  version: number
}

/** The rows of one workspace. No method may read more rows than it answers. */
export interface RunSlotRows {
  /** How many tasks hold a slot. */
  countHeld(): number
  findHolder(task: string): SlotClaim | null
  /** Gives the task a slot, or writes another version and time for one that has it. */
  saveHolder(claim: SlotClaim, look_at: number): void
  removeHolder(task: string): void
  findWaiting(task: string): SlotClaim | null
  /** Puts the task at the end of the queue; one that waits already keeps its place. */
  saveWaiting(claim: SlotClaim): void
  removeWaiting(task: string): void
  firstWaiting(): SlotClaim | null
  /** Holders whose time to be looked after has come, the earliest first. */
  holdersDue(now_ms: number, limit: number): SlotClaim[]
  /** When the next holder has to be looked after; null: there is no holder. */
  nextLook(): number | null
}

export interface SlotLimits {
  max: number
  now_ms: number
}

/**
 * The workspace asks a holder whether it still works when it has not asked for so long. A holder asks once a slice (25 s and what is left of
 * its last effect), so that few of those at work are asked; one that came to rest unheard before a kill keeps its slot no longer.
 */
const LOOK_MS = 35_000
/** A task that was told of its slot, and does not come for it, is told again. */
const WAKE_AGAIN_MS = 10_000

/** A task that is to go on within this time keeps its slot; one that waits longer gives it to another. */
export const SLOT_KEPT_MS = 1_000

/** What came of asking for a slot; `wake_at`: when the workspace has to wake or look after a holder because of it, null: not sooner than before. */
export interface SlotAnswer {
  held: boolean
  wake_at: number | null
}

/** The task now holds a slot, or waits for one. A task that asks again keeps the slot, or the place, that it has. */
export function acquireSlot(rows: RunSlotRows, claim: SlotClaim, { max, now_ms }: SlotLimits): SlotAnswer {
  const comes = rows.findHolder(claim.task) !== null || isFree(rows, max)
  if (!comes) rows.saveWaiting(claim)
  // Where more slots were allowed meanwhile, the next ones in the queue get them.
  const handed = assignFreeSlots(rows, { max, now_ms })
  if (!comes && rows.findHolder(claim.task) === null) return { held: false, wake_at: handed }
  // It has come for its slot: nobody has to wake it.
  rows.saveHolder(claim, now_ms + LOOK_MS)
  return { held: true, wake_at: handed ?? now_ms + LOOK_MS }
}

const isFree = (rows: RunSlotRows, max: number) => rows.countHeld() < max && rows.firstWaiting() === null

/**
 * The task rests or has ended, as its versions below `below` do not know: it leaves the queue, and its slot goes to the next task. A task
 * that asked at `below` or later has gone on since, and keeps what it has. Answers when the next holder has to be woken.
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
 * The id may belong to another task by now, whose versions begin anew: no version that was said of it counts any more, so the next rest of either
 * task frees the slot. It is not taken away, because the create of a task at work may only have been repeated.
 */
export function forgetVersions(rows: RunSlotRows, task: string, now_ms: number): void {
  if (rows.findHolder(task) !== null) rows.saveHolder({ task, version: 0 }, now_ms + LOOK_MS)
  if (rows.findWaiting(task) !== null) rows.saveWaiting({ task, version: 0 })
}

/** Slots that are free go to the tasks that have waited longest; each is to be woken at once. */
function assignFreeSlots(rows: RunSlotRows, { max, now_ms }: SlotLimits): number | null {
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

/** Holders that have to be woken, or asked whether they still work; each of them comes again until it has asked for its slot. */
export function holdersToWake(rows: RunSlotRows, limit: number, now_ms: number): string[] {
  const due = rows.holdersDue(now_ms, limit)
  for (const claim of due) rows.saveHolder(claim, now_ms + WAKE_AGAIN_MS)
  return due.map(({ task }) => task)
}
