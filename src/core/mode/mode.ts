/** The interface of a mode: a pure transition table with a price list. A mode decides and never acts. */
import type * as z from 'zod'
import type { Command } from '../terms/delegation.ts'
import type { Brief, Event, EventOf, Fact, Message, Next, Note, Recall, StoredEffect } from '../terms/effect.ts'
import type { JsonSchema } from '../terms/schema/json-schema.ts'
import type { Failure } from '../terms/failure-streak.ts'
import type { Head } from '../terms/head.ts'
import type { FileRequest } from './file-request.ts'
import type { ToolCard } from './tools.ts'
import type { ReaderOf } from './reply.ts'
import { unreadable } from '../terms/unreadable.ts'
import type { AnswerForm } from '../terms/schema/answer-form.ts'
import type { ItemStatus, PlanView, Thought } from '../terms/view.ts'
import type { ModeName } from '../terms/mode-names.ts'
import type { PauseReason } from '../terms/pause-reason.ts'
import type { ModelPhase, ModeSetting } from '../terms/settings.ts'
import type { FailureCode } from '../terms/plain/wire-names.ts'
import type { Counters, Outcome, StopReason, Unit } from '../terms/status.ts'

/** What a handler may read in addition to its state and its event. */
export interface HandlerContext {
  /** The id of the task. */
  task: string
  /** The row being closed. */
  seq: number
  brief: Brief
  recall: Recall
  /** The working time that the effect of that row is charged, in ms. It is 0 for a row without an effect. */
  elapsed_ms: number
  /** What was waiting for approval when the event happened. */
  awaits: 'plan' | 'action' | null
}

/** What a handler returns. */
export interface HandlerResult<S> {
  state: S
  notes: Note[]
  /** The reply broke its contract, or there was no reply. The engine counts failures in a row. */
  failure?: Failure
  /** There is neither a valid decision nor a failure, so the failure streak does not change (U9). */
  undecided?: true
  /** The mode ends the task. */
  stop?: { status: 'completed'; reason: 'done' } | { status: 'failed'; reason: FailureCode }
  /** A completed task begins its next run, so its native counter is granted again. */
  reopened?: true
  counts?: Partial<Counters>
}

/** The events that a mode is told. The engine alone handles the others (applyEvent in core/engine/reduce.ts). */
export type ModeEvent = Extract<
  Event['kind'],
  | 'model_replied'
  | 'model_failed'
  | 'tool_returned'
  | 'effect_orphaned'
  | 'outcome_unknown'
  | 'abandoned'
  | 'user_answered'
  | 'user_remarked'
  | 'file_arrived'
  | 'user_asked_aside'
  | 'aside_refused'
  | 'resumed'
  | 'plan_edited'
  | 'approval_answered'
  | 'report_arrived'
  | 'report_expired'
>
export type Handler<S, K extends ModeEvent> = (state: S, event: EventOf<K>, context: HandlerContext) => HandlerResult<S>
type Transitions<S extends { phase: string }> = Record<S['phase'], { [K in ModeEvent]?: Handler<S, K> | undefined }>

/** Everything that a prompt is built from. A prompt that depended on more could not be rebuilt later. */
export interface PromptContext {
  head: Head
  brief: Brief
  recall: Recall
  tools: readonly ToolCard[]
  wall_ms: number
}
export interface Prompt {
  /** `<mode>/<phase>@<version>`. The version changes whenever the wording changes. */
  version: string
  messages: Message[]
  /** The tools that the model may call natively. The contract of the phase then applies to the text of the reply alone. */
  tools?: ToolSpec[]
  /** Only the first call of a reply is made. */
  one_call?: true
}
/** A tool as it is offered to the model. */
export interface ToolSpec {
  name: string
  description: string
  /** The JSON Schema of its arguments, which are an object. */
  parameters: JsonSchema
}

