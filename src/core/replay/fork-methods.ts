/** What a stored task answers for forks and replays. The same in memory, over RPC and in the object. */
import type { Ticket } from '../protocol/advance.ts'
import type { Brief } from '../terms/effect.ts'
import type { Fork, ForkWish, PastRow } from './fork.ts'
import type { Result } from '../terms/refusal.ts'
import type { Status } from '../terms/status.ts'
import type { Advanced, PageOf } from '../protocol/task-methods.ts'
import type { Difference } from '../terms/view.ts'

/** What would become of a fork: nothing is written for it. */
export interface Forkable {
  brief: Brief
  status: Status
  /** About what its rows will take. */
  bytes: number
}
export interface ReplayPage {
  /** Rows that were compared. */
  rows: number
  first_difference: Difference | null
  /** `after` of the next page; null: this was the last. */
  next: number | null
}

export interface ForkMethods {
  /** Whether a fork can be made, and of which brief; refuses with the row that stands against it. */
  forkable(wish: ForkWish): Result<Forkable>
  /** Closed rows with a seq above `after` as a fork takes them. */
  past(after: number, limit: number): Result<PageOf<PastRow>>
  /** Makes the task from the rows of another, in one transaction; with the key of an earlier fork, shows that one. */
  fork(fork: Fork, ticket: Ticket): Result<Advanced>
  /** Runs the state machine again on the rows above `after`, up to `limit` of them or the first that differs. */
  replay(after: number, limit: number): Result<ReplayPage>
}
