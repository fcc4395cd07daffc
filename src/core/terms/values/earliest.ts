/** The earliest of several times. Infinity means never. null: there is no such time. */
export function earliest(times: readonly number[]): number | null {
  const first = times.reduce((one, other) => Math.min(one, other), Infinity)
  return first === Infinity ? null : first
}