/** A question to the user. */
export interface Question extends AnswerForm {
  /** The row that asked. */
  row: number
  request_id: string
  question: string
  /** In a conversation: the call that asked. The answer is its result. */
  call?: { by: number; call: number }
}
/** What a mode shows of its state. */
export interface ModeView {
  plan: PlanView
  thought: Thought | null
  question: Question | null
  result: string | null
  /** What the model itself said of the goal when it ended the task. null: it said nothing. */
  verdict: Verdict | null
  /** The ids of open items that the answer has settled. Other open items of a completed task were not worked on. */
  settled?: readonly string[]
}
/** How the model judges what became of the goal, and why. */
export interface Verdict {
  outcome: Outcome
  reason: string
}
/** The parts of a handover that only the mode knows (S0-33). */
export interface Progress {
  /** The completed items with what came of them, then the newest actions of the item that is worked on. */
  completed: string[]
  /** How many items were finished since the start, with those that have left the list. */
  finished_count: number
  /** The items that failed or were skipped, then the open ones. */
  remaining: string[]
  open_count: number
  /** The latest obstacle. null: there was none, or it was overcome since. */
  last_failure: string | null
  /** A sentence of the mode about its progress, with which the text of a handover begins. */
  summary?: string
}

/** The native counter of a mode (R24). */
export interface ModeCounter {
  unit: Unit
  /** How many units a task is granted at its start, and again by each "continue". */
  max(settings: Brief['settings']): number
  /** Whether the task fails, instead of pausing, once the counter is spent. */
  ends?(settings: Brief['settings']): boolean
}

export interface Mode<S extends { phase: string }> {
  name: ModeName
  state: z.ZodType<S>
  counter: ModeCounter
  /** The settings that this mode heeds, and not every mode. */
  own_settings: readonly ModeSetting[]
  /** The settings whose defaults differ in this mode. */
  presets: Partial<Brief['settings']>
  /** The names of the built-in tools that the mode offers. */
  tools: readonly string[]
  /** Whether its model calls tools. Otherwise tools of a client are refused, because they would never be called. */
  takes_tools: boolean
  /** The phases of its model calls, as settings.models and the request header name them. */
  model_phases: readonly ModelPhase[]
  /** How many model calls a task of these settings makes at most. */
  calls_max(settings: Brief['settings']): number
  /** How many tool calls a task of these settings makes at most. */
  tool_calls_max(settings: Brief['settings']): number
  /** How many bytes a prompt has at most, without the tools of a client. */
  prompt_bytes(settings: Brief['settings']): number
  /** The price list: the steps that an effect of each phase costs, with any outcome (R24). `result` is the closing call (U54). */
  cost: Record<S['phase'] | 'result', 0 | 1>
  /** The phases whose effect opens a round. The limit check comes before each of these effects (S0-27). */
  opens_round: ReadonlySet<S['phase']>
  /** The phases that make the first plan. Their attempts follow each other without delay, and a lost one is counted (U3, U8). */
  planning: ReadonlySet<S['phase']>
  /** Whether the next effects make the plan, for a mode whose phases do not say it. */
  makesPlan?(state: S): boolean
  /** The phase of a side turn, an effect outside the counter while the task is not running (U14). null: the mode has none. */
  side_phase: S['phase'] | null
  /** Whether an input to a completed task begins its next run (U20). */
  reopens: boolean
  /**
   * The handlers by phase and event. A mode may leave out two events.
   *
   * `plan_edited` replaces the unfinished items (core/modes/plan/human-edits.ts has what all lists share). A phase without this
   * handler refuses edits of the plan.
   *
   * `approval_answered` is told in a phase that is about to run an action. `rejected` becomes a failed observation and
   * `changes` a remark, and the next effect is another one. Without the handler a rejection ends the task. In the phase
   * after planning `changes` leads back to planning. An approved plan or action goes on without an event.
   */
  transitions: Transitions<S>
  /** Whether there is a plan to edit, for a mode that may have none. Without this function the phase alone decides. */
  hasPlan?(state: S): boolean
  start(settings: Brief['settings']): S
  /** What the latest run was asked for. Without this function it is the goal. */
  request?(state: S, recall: Recall): string
  next(state: S, recall: Recall): Next
  /** How many failures in a row this phase allows. */
  failure_limit(phase: S['phase'], settings: Brief['settings']): number
  prompt(state: S, phase: string, context: PromptContext): Prompt
  /** The zod schemas of the replies, by phase or by the name that an effect gives. Their JSON schemas go to the model. */
  contracts: Partial<Record<string, z.ZodType>>
  /** Reads the replies. Without it a reply has to be one JSON object. */
  reader?: ReaderOf
  view(state: S, context: ViewContext): ModeView
  progress(state: S, context: { recall: Recall }): Progress
  /** Says to people what is wrong with a reply in free text. Without it only an empty reply can be wrong. */
  replyError?(state: S, reply: EventOf<'model_replied'>, context: { brief: Brief; recall: Recall }): string | null
  /** The mode's own events for observers when the task is created, and when it becomes idle. */
  startNotes?(task: string, brief: Brief): Note[]
  idleNotes?(state: S, cause: IdleCause, recall: Recall): Note[]
  /** Documents that appear as files of the task, sorted by name. They are derived on every read and never stored. */
  documents?(state: S, context: { recall: Recall; end: Head['end'] }): TextDocument[]
  /** The command that is dispatched next, or was just dispatched. Only a mode that delegates work has it. */
  currentCommand?(state: S, context: { recall: Recall }): Command
  /** The row of the command whose report the task waits for. null: it waits for none. */
  awaitedCommandRow?(state: S): number | null
  /** The file that the task waits for. null: it waits for none. Only a mode that works with files of the client has it. */
  fileRequest?(state: S, context: { recall: Recall }): FileRequest | null
  /** Whether the task may come to wait for this file at the end of the effect under way. */
  mayAwaitFile?(state: S, name: string, context: { recall: Recall; effect: StoredEffect }): boolean
  /** A last command for a worker after the end of the task. No report to it is expected. null: there is none. */
  finalCommand?(state: S, context: { recall: Recall }): Command | null
  /** The question of a row, open or answered, with the row of its answer. null: the row put no question to the user. */
  questionAt(state: S, row: number, recall: Recall): { question: Question; answer_row: number | null } | null
}

