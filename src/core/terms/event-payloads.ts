/**
 * What each event for observers carries, by its type. The payloads that the core makes have these types, and openapi.yaml is written from
 * the schemas. The running service never parses them, so it imports the types alone.
 */
import * as z from 'zod'
import { Axis } from './axes.ts'
import { CommandType, Report } from './delegation.ts'
import { EVENT_TYPES, type EventType } from './plain/wire-names.ts'
import { TokenKinds } from './values/usage.ts'
import { Drive, FailureCode, Guard, Mode, Outcome, PauseText, ThoughtDecision, ThoughtPhase } from './status.ts'

const count = z.int().min(0)
const index = count.describe('0-based place in the list')
const item_id = z.string().nullable().describe('the item that is worked on; null: none is')
const action = { item_id, tool: z.string(), input: z.string() }
const amount = z.union([z.number(), z.string()])
const SpentAxis = z.enum([...Axis.options, 'iterations', 'tenant'])

const PlanList = z.object({
  items: z.array(z.object({ id: z.string(), title: z.string() })),
  cursor: index.describe('0-based place of the item that is worked on'),
  revision: count.optional(),
})
const Item = z.object({ item_id: z.string(), title: z.string(), index })
const StartedItem = Item.extend({ total: count.optional().describe('how many items the list has') })

const TaskSummary = z.object({
  id: z.int().min(1),
  name: z.string(),
  status: z.enum(['pending', 'completed', 'failed', 'skipped']),
})

const EVENT_PAYLOADS = {
  task_created: z.object({ mode: Mode, goal: z.string() }),
  plan_created: PlanList,
  item_started: StartedItem,
  item_completed: Item.extend({ skipped: z.literal(true).optional() }),
  item_failed: Item,
  thought_decided: z.object({
    phase: ThoughtPhase,
    item_id,
    decision: ThoughtDecision,
    text: z.string(),
    reason: z.string().optional(),
    is_complete: z.boolean().optional().describe('whether the step is over'),
  }),
  llm_thinking: z.object({
    thinking: z.string(),
    is_real: z.boolean().describe('false: the model has said nothing, and the text is made up in its place'),
    iteration: count,
  }),
  tasks_updated: z.object({ tasks: z.array(TaskSummary), source: z.enum(['llm', 'system']) }),
  action_started: z.object(action),
  action_waiting: z.object({ tool: z.string(), message: z.string().nullable() }),
  action_finished: z.object({
    item_id,
    tool: z.string(),
    ok: z.boolean(),
    status: z.enum(['success', 'error']),
    text: z.string(),
  }),
  plan_replanned: PlanList,
  plan_adjusted: PlanList,
  plan_edited: PlanList.extend({
    author: z.string(),
    diff: z.object({
      added: z.array(z.string()),
      removed: z.array(z.string()),
      kept: z.array(z.string()),
      moved: z.array(z.string()),
      dropped: z.array(z.string()).describe('named by the edit, and finished before it was made'),
    }),
  }),
  command_dispatched: z.object({ delegation_id: z.string(), command_type: CommandType }),
  report_received: z.object({ delegation_id: z.string(), report: Report }),
  clarification_requested: z.object({
    request_id: z.string(),
    question: z.string(),
    action: z.object(action).nullable().optional().describe('what waits for approval; null: the plan does'),
  }),
  clarification_answered: z.object({ request_id: z.string(), answer: z.string() }),
  file_requested: z.object({ request_id: z.string(), name: z.string().nullable(), prompt: z.string() }),
  file_arrived: z.object({ request_id: z.string(), name: z.string() }),
  tools_listed: z.object({
    source: z.string(),
    tools: z.array(z.string()),
    digest: z.string(),
    notes: z.array(z.string()),
  }),
  tools_unavailable: z.object({ source: z.string(), reason: z.string(), optional: z.boolean() }),
  contract_failed: z.object({ phase: z.string(), reason: z.string() }),
  loop_guard: z.object({
    guard: Guard,
    count,
    evidence: z.string(),
    from: z.string().optional().describe('of `model_fallback`: the model that was given up'),
    to: z.string().optional().describe('of `model_fallback`: the model that is asked from now on'),
  }),
  budget_exhausted: z.object({
    axis: SpentAxis,
    used: amount.nullable(),
    max: amount.nullable(),
    kinds: TokenKinds.optional().describe('of `tokens`: the used tokens, each in one kind'),
  }),
  budget_added: z.object({
    axis: z.enum([...Axis.options, 'iterations', 'attempts']),
    amount: amount.optional(),
    max: amount.nullable(),
  }),
  task_paused: z.object({ stop_reason: PauseText }),
  task_resumed: z.object({}),
  task_changed: z.object({
    members: z.array(z.enum(['drive', 'callback_url', 'metadata', 'title'])).describe('what was changed'),
    drive: Drive,
    title: z.string().nullable(),
  }),
  report_generated: z.object({ report: z.string() }),
  task_completed: z.object({
    stop_reason: z.literal('done'),
    outcome: Outcome.nullable(),
    data: z.unknown().optional().describe('of a task with `output_schema`'),
  }),
  task_failed: z.object({ stop_reason: FailureCode }),
  task_canceled: z.object({}),
  agent_started: z.object({
    session_id: z.string(),
    user_request: z.string(),
    mode: z.enum(['autonomous', 'staged']),
  }),
  agent_completed: z.object({
    iterations: count,
    limit_reached: z.boolean(),
    reason: z.string().describe('what ended the run, or its stop reason'),
    tasks_summary: z.object({ total: count, completed: count }),
    open_tasks: z.array(z.string()),
  }),
  agent_error: z.object({ error: z.string(), phase: z.string() }),
} as const satisfies Record<EventType, z.ZodObject>
/** The row that caused an event, and the steps that were used after it (U4). */
const Cause = z.object({ journal_seq: z.int().min(1), step_count: count })
const eventOf = <T extends EventType>(type: T) =>
  z.object({
    seq: z.int().min(1),
    type: z.literal(type),
    at: z.string(),
    task_id: z.string(),
    payload: Cause.extend(EVENT_PAYLOADS[type].shape),
  })

/** An event as the core hands it on. Its readers read a payload member by member, because events of a later version may come too. */
export interface Envelope {
  seq: number
  type: EventType
  at: string
  task_id: string
  payload: Record<string, unknown>
}
const [first, ...others] = EVENT_TYPES
/** An event as observers see it: one shape for each type. */
export const Envelope: z.ZodType<Envelope> = z.discriminatedUnion('type', [eventOf(first), ...others.map(eventOf)])

type EventPayloads = { [T in EventType]: z.input<(typeof EVENT_PAYLOADS)[T]> }

/** An event for observers. The store adds the envelope: seq, at, task_id, and in the payload the row that caused it. */
export type NoteOf<T extends EventType> = { [E in T]: { type: E; payload: EventPayloads[E] } }[T]
export type Note = NoteOf<EventType>
