/**
 * Follows the events of a task: the past events, then new ones, each once and in order, at the pace of the reader. A reader who has seen all
 * gets what the news brings; else the events are fetched page by page. So one page is held at most.
 */
import type { Result } from '../core/terms/refusal.ts'
import { ENDED_STATUSES, type Status } from '../core/terms/status.ts'
import type { ThoughtDelta } from '../core/protocol/view/news.ts'
import type { PageOf } from '../core/protocol/task-answers.ts'
import type { Envelope } from '../core/terms/view.ts'
import { isLostObject } from './lost-object.ts'
import type { Watch } from './ports.ts'

export type FollowUpdate =
  | { kind: 'events'; events: Envelope[] }
  | { kind: 'said'; said: ThoughtDelta }
  /** No event came during one beat. */
  | { kind: 'quiet' }
  /** The task has ended, and all its events were shown. */
  | { kind: 'ended'; status: Status }

/** Updates of one follower. They stop without an `ended` when the object restarts or moves, or the task is deleted. */
export interface Following {
  sights: AsyncGenerator<FollowUpdate, void>
  /** Stops the updates, even while one is awaited. */
  stop(): void
}

export interface Pace {
  /** Only events with a greater id are shown. */
  after: number
  /** Resolves when the reader should get a sign of life. */
  beat: () => Promise<void>
}

/** The events of one page. */
const PAGE = 50
const BEAT = Symbol('beat')

export type Fetch = (after: number, limit: number) => Promise<Result<PageOf<Envelope>>>

export function followTask(fetchEvents: Fetch, watch: Watch, pace: Pace): Following {
  return { sights: sightsOf(fetchEvents, watch, pace), stop: watch.close }
}

async function* sightsOf(fetchEvents: Fetch, watch: Watch, { after, beat }: Pace): AsyncGenerator<FollowUpdate, void> {
  const nextBeat = () => beat().then(() => BEAT)
  let shown = after
  let beating = nextBeat()
  let coming = watch.next()
  try {
    for (;;) {
      const news = await Promise.race([coming, beating])
      if (news === null) return
      if (typeof news === 'symbol') {
        beating = nextBeat()
        yield { kind: 'quiet' }
        continue
      }
      if (news.fresh?.[0]?.seq === shown + 1) {
        shown = news.fresh.at(-1)?.seq ?? shown
        yield { kind: 'events', events: news.fresh }
      }
      while (shown < news.seq) {
        const page = await fetchEvents(shown, PAGE)
        const last = page.ok ? page.value.data.at(-1) : undefined
        if (!page.ok || last === undefined) return
        shown = last.seq
        yield { kind: 'events', events: page.value.data }
      }
      if (news.said !== undefined) yield { kind: 'said', said: news.said }
      if (ENDED_STATUSES.has(news.status)) return yield { kind: 'ended', status: news.status }
      coming = watch.next()
    }
  } catch (error) {
    if (!isLostObject(error)) throw error
  } finally {
    watch.close()
  }
}
