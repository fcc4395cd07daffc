/**
 * Follows one task: its event stream says that something happened, and a request says what the task is now. The page computes nothing
 * that the service has not said. A hidden page closes its stream, because browsers hold six connections to a host.
 */
import { askerOf } from './asker.ts'
import type { ApiAnswer, Client } from './client.ts'
import { hasEnded, liveStore, mayReopen, type BrowserPort, type LiveState, type LiveStore } from './live-state.ts'
import { get, taskPath, type ApiRequest } from './request.ts'
import { taskStream, type TaskStream } from './task-stream.ts'
import type { Problem, TaskView } from './wire.ts'

export interface TaskFollower {
  /** Takes the answer of an action, which shows the task. `etag` is that of the same answer. */
  accept(task: TaskView, etag: string | null): void
  /** Asks again now. */
  refresh(): void
  stop(): void
}

const RETRY_MS = [1_000, 2_000, 5_000, 10_000] as const
const retryAfter = (failures: number) => RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? RETRY_MS[0]
/** Anybody can start the next run of a session that has ended, and no stream says so. */
const NEXT_RUN_MS = 15_000
/** A connection can break without a sign, because a browser does not show heartbeats. Reading an unchanged task costs a 304. */
const CHECK_MS = 30_000

export function followTask(
  client: Client,
  id: string,
  browser: BrowserPort,
  onChange: (live: LiveState) => void,
): TaskFollower {
  const store = liveStore(onChange)
  let [failures, refusals, isCheckDue] = [0, 0, false]
  let cancelCheck = () => {}
  const check = () => {
    isCheckDue = true
    asker.now()
  }
  const retry = (least_s: number | null) => {
    failures += 1
    asker.after(Math.max(retryAfter(failures), (least_s ?? 0) * 1_000))
  }
  const stream = taskStream(store, browser, {
    onOpen: () => (refusals = 0),
    onNews: () => asker.now(),
    // The service can answer for the task while it refuses the stream, so answers do not reset this count.
    onRefused: () => asker.after(retryAfter((refusals += 1))),
  })
  const asker = askerOf(async () => {
    const { connection: before } = store.live
    const isCheck = isCheckDue
    isCheckDue = false
    // A hidden page checks when it is shown again.
    if (isCheck && browser.isHidden()) return
    const answer = await client.send<TaskView>(taskRequest(id, store.live, stream))
    failures = answer.ok ? 0 : failures
    // No event told of this news, so the stream is broken, although the browser holds it open.
    if (isCheck && before === 'live' && answer.ok && answer.status === 200) stream.close()
    if (answer.ok) takeAnswer(store, stream, answer, before === 'ended')
    else if (takeProblem(store, stream, answer.problem)) retry(answer.problem.retry_after_s)
    cancelCheck()
    if (!store.isStopped() && mayChange(store.live))
      cancelCheck = browser.startTimer(check, mayReopen(store.live) ? NEXT_RUN_MS : CHECK_MS)
  }, browser.startTimer)
  const unwatch = watchBrowser(store, stream, browser, () => asker.now())
  asker.now()
  return {
    accept(task, etag) {
      const isNews = acceptTask(store, task, etag)
      if (store.live.connection === 'ended' && isNews) stream.open()
    },
    refresh: asker.now,
    stop() {
      store.stop()
      stream.close()
      unwatch()
      asker.stop()
      cancelCheck()
    },
  }
}

function taskRequest(id: string, { etag }: LiveState, stream: TaskStream): ApiRequest {
  // A 304 has no link, so a page without a link asks for the whole task.
  return get(taskPath(id), etag === null || !stream.hasLink() ? undefined : { 'if-none-match': etag })
}

/** Returns whether an ended stream has more to tell now: the task goes on, or it went on and ended again. */
function acceptTask(store: LiveStore, task: TaskView, etag: string | null): boolean {
  const before = store.live.task
  // A later answer has arrived first, so this one says nothing new.
  if (before !== null && task.version < before.version) return false
  store.set({ task: { ...task, slice: null }, etag, problem: null })
  return !hasEnded(task) || (before !== null && hasEnded(before) && task.version > before.version)
}

type GoodAnswer = Extract<ApiAnswer<TaskView>, { ok: true }>
/** `wasEnded`: the stream had ended when the request went out. An answer from before the end must not open it again. */
function takeAnswer(store: LiveStore, stream: TaskStream, answer: GoodAnswer, wasEnded: boolean): void {
  const { status, value, headers } = answer
  stream.setLink(monitorOf(headers.get('link')))
  const isNews = status === 200 && acceptTask(store, value, headers.get('etag'))
  if (status !== 200) store.set({ problem: null })
  if (store.live.connection !== 'ended' || (wasEnded && isNews)) stream.open()
}

/** Returns whether to ask again. A task that is gone does not come back. */
function takeProblem(store: LiveStore, stream: TaskStream, problem: Problem): boolean {
  const isGone = problem.status === 404 || problem.status === 401
  if (isGone) stream.close()
  store.set({ problem, connection: isGone ? 'ended' : 'lost' })
  return !isGone
}

/** Listens to the browser: the page is hidden or shown, and the network is back. */
function watchBrowser(store: LiveStore, stream: TaskStream, browser: BrowserPort, ask: () => void): () => void {
  const unwatchVisibility = browser.onVisibility(() => {
    if (browser.isHidden()) return stream.sleep()
    if (store.live.connection === 'asleep') store.set({ connection: 'connecting' })
    else if (!mayReopen(store.live)) return
    ask()
  })
  const unwatchOnline = browser.onOnline(() => {
    if (store.live.connection !== 'ended' && !browser.isHidden()) ask()
  })
  return () => {
    unwatchVisibility()
    unwatchOnline()
  }
}

/** Whether there may be more to see. */
const mayChange = (live: LiveState) =>
  live.task !== null &&
  (mayReopen(live) || (!hasEnded(live.task) && !(live.connection === 'ended' && live.problem !== null)))

/** The path of the link `rel="monitor"`. The host is left out, because this page speaks with its own origin only. */
export function monitorOf(link: string | null): string | null {
  const target = /<([^<>]+)>\s*;\s*rel="monitor"/.exec(link ?? '')?.[1]
  if (target === undefined || !URL.canParse(target, 'http://here')) return null
  const { pathname, search } = new URL(target, 'http://here')
  return pathname + search
}
