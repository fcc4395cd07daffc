/**
 * What the object of a task tells its watchers: that there are new events, the events themselves if they are few, and what a model is saying in a call
 * under way.
 */
import * as z from 'zod'
import type { Journal } from '../journal.ts'
import { Status } from '../../terms/status.ts'
import { statusOf } from './current-status.ts'
import type { Envelope } from '../../terms/view.ts'

/** The next words of a reply that is not whole yet. They are shown, and never stored: the reply is in the journal when it is whole. */
export const ThoughtDelta = z.object({
  /** The row of the call. */
  journal_seq: z.int().min(1),
  phase: z.string(),
  /** How many characters of the reply come before these. */
  from: z.int().min(0),
  text: z.string(),
})
export type ThoughtDelta = z.infer<typeof ThoughtDelta>

/** What the object of a task answers to a call that passes on its words. */
export interface CallStanding {
  /** Whether the call still counts. Otherwise the task was canceled, deleted or taken over, and nobody waits for its reply. */
  open: boolean
  /** Whether somebody watches the task. */
  watched: boolean
}

export const News = z.object({
  /** The highest event id, or 0 before the first event. */
  seq: z.int().min(0),
  status: Status,
  /** The events of the latest transaction, up to `seq`. A watcher that has all earlier events need not fetch them. */
  fresh: z.array(z.custom<Envelope>()).optional(),
  said: ThoughtDelta.optional(),
})
export type News = z.infer<typeof News>

/** The highest event id of a task, or 0 if there is no task. */
export function newestEvent(journal: Journal): number {
  const last = journal.last()
  return last === null ? 0 : last.head.events.first + last.head.events.count - 1
}

/** Whether the call is the effect under way, and the slice its holder. */
export function isCallOpen(journal: Journal, seq: number, slice: string): boolean {
  const pending = journal.pending()
  return pending !== null && pending.seq === seq && pending.slice === slice
}

/** null: there is no such task. */
export function newsOf(journal: Journal, more: Pick<News, 'fresh' | 'said'> = {}): News | null {
  const last = journal.last()
  if (last === null) return null
  return {
    seq: newestEvent(journal),
    status: statusOf(last.head, journal.pending() !== null, journal.recall),
    ...more,
  }
}
