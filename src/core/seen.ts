/** A task as its object shows it: all but the links, which are signed by a secret that no object uses. */
import type { Spend } from './status.ts'
import type { TaskView } from './view.ts'

/** What names one question of a task for good: a task made anew under the same id has other slices. */
export interface QuestionRef {
  /** The row that asked. */
  seq: number
  /** The slice of that row. */
  nonce: string
  /** Ms since the epoch. */
  expires_ms: number
}
export interface QuestionLink extends QuestionRef {
  /** What the link begins with. */
  origin: string
}
type Pending = NonNullable<TaskView['pending']>
type Asking = Extract<Pending, { kind: 'question' }>
type SeenPending = (Omit<Asking, 'answer_url'> & { link: QuestionLink | null }) | Exclude<Pending, Asking>

/** Without what the request itself did; with what the tenant's index keeps of its cost. */
export type Seen = Omit<TaskView, 'slice' | 'pending'> & { pending: SeenPending | null; spend: Spend | null }

/** As clients see it, with the link of its open question. */
export function linked(seen: Seen, answer_url: string | null): Omit<TaskView, 'slice'> {
  const { pending, spend: _spend, ...shown } = seen
  if (pending?.kind !== 'question') return { ...shown, pending }
  const { link: _, ...question } = pending
  return { ...shown, pending: { ...question, answer_url } }
}

/** Where nobody waits for the link. */
export const unlinked = (seen: Seen): Omit<TaskView, 'slice'> => linked(seen, null)
