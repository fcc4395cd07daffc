/** The ticks of a schedule. */
import { offsetAt, offsetChanges } from '../zones.ts'

export interface Ticks {
  /** The first tick after this time. null: there is none. */
  next(after: number): number | null
}

/** Ticks at equal distances from `anchor_ms` on. The anchor itself is none. */
export const intervalTicks = (every_ms: number, anchor_ms: number): Ticks => ({
  next: (after) => anchor_ms + Math.max(1, Math.floor((after - anchor_ms) / every_ms) + 1) * every_ms,
})

/** The times of a wall clock that an expression names, as if the clock were UTC. */
export interface WallTimes {
  next(after: number): number | null
  /** Whether the expression names hours. Without them it means a time that passes, and not a time of the day. */
  names_hours: boolean
}

/**
 * The instants of these wall times in a zone. Where the expression names hours, a time that occurs twice is used once, the first time, and
 * all times that a change skips become one tick at the moment of the change. Otherwise each instant counts whose wall clock fits, so
 * that `0 * * * *` comes every 60 minutes on every day.
 */
export function zonedTicks({ next, names_hours }: WallTimes, timezone: string): Ticks {
  const nextInstant = (after: number): number | null => {
    let [since, offset] = [after, offsetAt(after, timezone)]
    /** The wall times up to here have passed, or have been used. */
    let passed = Math.max(after + offset, names_hours ? lastWallBefore(after, timezone) : -Infinity)
    for (;;) {
      const wall = next(passed)
      if (wall === null) return null
      const change = offsetChanges(timezone, since, wall - offset).find(({ at }) => at > since)
      if (change === undefined) return wall - offset
      const { at, before, after: later } = change
      // The times of the gap come at its end.
      if (names_hours && wall < at + later) return at
      // One ms earlier, so that a tick at the change itself is found.
      passed = names_hours ? Math.max(passed, at + Math.max(before, later) - 1) : at + later - 1
      ;[since, offset] = [at, later]
    }
  }
  return { next: nextInstant }
}

/** How far back a change of the offset may still matter: no zone moves its clock by more than a day. */
const LOOK_BACK_MS = 25 * 3_600_000

/** The latest wall time that was reached by this instant. After a clock was set back it is later than the present one. */
function lastWallBefore(instant: number, timezone: string): number {
  const changes = offsetChanges(timezone, instant - LOOK_BACK_MS, instant)
  return Math.max(-Infinity, ...changes.map(({ at, before }) => at + before - 1))
}
