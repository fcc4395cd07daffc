/** Lengths of time in ms. A day is one of UTC, or of a wall clock without a zone, so it always has 24 hours. */
export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
