/** What the object of a task tells its watchers: that there are new events, and the events themselves if they are few. */
import * as z from 'zod'
import type { Journal } from '../journal.ts'
import { Status } from '../../terms/status.ts'
import { statusOf } from './current-status.ts'
import type { Envelope } from '../../terms/view.ts'

export const News = z.object({
  /** The highest event id, or 0 before the first event. */
  seq: z.int().min(0),
  status: Status,
  /** The events of the latest transaction, up to `seq`. A watcher that has all earlier events need not fetch them. */
  fresh: z.array(z.custom<Envelope>()).optional(),
})
export type News = z.infer<typeof News>

/** The highest event id of a task, or 0 if there is no task. */
export function newestEvent(journal: Journal): number {
  const last = journal.last()
  return last === null ? 0 : last.head.events.first + last.head.events.count - 1
}

/** null: there is no such task. */
export function newsOf(journal: Journal, fresh?: Envelope[]): News | null {
  const last = journal.last()
  if (last === null) return null
  return {
    seq: newestEvent(journal),
    status: statusOf(last.head, journal.pending() !== null, journal.recall),
    ...(fresh === undefined ? {} : { fresh }),
  }
}
