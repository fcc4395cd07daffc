/** What the page knows of a task that it follows, and the parts of a browser that following needs. */
import type { StartTimer } from './asker.ts'
import { traitsOf } from './mode-traits.ts'
import type { Envelope, Problem, TaskView } from './wire.ts'

export interface LiveState {
  /** null before the first answer. */
  task: TaskView | null
  /** The `ETag` of exactly that task. An edit of its plan names it. */
  etag: string | null
  /** All events from the first one on, in the order of `seq`, without gaps. */
  events: readonly Envelope[]
  /** `ended`: no event will come, except those of the next run of a session. `asleep`: the page is hidden. */
  connection: 'connecting' | 'live' | 'lost' | 'ended' | 'asleep'
  /** Why the task cannot be read; null when it can. */
  problem: Problem | null
}
export const UNREAD_TASK: LiveState = { task: null, etag: null, events: [], connection: 'connecting', problem: null }

export interface BrowserPort {
  open: (url: string) => EventSource
  startTimer: StartTimer
  /** Whether the page is hidden. */
  isHidden: () => boolean
  /** Calls `listener` whenever the page is hidden or shown; returns a function that ends this. */
  onVisibility: (listener: () => void) => () => void
  /** Calls `listener` when there is a network again; returns a function that ends this. */
  onOnline: (listener: () => void) => () => void
}

export type LiveStore = ReturnType<typeof liveStore>
/** Holds the state until the follower stops. After that nothing changes any more. */
export function liveStore(onChange: (live: LiveState) => void) {
  let isStopped = false
  const store = {
    live: UNREAD_TASK,
    set(change: Partial<LiveState>) {
      if (isStopped) return
      store.live = { ...store.live, ...change }
      onChange(store.live)
    },
    isStopped: () => isStopped,
    stop() {
      isStopped = true
    },
  }
  return store
}

/** Whether a task has come to an end that its event stream ends with. */
export const hasEnded = ({ status }: Pick<TaskView, 'status'>) =>
  status === 'completed' || status === 'failed' || status === 'canceled'

/** Whether the task has ended and may still go on with another run. */
export const mayReopen = ({ task, connection, problem }: LiveState) =>
  connection === 'ended' &&
  problem === null &&
  task !== null &&
  task.status === 'completed' &&
  traitsOf(task.mode).reopens
