/**
 * The watchers of a task, as its object has them: one hibernatable WebSocket each, that keeps nothing in memory. They are told what is new
 * where that is little, else only that there is more, and fetch that at their own pace; so a slow one holds up nothing.
 */
import type { News } from '../../core/protocol/news.ts'
import { refuse, type Result } from '../../core/terms/refusal.ts'
import { ENDED_STATUSES } from '../../core/terms/status.ts'

/** Of one task; each costs every step one small message. */
const WATCHERS_MAX = 200

/** What became of a watcher who comes: a socket, on which the news by now comes first, or one answer for good. */
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

/** `news` is asked for only where somebody listens. */
export function tellWatchers(state: DurableObjectState, news: () => Result<News>): void {
  const watchers = state.getWebSockets()
  if (watchers.length === 0) return
  const told = news()
  if (!told.ok) return
  const text = JSON.stringify(told.value)
  for (const watcher of watchers) {
    try {
      watcher.send(text)
    } catch {
      // It is closing; whoever was behind it comes again with the last id it saw.
    }
  }
}

/** Nothing more will be told to those who watch now. */
export function dismissWatchers(state: DurableObjectState, reason: string): void {
  for (const watcher of state.getWebSockets()) watcher.close(1000, reason)
}
