/**
 * The turns of a tenant's driven tasks: so many at once, first come first served, so that no tenant keeps the others' tasks waiting. A
 * turn that is not given back ends by itself: its worker died.
 */
export interface Turn {
  id: string
  /** When it was first asked for, ms since the epoch. */
  asked: number
  held: boolean
  /** Until when it counts. */
  until: number
}

/** Longer than most slices take. */
const TURN_MS = 120_000
const WAIT_MS = 1_000
const WAIT_MAX_MS = 30_000

/** The turn `id` has from now on; where it is not held, it is asked for again after `wait_ms`. */
export function turnOf(turns: readonly Turn[], id: string, max: number, now_ms: number): Turn & { wait_ms: number } {
  const live = turns.filter(({ until }) => until > now_ms)
  const mine = live.find((turn) => turn.id === id)
  const asked = mine?.asked ?? now_ms
  const others = live.filter((turn) => turn.id !== id)
  const before = others.filter((turn) => turn.held || turn.asked < asked).length
  if (mine?.held === true || before < max) return { id, asked, held: true, until: now_ms + TURN_MS, wait_ms: 0 }
  const wait_ms = Math.min(WAIT_MAX_MS, WAIT_MS * Math.floor(before / max))
  // Whoever does not ask again in time has lost its place.
  return { id, asked, held: false, until: now_ms + 3 * wait_ms, wait_ms }
}
