/** What a watcher of a task is told by its object: that there are events to fetch, and the newest themselves where they are few. */
import * as z from 'zod'
import type { Journal } from '../journal.ts'
import { Status } from '../../terms/status.ts'
import { statusOf } from './current-status.ts'
import type { Envelope } from '../../terms/view.ts'

export const News = z.object({
  /** The highest event id by now; 0 before the first. */
  seq: z.int().min(0),
  status: Status,
  /** Those that the latest transaction caused, up to `seq`: whoever has seen all before need not fetch them. */
  fresh: z.array(z.custom<Envelope>()).optional(),
})
export type News = z.infer<typeof News>

/** The highest event id of a task; 0 for one that is not there. */
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
