/**
 * Following the events of a task: those that are there, then those that come, each once and in order, at the pace of whoever reads.
 * Who has seen all before takes what the news brings; else the events are fetched page by page. So one page is held, however slow
 * the reader and however much has happened meanwhile.
 */
import type { Result } from '../core/terms/refusal.ts'
import { ENDED_STATUSES, type Status } from '../core/terms/status.ts'
import type { PageOf } from '../core/protocol/task-methods.ts'
import type { Envelope } from '../core/terms/view.ts'
import { isLostObject } from './lost-object.ts'
import type { Watch } from './ports.ts'

export type FollowUpdate =
  | { kind: 'events'; events: Envelope[] }
  /** Nothing happened for the time of a beat. */
  | { kind: 'quiet' }
  /** The task has ended, and everything before was shown. */
  | { kind: 'ended'; status: Status }

/** Sights stop without an end when nobody can tell any more: the object restarted or moved, or the task was deleted. */
export interface Following {
  sights: AsyncGenerator<FollowUpdate, void>
  /** Ends it, also while it waits. */
  stop(): void
}

export interface Pace {
  /** Only events with a greater id. */
  after: number
  /** Resolves when so much time has passed that a reader should hear something. */
  beat: () => Promise<void>
}

/** Events of one page. */
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
        shown = news.seq
        yield { kind: 'events', events: news.fresh }
      }
      while (shown < news.seq) {
        const page = await fetchEvents(shown, PAGE)
        const last = page.ok ? page.value.data.at(-1) : undefined
        if (!page.ok || last === undefined) return
        shown = last.seq
        yield { kind: 'events', events: page.value.data }
      }
      if (ENDED_STATUSES.has(news.status)) return yield { kind: 'ended', status: news.status }
      coming = watch.next()
    }
  } catch (error) {
    if (!isLostObject(error)) throw error
  } finally {
    watch.close()
  }
}
