/**
 * The interface of a stored task. `create`, `begin` and `commit` advance it, `tell` takes a command, and `ask` reads. `fork`
 * creates it from the rows of another task, and `upkeep` is what the service itself does to it. Commands, queries and upkeep
 * are data with a `kind`.
 */
import type { Access, AnswerFor } from '../protocol/access.ts'
import type { Ticket } from '../protocol/advance.ts'
import type { CommandAnswer, CommandKind, TaskCommand } from '../protocol/commands.ts'
import type { Delivery, DeliveryOutcome } from '../protocol/outbox.ts'
import type { AskedQuestion } from '../protocol/question.ts'
import type { CallStanding, ThoughtDelta } from '../protocol/view/news.ts'
import type { LinkedQuestion, StoredTaskView } from '../protocol/view/stored-task-view.ts'
import type { NewTaskRow, Outgoing, PageOf, ReadablePage, RemovedTask, StepResult } from '../protocol/task-answers.ts'
import type { TaskTools } from '../shown/tool-view.ts'
import type { LinkedDelegation } from '../terms/delegation.ts'
import type { Event } from '../terms/effect.ts'
import type { FileEntry, FileWithContent, FileWrite, StoredFile, WriteResult } from '../terms/files/files.ts'
import type { Result } from '../terms/refusal.ts'
import type { Settings } from '../terms/settings.ts'
import type { Envelope, JournalEntry, StoredRow } from '../terms/view.ts'
import type { ExportPage, ExportProgress, ExportState } from './export/export-page.ts'
import type { OutcomeEdit } from './fork-edit.ts'
import type { Fork, Forkable, ForkRequest } from './fork.ts'
import type { PastRow } from './past-row.ts'
import type { ReplayPage } from './replay.ts'

/** Asks for at most `limit` entries with a number above `after`. */
interface PageQuery {
  after: number
  limit: number
}
/** `link` is the epoch of the reader's link. The answer is `link_not_found` if the links of the task were ended since. */
interface ByLink {
  link?: number | undefined
}

/** A slash command is read with these terms of its task. */
export interface CommandTerms {
  id: string
  timezone: string
  settings: Pick<Settings, 'cancel_phrase' | 'schedule_window_days' | 'conflict_preview_days'>
}

/** For each kind of query: its parameters and its answer. */
interface QueryTypes {
  view: [ByLink, StoredTaskView]
  /** What a slash command takes from its task. */
  command_terms: [object, CommandTerms]
  /** The question of a link. `link_not_found`: the task does not know the link. */
  question: [{ ref: LinkedQuestion }, AskedQuestion]
  /** The delegation of a row. `chars` cuts its texts for lists. `delegation_not_found`: the row dispatched no command. */
  delegation: [{ seq: number; chars?: number | undefined }, LinkedDelegation]
  /** Observer events by their ids. */
  events: [PageQuery & ByLink, PageOf<Envelope>]
  /** The tools that the task offers now, and its sources. */
  tools: [object, TaskTools]
  /** Rows by seq, with the pending row last. For a damaged task these are the rows that can be read. */
  journal: [PageQuery, ReadablePage<JournalEntry>]
  /** Rows by seq as they are stored, also rows that cannot be read. */
  stored_rows: [PageQuery, ReadablePage<StoredRow>]
  /** Whether a fork can be made, and its brief. A refusal names the row that prevents it. */
  forkable: [{ request: ForkRequest }, Forkable]
  /** Closed rows by seq as a fork copies them. */
  past_rows: [PageQuery, PageOf<PastRow>]
  /** Replays at most `limit` rows above `after`, and stops at the first row that differs. */
  replay: [PageQuery, ReplayPage]
  /** null: there is no file of that name. */
  file: [{ name: string } & ByLink, FileWithContent | null]
  /** The files sorted by name. */
  files: [object, FileEntry[]]
  /** The files sorted by name, with the epoch under which links to them are signed. */
  linked_files: [ByLink, { files: FileEntry[]; link_epoch: number }]
  /** Whether a client, or the effect `seq`, may write the file now. The answer is the incarnation for the name of its blob. */
  may_write: [{ name: string; seq: number | null }, string]
  /** The files that a fork at a row copies, because no row contains them. */
  forked_files: [{ at: number; outcome: OutcomeEdit | null }, StoredFile[]]
  /** The closed rows behind `after` as they leave the task, with how far each consumer has come. null: behind what is in the usage. */
  export: [{ after: number | null; limit: number }, ExportPage]
  /** The earlier answer to the request with this key. `lease_lost`: that request is not over. */
  earlier_answer: [{ ticket: Ticket }, StepResult]
}
export type QueryKind = keyof QueryTypes
export type TaskQuery<K extends QueryKind = QueryKind> = { [Kind in K]: { kind: Kind } & QueryTypes[Kind][0] }[K]
export type QueryAnswer<K extends QueryKind> = Result<QueryTypes[K][1]>

