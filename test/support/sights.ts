/** A fake of a watched task: a list of events, with news and heartbeats that the test triggers. */
import type { News } from '../../src/core/protocol/view/news.ts'
import { ok, refuse, type Result } from '../../src/core/terms/refusal.ts'
import type { PageOf } from '../../src/core/protocol/task-answers.ts'
import type { Status } from '../../src/core/terms/status.ts'
import type { Envelope } from '../../src/core/terms/view.ts'
import { followTask, type Following } from '../../src/shell/follow.ts'
import { newNews } from '../../src/store/durable-watch.ts'

export const eventOf = (seq: number, text = ''): Envelope => ({
  seq,
  type: 'thought_decided',
  at: '2026-11-21T12:00:00.000Z',
  task_id: 'task_1',
  payload: { decision: 'continue', text },
})

export interface Watched {
  following: Following
  /** The events that are stored so far. */
  events: Envelope[]
  /** The requests, page by page. */
  fetched: { after: number; limit: number }[]
  /** Makes this many more events happen, and tells the watcher. */
  happen(count: number, status?: Status, text?: string): void
  tell(news: News): void
  beat(): void
  /** Evicts the object. */
  vanish(): void
  delete(): void
  watching(): boolean
}

export function watched(after = 0): Watched {
  const events: Envelope[] = []
  const fetched: Watched['fetched'] = []
  const news = newNews()
  const state = { deleted: false, watching: true, beat: () => {} }
  const fetchEvents = async (from: number, limit: number): Promise<Result<PageOf<Envelope>>> => {
    fetched.push({ after: from, limit })
    if (state.deleted) return refuse({ code: 'task_not_found' })
    const left = events.filter(({ seq }) => seq > from)
    return ok({ data: left.slice(0, limit), has_more: left.length > limit, next_cursor: null })
  }
  const close = () => {
    state.watching = false
    news.end()
  }
  const beat = () => new Promise<void>((resolve) => (state.beat = resolve))
  return {
    following: followTask(fetchEvents, { next: news.next, close }, { after, beat }),
    events,
    fetched,
    happen(count, status = 'running', text = '') {
      for (let more = 0; more < count; more++) events.push(eventOf(events.length + 1, text))
      news.put({ seq: events.length, status })
    },
    tell: news.put,
    beat: () => state.beat(),
    vanish: news.end,
    delete: () => (state.deleted = true),
    watching: () => state.watching,
  }
}
