/**
 * A time zone as a VTIMEZONE component in jCal (RFC 7265). It lists each change of the clocks by the tables of the runtime. So
 * a calendar program without tables of its own computes the same instants as the service.
 */
import { offsetChanges, offsetAt } from './zones.ts'
import { MINUTE_MS } from '../terms/plain/durations.ts'

export type Recur = Record<string, string | number | number[]>
export type Property = readonly [name: string, parameters: Record<string, string>, type: string, value: string | Recur]
/** A component of jCal (RFC 7265). */
export type JCal = [name: string, properties: Property[], components: JCal[]]

/** `+01:00` */
function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS
  const two = (value: number) => String(value).padStart(2, '0')
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** The wall clock just before a change. VTIMEZONE gives each change in the offset that held before it. */
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

/** The component is right between the two instants. Outside of them the first offset, or the last one, is continued. */
export function zoneComponent(timezone: string, from_ms: number, to_ms: number): JCal {
  const first = offsetAt(from_ms, timezone)
  const begin = observance('standard', [clockBefore(from_ms, first)], first, first)
  const changes = offsetChanges(timezone, from_ms, to_ms)
  const kinds = new Map(changes.map((change) => [`${change.before} ${change.after}`, change]))
  const observances = [...kinds.values()].map(({ before, after }) => {
    const sameChanges = changes.filter((change) => change.before === before && change.after === after)
    const starts = sameChanges.map(({ at }) => clockBefore(at, before))
    return observance(after > before ? 'daylight' : 'standard', starts, before, after)
  })
  return ['vtimezone', [['tzid', {}, 'text', timezone]], [begin, ...observances]]
}
