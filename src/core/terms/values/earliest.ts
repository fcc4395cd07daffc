/** The first of several times at which something is due. */

/** null: there is none; Infinity is never. */
export function earliest(times: readonly number[]): number | null {
  const first = times.reduce((one, other) => Math.min(one, other), Infinity)
  return first === Infinity ? null : first
}
