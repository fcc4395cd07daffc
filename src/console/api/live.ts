/**
 * Follows one task: what has happened by its event stream, what it is by asking again. Nothing is computed from an event that the service
 * has not said itself. A hidden page lets its stream go – browsers hold six connections to a host – and goes on where it was.
 */
import { askerOf, type Later } from './asker.ts'
import type { Answer, Client } from './client.ts'
import { lineOf, stateOf, type Line, type State } from './line.ts'
import { get, ofTask, type ApiRequest } from './request.ts'
import type { Envelope, Problem, TaskView } from './wire.ts'

/** `ended`: nothing will come any more, but for the next run of a session; `asleep`: the page is hidden. */
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
  /** Being told when there is a network again. */
  onOnline: (told: () => void) => () => void
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
/** Anybody may have a session that has ended go on, and no stream tells of it. */
const NEXT_RUN_MS = 15_000
/** A connection can die without a word: a browser sees nothing of heartbeats. An unchanged task costs a 304. */
const LOOK_MS = 30_000

export function follow(client: Client, id: string, around: Surroundings, changed: (live: Live) => void): Follower {
  const state = stateOf(changed)
  let [failures, refusals, isLook] = [0, 0, false]
  let forget = () => {}
  const look = () => {
    isLook = true
    asker.now()
  }
  const retry = (least_s: number | null) => {
    failures += 1
    asker.after(Math.max(retryAfter(failures), (least_s ?? 0) * 1_000))
  }
  const line = lineOf(state, around, {
    opened: () => (refusals = 0),
    happened: () => asker.now(),
    // The task may well be read while its stream is refused: that says nothing of the stream.
    refused: () => asker.after(retryAfter((refusals += 1))),
  })
  const asker = askerOf(async () => {
    const { connection: before } = state.live
    const looked = isLook
    isLook = false
    // When the page is seen again is soon enough.
    if (looked && around.hidden()) return
    const answer = await client.send<TaskView>(questionOf(id, state.live, line))
    failures = answer.ok ? 0 : failures
    // News that no event told of: the stream is dead, whatever the browser believes.
    if (looked && before === 'live' && answer.ok && answer.status === 200) line.close()
    if (answer.ok) answered(state, line, answer, before === 'ended')
    else if (refused(state, line, answer.problem)) retry(answer.problem.retry_after_s)
    forget()
    if (!state.stopped() && goesOn(state.live))
      forget = around.later(look, isAtRest(state.live) ? NEXT_RUN_MS : LOOK_MS)
  }, around.later)
  const unwatch = watch(state, line, around, () => asker.now())
  asker.now()
  return {
    take(task, etag) {
      const isNews = take(state, task, etag)
      if (state.live.connection === 'ended' && isNews) line.open()
    },
    refresh: asker.now,
    stop() {
      state.stop()
      line.close()
      unwatch()
      asker.stop()
      forget()
    },
  }
}

function questionOf(id: string, { etag }: Live, line: Line): ApiRequest {
  // A 304 has no link: whoever needs one asks for the whole task.
  return get(ofTask(id), etag === null || !line.isKnown() ? undefined : { 'if-none-match': etag })
}

/** Whether a stream that has ended has more to tell now: the task goes on, or has gone on and ended since. */
function take(state: State, task: TaskView, etag: string | null): boolean {
  const before = state.live.task
  // An answer that was overtaken by another says nothing new.
  if (before !== null && task.version < before.version) return false
  state.set({ task: { ...task, slice: null }, etag, problem: null })
  return !isOver(task) || (before !== null && isOver(before) && task.version > before.version)
}

/** `wasEnded`: when it was asked for. An answer from before the end does not know of it, and opens nothing. */
function answered(state: State, line: Line, answer: Extract<Answer<TaskView>, { ok: true }>, wasEnded: boolean): void {
  const { status, value, headers } = answer
  line.at(monitorOf(headers.get('link')))
  const isNews = status === 200 && take(state, value, headers.get('etag'))
  if (status !== 200) state.set({ problem: null })
  if (state.live.connection !== 'ended' || (wasEnded && isNews)) line.open()
}

/** Whether it is asked for again: what will never be there again is not. */
function refused(state: State, line: Line, problem: Problem): boolean {
  const isGone = problem.status === 404 || problem.status === 401
  if (isGone) line.close()
  state.set({ problem, connection: isGone ? 'ended' : 'lost' })
  return !isGone
}

/** What the browser tells: the page is hidden or seen, and there is a network again. */
function watch(state: State, line: Line, around: Surroundings, ask: () => void): () => void {
  const unwatchShown = around.onShown(() => {
    if (around.hidden()) return line.sleep()
    if (state.live.connection === 'asleep') state.set({ connection: 'connecting' })
    else if (!isAtRest(state.live)) return
    ask()
  })
  const unwatchOnline = around.onOnline(() => {
    if (state.live.connection !== 'ended' && !around.hidden()) ask()
  })
  return () => {
    unwatchShown()
    unwatchOnline()
  }
}

/** Whether a task has come to an end that its event stream ends with. */
export const isOver = ({ status }: Pick<TaskView, 'status'>) =>
  status === 'completed' || status === 'failed' || status === 'canceled'

/** Whether there may be more to see. */
const goesOn = (live: Live) =>
  live.task !== null &&
  (isAtRest(live) || (!isOver(live.task) && !(live.connection === 'ended' && live.problem !== null)))

/** Whether a session has ended that may go on. */
export const isAtRest = ({ task, connection, problem }: Live) =>
  connection === 'ended' && problem === null && task?.mode === 'session' && task.status === 'completed'

/** The path of the link `rel="monitor"`: whatever host it names, this page speaks with its own origin only. */
export function monitorOf(link: string | null): string | null {
  const target = /<([^<>]+)>\s*;\s*rel="monitor"/.exec(link ?? '')?.[1]
  if (target === undefined || !URL.canParse(target, 'http://here')) return null
  const { pathname, search } = new URL(target, 'http://here')
  return pathname + search
}
