/** The event stream of a task that is followed. It is opened again where it broke, and closed while the page is hidden. */
import { eventStream, type EventStream, type StreamListener } from './event-stream.ts'
import type { BrowserPort, LiveStore } from './live-state.ts'

export type TaskStream = ReturnType<typeof taskStream>
/** `onRefused`: the service does not accept the link of the stream any more. */
export function taskStream(
  store: LiveStore,
  browser: BrowserPort,
  { onOpen, onNews, onRefused }: { onOpen: () => void; onNews: () => void; onRefused: () => void },
) {
  let stream: EventStream | null = null
  let link: string | null = null
  const close = () => {
    stream?.close()
    stream = null
  }
  const listener: StreamListener = {
    onOpen() {
      store.set({ connection: 'live' })
      onOpen()
    },
    onEvents(events) {
      store.set({ events: [...store.live.events, ...events] })
      onNews()
    },
    onLost(isRefused) {
      store.set({ connection: 'lost' })
      if (!isRefused) return
      close()
      link = null
      onRefused()
    },
    onEnd() {
      stream = null
      store.set({ connection: 'ended' })
      onNews()
    },
  }
  return {
    close,
    hasLink: () => link !== null,
    /** Takes the link of the latest answer; null: that answer had none. */
    setLink(latest: string | null) {
      link = latest ?? link
    },
    open() {
      if (stream?.isOpen() === true) return store.set({ connection: 'live' })
      if (stream !== null || link === null || store.isStopped()) return
      if (browser.isHidden()) return store.set({ connection: 'asleep' })
      const after = store.live.events.at(-1)?.seq ?? 0
      stream = eventStream(browser.open(`${link}&after=${after}`), after, browser.startTimer, listener)
    },
    sleep() {
      if (stream === null) return
      close()
      store.set({ connection: 'asleep' })
    },
  }
}
