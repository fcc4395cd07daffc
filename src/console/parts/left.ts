/** How long there is still until a moment. */

const SECOND_MS = 1000
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
export type LeftUnit = (typeof UNITS)[number][0]

/** The two largest units that are not nothing, such as 1 hour 5 minutes; none when it is over, or no moment at all. */
export function leftUntil(at: string, now_ms: number): { unit: LeftUnit; count: number }[] {
  let seconds = Math.ceil((Date.parse(at) - now_ms) / SECOND_MS)
  if (!(seconds > 0)) return []
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(seconds / size)
    seconds -= count * size
    return { unit, count }
  })
  const first = parts.findIndex(({ count }) => count > 0)
  return parts.slice(first, first + 2).filter(({ count }) => count > 0)
}
