/** CPU time of a function. Wall time would count what else the machine does. */

/** In milliseconds. */
export async function cpuOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** The least of a few runs; the first one under the bound is enough. A loaded machine, a compiler or a collector makes single runs long. */
export async function cpuWithin(bound_ms: number, act: () => unknown, tries = 4): Promise<number> {
  let least = Infinity
  for (let run = 0; run < tries && least > bound_ms; run++) least = Math.min(least, await cpuOf(act))
  return least
}

/** A bound in milliseconds as it is held alone on a machine (`npm run growth`); beside other tests the caches are shared, and it is three times as high. */
export const boundOf = (ms: number): number => (process.env['GROWTH'] === 'all' ? ms : 3 * ms)
