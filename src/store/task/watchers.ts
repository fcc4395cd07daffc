/**
 * The watchers of a task: one hibernatable WebSocket each, so that none keeps its object in memory. Short news is sent whole. Of long news a
 * watcher hears only that it exists, and fetches it at its own pace.
 */
import type { News } from '../../core/protocol/view/news.ts'
import { refuse, type Result } from '../../core/terms/refusal.ts'
import { ENDED_STATUSES } from '../../core/terms/status.ts'

/** Watchers of one task. Each costs one small message per step. */
const WATCHERS_MAX = 200

/** Admits a watcher with a socket, on which the current news comes first, or answers it once for good. */
export function admitWatcher(state: DurableObjectState, news: Result<News>): Response {
  if (!news.ok || ENDED_STATUSES.has(news.value.status)) return Response.json(news)
  if (state.getWebSockets().length >= WATCHERS_MAX) {
    return Response.json(refuse({ code: 'too_many_watchers', max: WATCHERS_MAX }))
  }
  const { 0: client, 1: server } = new WebSocketPair()
  state.acceptWebSocket(server)
  server.send(JSON.stringify(news.value))
  return new Response(null, { status: 101, webSocket: client })
}

/** `news` is computed only where somebody watches. */
export function tellWatchers(state: DurableObjectState, news: () => Result<News>): void {
  const watchers = state.getWebSockets()
  if (watchers.length === 0) return
  const answer = news()
  if (!answer.ok) return
  const text = JSON.stringify(answer.value)
  for (const watcher of watchers) {
    try {
      watcher.send(text)
    } catch {
      // The socket is closing. Its watcher comes again with the last id that it saw.
    }
  }
}

/** Sends away all current watchers. */
export function dismissWatchers(state: DurableObjectState, reason: string): void {
  for (const watcher of state.getWebSockets()) watcher.close(1000, reason)
}
