/** What a mode is: a pure transition table with a price list. It decides; it never does. */
import type * as z from 'zod'
import type { Command } from '../terms/delegation.ts'
import type { Brief, Event, EventOf, Fact, Message, Next, Note, Recall } from '../terms/effect.ts'
import type { JsonSchema } from '../terms/schema/json-schema.ts'
import type { Failure } from '../terms/failure-streak.ts'
import type { Head } from '../terms/head.ts'
import type { ToolCard } from './tools.ts'
import type { Reader } from './reply.ts'
import { unreadable } from '../terms/unreadable.ts'
import type { AnswerForm } from '../terms/schema/answer-form.ts'
import type { ItemStatus, PlanView, Thought } from '../terms/view.ts'
import type { ModeName } from '../terms/mode-names.ts'
import type { PauseReason } from '../terms/pause-reason.ts'
import type { ModelPhase } from '../terms/settings.ts'
import type { Counters, Unit } from '../terms/status.ts'

/** What a handler may look at beside its state and event. */
export interface Context {
  /** The id of the task. */
  task: string
  /** The row being closed. */
  seq: number
  brief: Brief
  recall: Recall
  /** The working time the effect of that row is charged, in ms; 0 for a row without one. */
  elapsed_ms: number
  /** What was waiting for its approval when this happened. */
  awaits: 'plan' | 'action' | null
}

/** The answer of a handler. */
export interface HandlerResult<S> {
  state: S
  notes: Note[]
  /** The reply broke its contract, or there was none; the engine counts the streak. */
  failure?: Failure
  /** No valid decision, but no failure either: the streak stays as it is (U9). */
  undecided?: true
  /** The task has ended by itself. */
  stop?: { status: 'completed' | 'failed'; reason: string }
  /** A task that was completed has begun its next run: its own counter is granted again. */
  reopened?: true
  counts?: Partial<Counters>
}

/** Events a mode is told; the others (resumed, canceled, budget_spent, …) are the engine's. */
export type ModeEvent = Exclude<
  Event['kind'],
  | 'task_created'
  | 'budget_added'
  | 'allowance_granted'
  | 'budget_spent'
  | 'canceled'
  | 'paused'
  | 'question_reminded'
  | 'question_expired'
>
export type Handler<S, K extends ModeEvent> = (state: S, event: EventOf<K>, context: Context) => HandlerResult<S>
export type Transitions<S extends { phase: string }> = Record<
  S['phase'],
  { [K in ModeEvent]?: Handler<S, K> | undefined }
>

/** What a prompt may look at; everything else of the world is unknown to it. */
export interface PromptContext {
  head: Head
  brief: Brief
  recall: Recall
  tools: readonly ToolCard[]
  wall_ms: number
}
export interface Prompt {
  /** `<mode>/<phase>@<version>`: changes whenever the wording does. */
  version: string
  messages: Message[]
  /** Tools the model may call natively in its reply; the contract of the phase is then its text alone. */
  tools?: ToolSpec[]
}
/** A tool as the model is offered it. */
export interface ToolSpec {
  name: string
  description: string
  /** JSON Schema of its arguments, an object. */
  parameters: JsonSchema
}

/** A question that was put to the user. */
export interface Question extends AnswerForm {
  /** The row that asked. */
  row: number
  request_id: string
  question: string
}
/** What a mode shows of its state. */
export interface ModeView {
  plan: PlanView
  thought: Thought | null
  question: Question | null
  result: string | null
}
/** The three parts of a handover that only the mode knows (S0-33). */
export interface Progress {
  completed: string[]
  /** Items finished since the start, those that left the list too. */
  finished_count: number
  remaining: string[]
  last_failure: string | null
  /** How far it is, in the words of the mode: the text of a handover begins with it. */
  summary?: string
}

/** What a mode counts (R24). */
export interface Counter {
  unit: Unit
  /** How many a task of these settings is granted, first and by each continue. */
  max(settings: Brief['settings']): number
  /** Whether being spent ends the task instead of pausing it. */
  ends?(settings: Brief['settings']): boolean
}

