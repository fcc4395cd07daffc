/** What a stored task answers for forks and replays. The same in memory, over RPC and in the object. */
import type { Ticket } from '../protocol/advance.ts'
import type { Brief } from '../terms/effect.ts'
import type { Fork, ForkWish } from './fork.ts'
import type { PastRow } from './past-row.ts'
import type { StoredFile } from '../terms/files/files.ts'
import type { OutcomeEdit } from './fork-edit.ts'
import type { Result } from '../terms/refusal.ts'
import type { Status } from '../terms/status.ts'
import type { StepResult, PageOf } from '../protocol/task-methods.ts'
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
  /** The files that a fork at a row copies: no row says what is in them. */
  forkedFiles(at: number, outcome: OutcomeEdit | null): Result<StoredFile[]>
  /** Whether a fork can be made, and of which brief; refuses with the row that stands against it. */
  forkable(wish: ForkWish): Result<Forkable>
  /** Closed rows with a seq above `after` as a fork takes them. */
  past(after: number, limit: number): Result<PageOf<PastRow>>
  /** Makes the task from the rows of another, in one transaction; with the key of an earlier fork, shows that one. */
  fork(fork: Fork, ticket: Ticket): Result<StepResult>
  /** Runs the state machine again on the rows above `after`, up to `limit` of them or the first that differs. */
  replay(after: number, limit: number): Result<ReplayPage>
}