/** For each kind of upkeep: its parameters and its answer. It needs no ticket, because no caller has requested it. */
interface UpkeepTypes {
  /** Sets the number of bytes that the task may take. */
  give_room: [{ bytes: number }, null]
  /** Pauses the task because there is no room for what it stores. */
  stall: [object, StepResult]
  /** Begins a try of the next due delivery. null: no delivery is due. */
  begin_delivery: [object, Outgoing | null]
  /** Records how a try ended, and answers the delivery. null: another try has replaced it. */
  settle_delivery: [{ seq: number; attempt: number; sent: DeliveryOutcome }, Delivery | null]
  /** Sends a delivery again from the beginning. A pending delivery just goes on. null: there is no such delivery. */
  redeliver: [{ seq: number }, Delivery | null]
  /** Ends all existing links of the task: to its events, files, question and commands. */
  end_links: [object, StoredTaskView]
  /**
   * Writes a file, once per effect. `lease_lost`: a later effect has written it, or its blob was refused. A client's file is
   * refused if it may not be written.
   */
  write_file: [{ file: FileWrite }, WriteResult]
  /** Removes a file. `unused` is the blob that held it. */
  remove_file: [{ name: string }, { unused: string | null }]
  /** Records how far the consumers of the export have come. None of them goes back. */
  settle_export: [{ progress: ExportProgress }, ExportState]
  /** Refuses for ever the blobs that no row names, and answers the others. A refused blob is deleted, so no row may name it later. */
  refuse_blobs: [{ blobs: readonly string[] }, string[]]
}
export type UpkeepKind = keyof UpkeepTypes
export type TaskUpkeep<K extends UpkeepKind = UpkeepKind> = {
  [Kind in K]: { kind: Kind } & UpkeepTypes[Kind][0]
}[K]
export type UpkeepAnswer<K extends UpkeepKind> = Result<UpkeepTypes[K][1]>

export interface TaskMethods<A extends Access = 'local'> {
  create(task: NewTaskRow, ticket: Ticket): AnswerFor<A, Result<StepResult>>
  /** Begins the next effect and returns its assignment. */
  begin(ticket: Ticket): AnswerFor<A, Result<StepResult>>
  /** Closes the row `seq` with the outcome of its effect. */
  commit(seq: number, event: Event, ticket: Ticket): AnswerFor<A, Result<StepResult>>
  tell<K extends CommandKind>(command: TaskCommand<K>, ticket: Ticket): AnswerFor<A, CommandAnswer<K>>
  ask<K extends QueryKind>(query: TaskQuery<K>): AnswerFor<A, QueryAnswer<K>>
  /** Creates the task from the rows of another in one transaction. A repeated key shows the earlier fork. */
  fork(fork: Fork, ticket: Ticket): AnswerFor<A, Result<StepResult>>
  upkeep<K extends UpkeepKind>(upkeep: TaskUpkeep<K>): AnswerFor<A, UpkeepAnswer<K>>
}

export interface StoredTask<A extends Access = 'local'> extends TaskMethods<A> {
  /** Shows watchers what the model of a call says, and tells whether the call of this slice still counts. Nothing is stored. */
  relay(words: ThoughtDelta, slice: string): AnswerFor<A, CallStanding>
  /** The task has no run slot: its object asks again after `ms`, unless it was woken after `asked_ms`. */
  driveLater(ms: number, asked_ms: number): AnswerFor<A, void>
  /** The task has a run slot, and its object drives it at once. false: the task needs no slot now. */
  wake(): AnswerFor<A, boolean>
  /** Deletes the task, also if it cannot be read. */
  remove(): AnswerFor<A, Result<EmptiedTask>>
  /** Deletes the task if it ended long enough ago and has not begun its next run since. */
  retire(): AnswerFor<A, Result<EmptiedTask>>
}
/** What is left of a deleted task. `owed` are its rows as they were at that moment; absent where no row leaves its task, or none can be read. */
export interface EmptiedTask extends RemovedTask {
  owed?: ExportPage
}
/** A stored task as its callers see it. */
export type RemoteTask = StoredTask<'remote'>
