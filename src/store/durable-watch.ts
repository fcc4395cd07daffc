/** Watches a task over the socket that its object keeps for each watcher (task/watchers.ts). */
import * as z from 'zod'
import { News } from '../core/protocol/view/news.ts'
import { ok, type Result } from '../core/terms/refusal.ts'
import type { Draining } from '../lifecycle/draining.ts'
import type { Watch } from '../shell/ports.ts'

/** The answer of the object, as Response.json() wrote it. */
const Answer = z.custom<Result<News>>((value) => typeof value === 'object' && value !== null && 'ok' in value)

/** `link` is the epoch of the watcher's link; it is absent for a watcher with a key. */
export async function watchObject(
  stub: Pick<Fetcher, 'fetch'>,
  onDrain: Draining['onBegin'],
  link?: number,
): Promise<Result<Watch>> {
  const address = link === undefined ? 'http://task/' : `http://task/?link=${link}`
  const response = await stub.fetch(address, { headers: { upgrade: 'websocket' } })
  const socket = response.webSocket
  if (socket === null) {
    const answered = Answer.parse(await response.json())
    return answered.ok ? ok(overOf(answered.value)) : answered
  }
  return ok(watchOf(socket, onDrain))
}

function watchOf(socket: WebSocket, onDrain: Draining['onBegin']): Watch {
  const news = newNews()
  const stopListening = onDrain(news.end)
  socket.addEventListener('message', ({ data }) => news.put(News.parse(JSON.parse(String(data)))))
  socket.addEventListener('close', news.end)
  socket.addEventListener('error', news.end)
  socket.accept()
  const close = () => {
    stopListening()
    news.end()
    socket.close(1000)
  }
  return { next: news.next, close }
}

/** Words of the same reply are joined, so that a slow reader misses none. They are over when the task has new events. */
function withWords(kept: News, next: News): News {
  if (next.said === undefined) return next.seq === kept.seq ? { ...kept, ...next } : next
  const { said = null } = kept
  const isContinued =
    said !== null && said.journal_seq === next.said.journal_seq && said.from + said.text.length === next.said.from
  const joined = isContinued ? { ...said, text: said.text + next.said.text } : next.said
  return { ...kept, ...next, said: joined }
}

/** A task that has ended has one piece of news and no more. */
function overOf(told: News): Watch {
  const news = newNews()
  news.put(told)
  news.end()
  return { next: news.next, close: news.end }
}

/** Keeps the newest news, with the words of a reply that were not taken yet: otherwise each news makes the one before worthless. */
interface NewsQueue {
  put(news: News): void
  /** No news follows. The kept one can still be taken. */
  end(): void
  /** The newest news that was not taken yet. Waits for it; null when none will come. */
  next(): Promise<News | null>
}

export function newNews(): NewsQueue {
  const box = { kept: null as News | null, ended: false, wake: () => {} }
  return {
    put(news) {
      if (!box.ended) box.kept = box.kept === null ? news : withWords(box.kept, news)
      box.wake()
    },
    end() {
      box.ended = true
      box.wake()
    },
    async next() {
      while (box.kept === null && !box.ended) await new Promise<void>((resolve) => (box.wake = resolve))
      const taken = box.kept
      box.kept = null
      return taken
    },
  }
}