/** Why a task has become idle: it has ended, or it is paused. */
export interface IdleCause {
  task: string
  /** The row that made it idle. */
  row: number
  kind: 'completed' | 'failed' | 'canceled' | 'paused'
  /** The stop reason of the task. */
  reason: StopReason
  /** Why it is paused. null: it is not. */
  pause_reason: PauseReason | null
  /** Why the last attempt failed, if this failure made the task idle. */
  failure: string | null
}

/** A file that is made from the state. No other file may have its name. */
export interface TextDocument {
  name: string
  content_type: string
  text: string
}

/** What a view is made from in addition to the state. */
export interface ViewContext {
  recall: Recall
  /** How unfinished items are shown. null: the task has not ended. */
  ended: ItemEnding | null
  thought_row: number | null
  paused: boolean
}

/** How the unfinished items of an ended task are shown. */
export interface ItemEnding {
  current: ItemStatus
  later: ItemStatus
}

/** The brief of a task, which its first row holds. */
export function briefOf(recall: Recall): Brief {
  const { event } = recall(1)
  if (event.kind !== 'task_created') throw unreadable('row 1 of a journal is not task_created')
  return event.brief
}

/** The event of a row. The state that refers to a row implies its kind, so another kind means an unreadable journal. */
export function expectEvent<K extends Event['kind']>(fact: Fact, kind: K): EventOf<K> {
  if (fact.event.kind !== kind) throw unreadable(`expected a row of ${kind}, found ${fact.event.kind}`)
  // The cast holds because the kind was just compared. TypeScript cannot narrow a union by a generic key.
  return fact.event as EventOf<K>
}

/** The text of a remark, of the changes that the user wants to what waits for approval, or of an answer in place of a file. */
export function remarkAt(recall: Recall, row: number): string {
  const fact = recall(row)
  const { event } = fact
  if (event.kind === 'approval_answered' || event.kind === 'user_answered') return event.text
  return expectEvent(fact, 'user_remarked').text
}
