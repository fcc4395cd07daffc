/** What a follower knows of a task, and the event stream that tells it: opened again where it broke, let go while nobody looks. */
import { eventStream, type EventStream, type Told } from './event-stream.ts'
import type { Live, Surroundings } from './live.ts'

export type State = ReturnType<typeof stateOf>
export function stateOf(changed: (live: Live) => void) {
  let stopped = false
  const state = {
    live: { task: null, etag: null, events: [], connection: 'connecting', problem: null } as Live, // widened: it begins as nothing
    set(change: Partial<Live>) {
      if (stopped) return
      state.live = { ...state.live, ...change }
      changed(state.live)
    },
    stopped: () => stopped,
    stop() {
      stopped = true
    },
  }
  return state
}

/** The event stream of the task, opened again where it broke; `refused`: its link is not good any more. */
export type Line = ReturnType<typeof lineOf>
export function lineOf(
  state: State,
  around: Surroundings,
  told: { opened: () => void; happened: () => void; refused: () => void },
) {
  let stream: EventStream | null = null
  let monitor: string | null = null
  const close = () => {
    stream?.close()
    stream = null
  }
  const parts: Told = {
    opened() {
      state.set({ connection: 'live' })
      told.opened()
    },
    happened(events) {
      state.set({ events: [...state.live.events, ...events] })
      told.happened()
    },
    lost(refused) {
      state.set({ connection: 'lost' })
      if (!refused) return
      close()
      monitor = null
      told.refused()
    },
    ended() {
      stream = null
      state.set({ connection: 'ended' })
      told.happened()
    },
  }
  return {
    close,
    isKnown: () => monitor !== null,
    /** Where it is, as the latest answer says it; null: that said nothing. */
    at(link: string | null) {
      monitor = link ?? monitor
    },
    open() {
      if (stream?.isOpen() === true) return state.set({ connection: 'live' })
      if (stream !== null || monitor === null || state.stopped()) return
      if (around.hidden()) return state.set({ connection: 'asleep' })
      const after = state.live.events.at(-1)?.seq ?? 0
      stream = eventStream(around.open(`${monitor}&after=${after}`), after, around.later, parts)
    },
    sleep() {
      if (stream === null) return
      close()
      state.set({ connection: 'asleep' })
    },
  }
}
