/**
 * A time zone as calendar programs want it told (VTIMEZONE): the changes of its clocks by the tables of the runtime, one by one, so that a
 * program without tables of its own reads the same instants as the service. Plain jCal (RFC 7265).
 */
import { offsetChanges, offsetAt } from './zones.ts'

export type Recur = Record<string, string | number | number[]>
export type Property = readonly [name: string, parameters: Record<string, string>, type: string, value: string | Recur]
/** A component of jCal (RFC 7265). */
export type JCal = [name: string, properties: Property[], components: JCal[]]

const MINUTE_MS = 60_000

/** `+01:00` */
function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS
  const two = (value: number) => String(value).padStart(2, '0')
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** A clock that is about to be changed shows the offset of before. */
const clockBefore = (at: number, before: number) => new Date(at + before).toISOString().slice(0, 19)

const observance = (name: string, starts: string[], before: number, after: number): JCal => [
  name,
  [
    ['dtstart', {}, 'date-time', starts[0] ?? ''],
    ...starts.slice(1).map((start) => ['rdate', {}, 'date-time', start] as const),
    ['tzoffsetfrom', {}, 'utc-offset', offsetText(before)],
    ['tzoffsetto', {}, 'utc-offset', offsetText(after)],
  ],
  [],
]

/** Right between the two instants; before them the offset of the first holds, after them that of the last change. */
export function zoneComponent(timezone: string, from_ms: number, to_ms: number): JCal {
  const first = offsetAt(from_ms, timezone)
  const begin = observance('standard', [clockBefore(from_ms, first)], first, first)
  const changes = offsetChanges(timezone, from_ms, to_ms)
  const kinds = new Map(changes.map((change) => [`${change.before} ${change.after}`, change]))
  const changed = [...kinds.values()].map(({ before, after }) => {
    const alike = changes.filter((change) => change.before === before && change.after === after)
    const starts = alike.map(({ at }) => clockBefore(at, before))
    return observance(after > before ? 'daylight' : 'standard', starts, before, after)
  })
  return ['vtimezone', [['tzid', {}, 'text', timezone]], [begin, ...changed]]
}