export interface Mode<S extends { phase: string }> {
  name: ModeName
  state: z.ZodType<S>
  counter: Counter
  /** Defaults of settings that are other ones in this mode. */
  presets: Partial<Brief['settings']>
  /** Names of the built-in tools it offers. */
  tools: readonly string[]
  /** Whether its model calls tools: those of a client would never be called otherwise. */
  takes_tools: boolean
  /** The phases of its requests to a model, as settings.models and the header of a request name them. */
  model_phases: readonly ModelPhase[]
  /** The most model calls a task of these settings can make. */
  calls_max(settings: Brief['settings']): number
  /** The most tool calls such a task can make. */
  tool_calls_max(settings: Brief['settings']): number
  /** The most bytes a prompt of it can have, those of a client's own tools left out. */
  prompt_bytes(settings: Brief['settings']): number
  /** The price list: steps an effect of this phase costs, however it ends (R24). */
  cost: Record<S['phase'], 0 | 1>
  /** Phases whose effect opens a round; the limit check comes before each of them (S0-27). */
  opens_round: ReadonlySet<S['phase']>
  /** Phases that make the first plan: failed attempts run back to back, and a lost one uses up one of them (U3, U8). */
  planning: ReadonlySet<S['phase']>
  /** Whether its next effects make the plan, of a mode whose phases do not tell. */
  plans?(state: S): boolean
  /** The phase of a side turn: one effect outside the counter, of a task that rests (U14). null: it has none. */
  aside: S['phase'] | null
  /** Whether something said to a completed task begins its next run (U20). */
  reopens: boolean
  /**
   * Two events are a mode's own choice to hear. `plan_edited` in each phase of a task that goes on: its unfinished items are replaced
   * (core/modes/plan/human-edits.ts has what all lists have in common); without it the plan is refused to be edited. `approval_answered` where an
   * action is about to be run: `rejected` makes it a failed observation, `changes` a remark, and the next effect is another one –
   * without it a rejection ends the task; and in the phase after planning: `changes` goes back to planning. What is approved goes on
   * by itself.
   */
  transitions: Transitions<S>
  /** Whether there is a plan to be edited, of a mode that may have none; without it the phase alone tells. */
  has_plan?(state: S): boolean
  start(settings: Brief['settings']): S
  next(state: S, recall: Recall): Next
  /** Failures in a row this phase allows. */
  failure_limit(phase: S['phase'], settings: Brief['settings']): number
  prompt(state: S, phase: string, context: PromptContext): Prompt
  /** Contracts of the replies by phase, or by the name an effect gives: a zod schema that validates them and gives their JSON schema. */
  contracts: Partial<Record<string, z.ZodType>>
  /** How its replies are read; without it they are one JSON object and nothing else. */
  reader?: Reader
  view(state: S, context: ViewContext): ModeView
  progress(state: S, context: { recall: Recall }): Progress
  /** What is wrong with a reply in free text, told to people; without it there can only be nothing in it. */
  flaw?(state: S, reply: EventOf<'model_replied'>): string | null
  /** What observers are told in events of its own: as the task is made, and as it comes to rest. */
  begun?(task: string, brief: Brief): Note[]
  rested?(state: S, rest: Rest, recall: Recall): Note[]
  /** Texts it keeps up to date by itself, as files of the task: derived on every read, stored nowhere. By name. */
  documents?(state: S, context: { recall: Recall; end: Head['end'] }): TextDocument[]
  /** Of a mode that hands commands to workers: the one that is dispatched next, or that was just dispatched. */
  command?(state: S, context: { recall: Recall }): Command
  /** The row of the command whose report it waits for; null: it waits for none. */
  awaited?(state: S): number | null
  /** What is sent to a worker when the task has ended, and waited for by nobody; null: nothing. */
  farewell?(state: S, context: { recall: Recall }): Command | null
  /** The question a row has put to the user, open or answered, and the row of its answer; null: it asked none that was shown. */
  asked(state: S, row: number, recall: Recall): { question: Question; answer_row: number | null } | null
}

/** How a task came to rest. */
export interface Rest {
  task: string
  /** The row with which it did. */
  row: number
  kind: 'completed' | 'failed' | 'canceled' | 'paused'
  /** Its stop reason. */
  reason: string
  /** null: it has ended. */
  pause_reason: PauseReason | null
  /** Of the attempt that brought it about; null: none did. */
  failure: string | null
}

/** A file that is made from the state; no other file has its name. */
export interface TextDocument {
  name: string
  content_type: string
  text: string
}

/** What a view is made from beside the state. */
export interface ViewContext {
  recall: Recall
  /** null while it can go on. */
  ended: ItemEnding | null
  thought_row: number | null
  /** Whether it is paused. */
  held: boolean
}

/** How the unfinished items of an ended task are shown. */
export interface ItemEnding {
  current: ItemStatus
  later: ItemStatus
}

/** The brief of a task is the fact of its first row. */
export function briefOf(recall: Recall): Brief {
  const { event } = recall(1)
  if (event.kind !== 'task_created') throw unreadable('row 1 of a journal is not task_created')
  return event.brief
}

/** The fact of a row whose kind is known by construction of the state that refers to it. */
export function expectEvent<K extends Event['kind']>(fact: Fact, kind: K): EventOf<K> {
  if (fact.event.kind !== kind) throw unreadable(`expected a row of ${kind}, found ${fact.event.kind}`)
  // The discriminant was just compared; TypeScript cannot narrow a union by a generic key.
  return fact.event as EventOf<K>
}

/** What the user said of his own accord, or wanted changed about what he was to approve. */
export function remarkAt(recall: Recall, row: number): string {
  const fact = recall(row)
  return fact.event.kind === 'approval_answered' ? fact.event.text : expectEvent(fact, 'user_remarked').text
}
