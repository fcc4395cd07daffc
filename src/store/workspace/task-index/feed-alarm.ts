/**
 * The alarm that has the changes of a workspace fed to the index database: some time after the first of them, so that one batch has what
 * changes shortly after. While the database is away it asks less and less often.
 */
import type { FeedJob } from '../../../core/protocol/alarm-times.ts'
import type { FeedOutcome } from '../../../core/protocol/index/feed.ts'
import { keepOwner, tenantIn } from '../owner.ts'
import { ringWhenDue, timeOrRetry, type AlarmHost } from '../shared-alarm.ts'
import { feedRow, hasUnfed } from './sql-feed.ts'

export const FEED_AFTER_MS = 1_000
/** When a job is asked for again of which nothing was heard, and when at the latest after several. */
const AGAIN_MS = 5_000
const AGAIN_MAX_MS = 60_000

interface FeedAlarm {
  /** The object was called: it may have changes by now. */
  touched(): void
  /** It is known what became of a batch. */
  moved(outcome: FeedOutcome): void
  /** When a batch is fed next. null: there is nothing to feed. */
  next(): number | null
  ring(): Promise<void>
}

export function feedAlarm(host: AlarmHost<FeedJob>, isBound: () => boolean): FeedAlarm {
  let due: number | null = null
  let asked = 0
  let is_owner_kept = false
  const isDue = () => isBound() && host.transact((sql) => hasUnfed(sql, feedRow(sql)))
  const wake = (at: number) => {
    const tenant = tenantIn(host.name())
    // An alarm has no caller who could say whose workspace it is.
    if (tenant !== null && !is_owner_kept) host.transact((sql) => keepOwner(sql, tenant))
    is_owner_kept = true
    due = at
    host.wake(at)
  }
  const plan = () => {
    if (due === null && isDue()) wake(Date.now() + FEED_AFTER_MS)
  }
  const next = () => {
    if (!isDue()) due = null
    else due ??= Date.now()
    return due
  }
  const againMs = () => Math.min(AGAIN_MAX_MS, AGAIN_MS * 2 ** Math.min(16, asked))
  return {
    touched() {
      try {
        plan()
      } catch {
        // The call itself is done. The next one plans again.
      }
    },
    moved(outcome) {
      if (outcome === 'failed') return
      asked = 0
      due = null
      plan()
    },
    next: () => timeOrRetry('feed_index', next),
    ring: () =>
      ringWhenDue(
        {
          ...host,
          ask: async (job: FeedJob) => {
            due = Date.now() + againMs()
            asked++
            await host.ask(job)
          },
        },
        { next, again_ms: againMs(), jobOf: (tenant, shard) => ({ kind: 'feed_index', tenant, ...shard }) },
        'feed_index',
      ),
  }
}
