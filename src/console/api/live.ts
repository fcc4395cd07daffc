/**
 * Follows one task: what has happened by its event stream, what it is by asking again. Nothing is computed from an event that the service
 * has not said itself. A hidden page lets its stream go – browsers hold six connections to a host – and goes on where it was.
 */
import { askerOf, type Later } from './asker.ts'
import type { Answer, Client } from './client.ts'
import { eventStream, type EventStream, type Told } from './event-stream.ts'
import { get, ofTask } from './request.ts'
import type { Envelope, Problem, TaskView } from './wire.ts'

/** `ended`: nothing will come any more; `asleep`: the page is hidden. */
export type Connection = 'connecting' | 'live' | 'lost' | 'ended' | 'asleep'

export interface Live {
  /** null before the first answer. */
  task: TaskView | null
  /** The `ETag` of exactly that task: what an edit of its plan is made on. */
  etag: string | null
  /** From the first one on, by seq, without gaps. */
  events: readonly Envelope[]
  connection: Connection
  /** Why the task cannot be read; null when it can. */
  problem: Problem | null
}

/** The parts of a browser that are used here. */
export interface Surroundings {
  open: (url: string) => EventSource
  later: Later
  /** Whether the page is hidden, and being told when that changes. */
  hidden: () => boolean
  onShown: (told: () => void) => () => void
}

export interface Follower {
  /** Takes the answer of an action, which shows the task; `etag`: of that very answer. */
  take(task: TaskView, etag: string | null): void
  /** Asks again now. */
  refresh(): void
  stop(): void
}

const RETRY_MS = [1_000, 2_000, 5_000, 10_000] as const
const retryAfter = (failures: number) => RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? RETRY_MS[0]

export function follow(client: Client, id: string, around: Surroundings, changed: (live: Live) => void): Follower {
  const state = stateOf(changed)
  const line = lineOf(state, around, { happened: () => asker.now(), refused: () => retry() })
  let failures = 0
  const retry = () => {
    failures += 1
    asker.after(retryAfter(failures))
  }
  const take = (task: TaskView, etag: string | null) => {
    const before = state.live.task
    // An answer that was overtaken by another says nothing new.
    if (before !== null && task.version < before.version) return
    state.set({ task: { ...task, slice: null }, etag, problem: null })
  }
  /** `wasEnded`: when it was asked for. An answer from before the end does not know of it, and opens nothing. */
  const answered = ({ status, value, headers }: Extract<Answer<TaskView>, { ok: true }>, wasEnded: boolean) => {
    failures = 0
    line.at(monitorOf(headers.get('link')))
    if (status === 200) take(value, headers.get('etag'))
    else state.set({ problem: null })
    const again = wasEnded && status === 200 && !isOver(value)
    if (state.live.connection !== 'ended' || again) line.open()
  }
  const refused = (problem: Problem) => {
    // One that will never be there again is not asked for again.
    const gone = problem.status === 404 || problem.status === 401
    if (gone) line.close()
    else retry()
    state.set({ problem, connection: gone ? 'ended' : 'lost' })
  }
  const asker = askerOf(async () => {
    const { etag, connection } = state.live
    // A 304 has no link: whoever needs one asks for the whole task.
    const headers = etag === null || !line.isKnown() ? undefined : { 'if-none-match': etag }
    const answer = await client.send<TaskView>(get(ofTask(id), headers))
    if (answer.ok) answered(answer, connection === 'ended')
    else refused(answer.problem)
  }, around.later)
  const unwatch = around.onShown(() => {
    if (around.hidden()) line.sleep()
    else if (state.live.connection === 'asleep') {
      state.set({ connection: 'connecting' })
      asker.now()
    }
  })
  const stop = () => {
    state.stop()
    line.close()
    unwatch()
    asker.stop()
  }
  asker.now()
  return {
    take(task, etag) {
      take(task, etag)
      // A session that has ended runs again.
      if (state.live.connection === 'ended' && !isOver(task)) line.open()
    },
    refresh: asker.now,
    stop,
  }
}

type State = ReturnType<typeof stateOf>
function stateOf(changed: (live: Live) => void) {
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
function lineOf(state: State, around: Surroundings, told: { happened: () => void; refused: () => void }) {
  let stream: EventStream | null = null
  let monitor: string | null = null
  const close = () => {
    stream?.close()
    stream = null
  }
  const parts: Told = {
    opened: () => state.set({ connection: 'live' }),
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

/** Whether a task has come to an end that its event stream ends with. */
const isOver = ({ status }: TaskView) => status === 'completed' || status === 'failed' || status === 'canceled'

/** The path of the link `rel="monitor"`: whatever host it names, this page speaks with its own origin only. */
export function monitorOf(link: string | null): string | null {
  const target = /<([^>]+)>\s*;\s*rel="monitor"/.exec(link ?? '')?.[1]
  if (target === undefined || !URL.canParse(target, 'http://here')) return null
  const { pathname, search } = new URL(target, 'http://here')
  return pathname + search
}
