/**
 * The turns of a tenant's driven tasks: so many at once, first come first served, so that no tenant keeps the others' tasks waiting. A
 * turn that is not given back ends by itself: its worker died.
 */
export interface Turn {
  id: string
  /** Of the slice that has it, or asks for it: only that one gives it back. */
  slice: string
  /** When it was first asked for, ms since the epoch. */
  asked: number
  held: boolean
  /** Until when it counts. */
  until: number
}

/** Longer than most slices take. */
const TURN_MS = 120_000
const WAIT_MS = 250
const WAIT_MAX_MS = 30_000

/** Whoever does not ask again in this time has lost its place. */
const PLACE_MS = 60_000

/**
 * The turn of a task from now on; where it is not held, it is asked for again after `wait_ms`. A second slice of a task that has one comes
 * under it: the lease lets one of them work, and the turn stays with the first.
 */
export function turnOf(
  turns: readonly Turn[],
  { id, slice }: Pick<Turn, 'id' | 'slice'>,
  max: number,
  now_ms: number,
): Turn & { wait_ms: number } {
  const live = turns.filter(({ until }) => until > now_ms)
  const mine = live.find((turn) => turn.id === id)
  const asked = mine?.asked ?? now_ms
  const others = live.filter((turn) => turn.id !== id)
  const before = others.filter((turn) => turn.held || turn.asked < asked).length
  if (mine?.held === true) return { ...mine, wait_ms: 0 }
  if (before < max) return { id, slice, asked, held: true, until: now_ms + TURN_MS, wait_ms: 0 }
  const wait_ms = Math.min(WAIT_MAX_MS, WAIT_MS * Math.floor(before / max))
  return { id, slice, asked, held: false, until: now_ms + wait_ms + PLACE_MS, wait_ms }
}
