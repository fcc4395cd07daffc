/**
 * What a stored task answers, wherever it is: `create`, `begin` and `commit` advance it, `tell` takes a command, `ask` reads, `fork` makes
 * it from the rows of another, `upkeep` is what the service itself does to it. Commands, questions and upkeep are data with a `kind`.
 */
import type { Ticket } from '../protocol/advance.ts'
import type { CommandAnswer, CommandKind, TaskCommand } from '../protocol/commands.ts'
import type { Delivery, DeliveryOutcome } from '../protocol/outbox.ts'
import type { AskedQuestion } from '../protocol/question.ts'
import type { LinkedQuestion, StoredTaskView } from '../protocol/view/stored-task-view.ts'
import type { NewTaskRow, Outgoing, PageOf, ReadablePage, RemovedTask, StepResult } from '../protocol/task-answers.ts'
import type { LinkedDelegation } from '../terms/delegation.ts'
import type { Event } from '../terms/effect.ts'
import type { FileEntry, FileWithContent, FileWrite, StoredFile, WriteResult } from '../terms/files/files.ts'
import type { Result } from '../terms/refusal.ts'
import type { Envelope, JournalEntry, StoredRow } from '../terms/view.ts'
import type { OutcomeEdit } from './fork-edit.ts'
import type { Fork, Forkable, ForkWish } from './fork.ts'
import type { PastRow } from './past-row.ts'
import type { ReplayPage } from './replay.ts'

/** Entries with a number above `after`, at most `limit` of them. */
interface PageQuery {
  after: number
  limit: number
}
/** `link` is the epoch of the link by which a reader has come: `link_not_found` when the links of the task were ended since. */
interface ByLink {
  link?: number | undefined
}

/** Of each kind: what the question carries, and what it is answered. */
interface QueryTypes {
  view: [ByLink, StoredTaskView]
  /** The question of a link; `link_not_found` when the task does not know it. */
  question: [{ ref: LinkedQuestion }, AskedQuestion]
  /** By the row that dispatched it; with `chars` each of its texts is cut to so many, for lists. `delegation_not_found`: that row did not. */
  delegation: [{ seq: number; chars?: number | undefined }, LinkedDelegation]
  /** Events by their ids. */
  events: [PageQuery & ByLink, PageOf<Envelope>]
  /** Rows by seq, the pending one last; of a damaged task those that can be read. */
  journal: [PageQuery, ReadablePage<JournalEntry>]
  /** Rows by seq as they are stored: also those that cannot be read. */
  stored_rows: [PageQuery, ReadablePage<StoredRow>]
  /** Whether a fork can be made, and of which brief; refuses with the row that stands against it. */
  forkable: [{ wish: ForkWish }, Forkable]
  /** Closed rows by seq as a fork takes them. */
  past_rows: [PageQuery, PageOf<PastRow>]
  /** Runs the state machine again on the rows above `after`, up to `limit` of them or the first that differs. */
  replay: [PageQuery, ReplayPage]
  /** null: there is no file of that name. */
  file: [{ name: string } & ByLink, FileWithContent | null]
  /** By name. */
  files: [object, FileEntry[]]
  /** By name, with the epoch that links to them are made under. */
  linked_files: [ByLink, { files: FileEntry[]; link_epoch: number }]
  /** Whether the client, or with a seq its effect, may write a file of this name now; answers the incarnation that blobs are named by. */
  may_write: [{ name: string; seq: number | null }, string]
  /** The files that a fork at a row copies: no row says what is in them. */
  forked_files: [{ at: number; outcome: OutcomeEdit | null }, StoredFile[]]
  /** What the request with this key was answered elsewhere; `lease_lost` when it is not over. */
  earlier_answer: [{ ticket: Ticket }, StepResult]
}
export type QueryKind = keyof QueryTypes
export type TaskQuery<K extends QueryKind = QueryKind> = { [Kind in K]: { kind: Kind } & QueryTypes[Kind][0] }[K]
export type QueryAnswer<K extends QueryKind> = Result<QueryTypes[K][1]>

/** Of each kind: what it carries, and what it answers. It needs no ticket, as it is nobody's request. */
interface UpkeepTypes {
  /** From now on the task may take so many bytes. */
  give_room: [{ bytes: number }, null]
  /** Pauses it for want of room. */
  stall: [object, StepResult]
  /** Begins the try of the next delivery that is due; null: none is. */
  begin_delivery: [object, Outgoing | null]
  /** How that try ended; what it is then, null where another try has taken its place. */
  settle_delivery: [{ seq: number; attempt: number; sent: DeliveryOutcome }, Delivery | null]
  /** Has a delivery sent again from the beginning; one that is still being sent goes on. null: there is none. */
  redeliver: [{ seq: number }, Delivery | null]
  /** Ends all links of the task that were made before: to its events, its files, its question and its commands. */
  end_links: [object, StoredTaskView]
  /** Once for each effect; `lease_lost` when a later one has written the file, or its blob was refused. What a client puts is refused where it may not. */
  write_file: [{ file: FileWrite }, WriteResult]
  /** `unused`: the blob that held it. */
  remove_file: [{ name: string }, { unused: string | null }]
  /** Refuses the blobs for good that no row names, and answers the others: what was refused is gone and must never be named. */
  refuse_blobs: [{ blobs: readonly string[] }, string[]]
}
export type UpkeepKind = keyof UpkeepTypes
export type TaskUpkeep<K extends UpkeepKind = UpkeepKind> = {
  [Kind in K]: { kind: Kind } & UpkeepTypes[Kind][0]
}[K]
export type UpkeepAnswer<K extends UpkeepKind> = Result<UpkeepTypes[K][1]>

/** An answer is there at once in the object, and later for a caller elsewhere. */
type Where = 'here' | 'elsewhere'
type Answered<W extends Where, T> = W extends 'here' ? T : Promise<T>

export interface TaskMethods<W extends Where = 'here'> {
  create(task: NewTaskRow, ticket: Ticket): Answered<W, Result<StepResult>>
  /** Hands out the next effect. */
  begin(ticket: Ticket): Answered<W, Result<StepResult>>
  /** Closes the effect `seq` with what happened. */
  commit(seq: number, event: Event, ticket: Ticket): Answered<W, Result<StepResult>>
  tell<K extends CommandKind>(command: TaskCommand<K>, ticket: Ticket): Answered<W, CommandAnswer<K>>
  ask<K extends QueryKind>(query: TaskQuery<K>): Answered<W, QueryAnswer<K>>
  /** Makes the task from the rows of another, in one transaction; with the key of an earlier fork, shows that one. */
  fork(fork: Fork, ticket: Ticket): Answered<W, Result<StepResult>>
  upkeep<K extends UpkeepKind>(upkeep: TaskUpkeep<K>): Answered<W, UpkeepAnswer<K>>
}

export interface StoredTask<W extends Where = 'here'> extends TaskMethods<W> {
  /** The task may not be driven now: its object asks again after so many ms, unless it was woken after `asked_ms`. */
  driveLater(ms: number, asked_ms: number): Answered<W, void>
  /** The task has a run slot: its object drives it at once. False: it has no use for one now. */
  wake(): Answered<W, boolean>
  /** Deletes the task, readable or not. */
  remove(): Answered<W, Result<RemovedTask>>
  /** Deletes it where it ended long enough ago, and has not begun its next run since. */
  retire(): Answered<W, Result<RemovedTask>>
}
/** A stored task as its callers see it. */
export type RemoteTask = StoredTask<'elsewhere'>
