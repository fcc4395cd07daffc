/** One event stream of a task. It passes each event on once, in order; events that arrive together are passed on together. */
import type { StartTimer } from './asker.ts'
import { EVENT_TYPES } from '../../core/terms/plain/wire-names.ts'
import type { Envelope } from './wire.ts'

export interface StreamListener {
  onOpen(): void
  onEvents(events: Envelope[]): void
  /** The browser connects again by itself, unless the service refused the link. */
  onLost(isRefused: boolean): void
  onEnd(): void
}
export interface EventStream {
  isOpen(): boolean
  close(): void
}

/** The values of `EventSource.readyState`. */
const OPEN = 1
const CLOSED = 2

export function eventStream(
  source: EventSource,
  after: number,
  startTimer: StartTimer,
  listener: StreamListener,
): EventStream {
  let [batch, lastSeq, isClosed]: [Envelope[], number, boolean] = [[], after, false]
  const passOn = () => {
    const events = batch
    batch = []
    if (!isClosed && events.length > 0) listener.onEvents(events)
  }
  const receive = ({ data }: MessageEvent<string>) => {
    // The service writes one envelope into each message (`data:` of its event streams).
    const event = JSON.parse(data) as Envelope
    if (event.seq <= lastSeq) return
    lastSeq = event.seq
    batch.push(event)
    // A stream that opens sends hundreds of events at once. Drawing each of them would block the page.
    if (batch.length === 1) startTimer(passOn, 0)
  }
  const close = () => {
    isClosed = true
    source.close()
  }
  source.addEventListener('open', listener.onOpen)
  source.addEventListener('error', () => {
    if (!isClosed) listener.onLost(source.readyState === CLOSED)
  })
  for (const name of EVENT_TYPES) source.addEventListener(name, receive)
  source.addEventListener('end', () => {
    passOn()
    close()
    listener.onEnd()
  })
  return { isOpen: () => source.readyState === OPEN, close }
}
