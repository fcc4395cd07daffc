/** One event stream of a task: its events in order, each once, together when they come together. */
import type { Later } from './asker.ts'
import { EVENTS } from './event-types.ts'
import type { Envelope } from './wire.ts'

export interface Told {
  opened(): void
  happened(events: Envelope[]): void
  /** The browser tries again by itself, unless it was `refused`: then the link is not good any more. */
  lost(refused: boolean): void
  ended(): void
}
export interface EventStream {
  isOpen(): boolean
  close(): void
}

/** As `EventSource` has them. */
const OPEN = 1
const CLOSED = 2

export function eventStream(source: EventSource, after: number, later: Later, told: Told): EventStream {
  let [arrived, last, closed]: [Envelope[], number, boolean] = [[], after, false]
  const tell = () => {
    const events = arrived
    arrived = []
    if (!closed && events.length > 0) told.happened(events)
  }
  const take = ({ data }: MessageEvent<string>) => {
    // The service writes one envelope into each message (`data:` of its event streams).
    const event = JSON.parse(data) as Envelope
    if (event.seq <= last) return
    last = event.seq
    arrived.push(event)
    // A stream that begins tells hundreds at once.
    if (arrived.length === 1) later(tell, 0)
  }
  const close = () => {
    closed = true
    source.close()
  }
  source.addEventListener('open', told.opened)
  source.addEventListener('error', () => {
    if (!closed) told.lost(source.readyState === CLOSED)
  })
  for (const type of EVENTS) source.addEventListener(type, take)
  source.addEventListener('end', () => {
    tell()
    close()
    told.ended()
  })
  return { isOpen: () => source.readyState === OPEN, close }
}
