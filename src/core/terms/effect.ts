/**
 * The vocabulary of the engine: what can be wanted (imperative), what can have happened (past tense), what is noted.
 * Everything here is data with a `kind`; what is stored or crosses a process boundary has a zod schema.
 */
import * as z from 'zod'
import { Allowance, Axis, Grant } from './axes.ts'
import { ClientTool } from './client-tools.ts'
import { Amounts, Report } from './delegation.ts'
import { Settings } from './settings.ts'
import { Locale } from './locale.ts'

/** How the reply of a model is constrained; negotiated downwards by what an endpoint accepts (json_schema first). */
export const ReplyForm = z.enum(['json_schema', 'json_object', 'text'])
export type ReplyForm = z.infer<typeof ReplyForm>

/** Tokens as the endpoint reports them. */
export const Usage = z.object({ input_tokens: z.int().min(0), output_tokens: z.int().min(0) })
export type Usage = z.infer<typeof Usage>

export const Drive = z.enum(['manual', 'background'])
export type Drive = z.infer<typeof Drive>

/** 30 days. */
export const IDLE_TTL_S = 2_592_000

/** What a fork knows of the task it was made from. */
export const ForkSource = z.object({
  task: z.string(),
  /** The last row that was copied. */
  at: z.int().min(1),
  made_ms: z.number(),
  /** Up to this row requests were asked under other settings: they are not rebuilt as they were sent. */
  inexact_until: z.int().min(0),
})

/** What a task was created with; never changes. Kept once, in the first row of the journal. */
export const Brief = z.object({
  goal: z.string(),
  mode: z.string(),
  settings: Settings,
  locale: Locale,
  timezone: z.string(),
  metadata: z.record(z.string(), z.string()),
  /** Who advances it: only requests, or the service too (U20). */
  drive: Drive.default('manual'),
  /** Where changes of status are told to; null: nowhere. */
  callback_url: z.string().nullable().default(null),
  /** What links to the service begin with: `https://host`, without a slash at the end. */
  origin: z.string().default(''),
  /** Seconds a task is kept after it has ended. */
  idle_ttl_s: z.int().min(60).default(IDLE_TTL_S),
  forked: ForkSource.optional(),
  /** What models write code in for this task: Python, where the service had a runner for it as the task was made. */
  code_language: z.enum(['javascript', 'python']).default('javascript'),
  /** Those the client brought, beside the mode's. */
  tools: z.array(ClientTool).default([]),
})
export type Brief = z.infer<typeof Brief>

/** A tool the model calls natively; `arguments` is the JSON text as it wrote it. The id is unique within its reply. */
export const ToolCall = z.object({ id: z.string().min(1), name: z.string(), arguments: z.string() })
export type ToolCall = z.infer<typeof ToolCall>

/** A call that got a completion; `text` is the whole reply of the assistant beside the tools it calls. */
export const ModelReplied = z.object({
  kind: z.literal('model_replied'),
  text: z.string(),
  usage: Usage.nullable(),
  model: z.string(),
  form: ReplyForm,
  /** Only where tools were offered to be called. */
  tool_calls: z.array(ToolCall).min(1).optional(),
  /** Forms the endpoint refused on the way (U7); uncounted, noted. */
  negotiated: z.array(ReplyForm).optional(),
})
/** A call without a completion: transport error, time-out, HTTP error, a 200 that is none (docs/contributing/design.md "Failures"). */
export const ModelFailed = z.object({
  kind: z.literal('model_failed'),
  /** For people and the ledger; never contains a secret or a raw body. */
  reason: z.string(),
  /** The HTTP status when the endpoint answered with an error, null for transport errors and time-outs. */
  status: z.int().nullable(),
  retry_after_ms: z.number().min(0).nullable(),
  /** Reported although there was no usable completion: a refusal, a reply that is too long (U11). */
  usage: Usage.optional(),
  negotiated: z.array(ReplyForm).optional(),
})
export const ToolReturned = z.object({
  kind: z.literal('tool_returned'),
  ok: z.boolean(),
  text: z.string(),
  /** The machine kind beside the text: `todo_added`, `conflict`, `search_results`, `not_offered`, … */
  code: z.string(),
})

/** An item of a plan as a person wrote it; `id` is that of the unfinished item it is, null for a new one. */
export const EditedItem = z.object({
  id: z.string().nullable(),
  title: z.string(),
  description: z.string(),
  expected_output: z.string().nullable(),
})
export type EditedItem = z.infer<typeof EditedItem>

/** Facts a task is told, in the past tense. Each is one row of the journal. */
export const Event = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('task_created'), brief: Brief }),
  ModelReplied,
  ModelFailed,
  ToolReturned,
  z.object({ kind: z.literal('effect_orphaned') }),
  z.object({ kind: z.literal('outcome_unknown') }),
  z.object({ kind: z.literal('abandoned') }),
  z.object({ kind: z.literal('user_answered'), text: z.string() }),
  z.object({ kind: z.literal('user_remarked'), text: z.string() }),
  /** Said to a task that rests, to be answered beside its work (U14). */
  z.object({ kind: z.literal('user_asked_aside'), text: z.string() }),
  /** That answer is not made: an axis of the budget has no room for it, or its model is not allowed any more. */
  z.object({
    kind: z.literal('aside_refused'),
    axis: z.enum([...Axis.options, 'tenant']).optional(),
    reason: z.literal('model_not_allowed').optional(),
  }),
  z.object({ kind: z.literal('resumed'), grant: z.boolean(), text: z.string().optional() }),
  /** The unfinished part of the plan was replaced by hand. */
  z.object({ kind: z.literal('plan_edited'), author: z.string(), items: z.array(EditedItem) }),
  /** What became of the approval that row `request` asked for (U15). */
  z.object({
    kind: z.literal('approval_answered'),
    request: z.int(),
    verdict: z.enum(['approved', 'rejected', 'changes']),
    text: z.string(),
    /** The action it was about: the row whose reply chose it, and which of its calls; null: the plan. */
    action: z.object({ by: z.int(), call: z.int() }).nullable(),
  }),
  z.object({ kind: z.literal('budget_added'), add: Grant }),
  z.object({ kind: z.literal('allowance_granted'), allowance: Allowance }),
  z.object({ kind: z.literal('request_ended') }),
  z.object({ kind: z.literal('budget_spent'), axis: z.enum([...Axis.options, 'tenant']) }),
  z.object({ kind: z.literal('canceled') }),
  z.object({ kind: z.literal('paused'), reason: z.enum(['model_not_allowed', 'storage_full']).optional() }),
  z.object({ kind: z.literal('question_reminded') }),
  z.object({ kind: z.literal('question_expired') }),
  /** Of the command that row `delegation` dispatched; `charged`: what its worker has spent of the budget of the task. */
  z.object({ kind: z.literal('report_arrived'), delegation: z.int().min(1), report: Report, charged: Amounts }),
  z.object({ kind: z.literal('report_expired'), delegation: z.int().min(1), charged: Amounts }),
])
export type Event = z.infer<typeof Event>
export type EventOf<K extends Event['kind']> = Extract<Event, { kind: K }>

/** What a mode wants next: an effect now, a person's word or a worker's report, or nothing more. */
export type Next = { kind: 'run'; effect: Effect } | { kind: 'wait'; for: 'answer' | 'report' } | { kind: 'stop' }
export type Effect =
  | {
      kind: 'call_model'
      phase: string
      /** The contract of the reply where it is not that of the phase. */
      contract?: string
    }
  | {
      kind: 'run_tool'
      phase: string
      tool: string
      input: string
      /** The row whose reply chose it, and which of the calls of that reply it is. */
      by: number
      call: number
      item_id: string | null
    }

/** The name of the contract that the reply of a call has to satisfy. */
export const contractOf = ({ phase, contract }: { phase: string; contract?: string | undefined }) => contract ?? phase

export type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; tool_calls?: ToolCall[] }
  | { role: 'tool'; content: string; tool_call_id: string }

/** Something an observer is shown; the envelope (seq, at, task_id) is added by the store. */
export type Note = { type: EventType; payload: Record<string, unknown> }
export const EVENT_TYPES = [
  'task_created',
  'plan_created',
  'item_started',
  'item_completed',
  'item_failed',
  'thought_decided',
  'llm_thinking',
  'tasks_updated',
  'action_started',
  'action_finished',
  'plan_replanned',
  'plan_adjusted',
  'plan_edited',
  'command_dispatched',
  'report_received',
  'clarification_requested',
  'clarification_answered',
  'contract_failed',
  'loop_guard',
  'budget_exhausted',
  'budget_added',
  'task_paused',
  'task_resumed',
  'report_generated',
  'task_completed',
  'task_failed',
  'task_canceled',
  'agent_started',
  'agent_completed',
  'agent_error',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** An effect as its journal row keeps it: references and a hash instead of the prompt (U4). */
export const StoredEffect = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('call_model'),
    phase: z.string(),
    /** The contract of the reply where it is not that of the phase. */
    contract: z.string().optional(),
    /** Which prompt text asked: `<mode>/<phase>@<version>`. */
    prompt: z.string(),
    hash: z.string(),
    /** The wall clock the prompt showed, ms since the epoch. */
    wall_ms: z.number(),
    opens_round: z.boolean(),
  }),
  z.object({
    kind: z.literal('run_tool'),
    phase: z.string(),
    tool: z.string(),
    /** The row whose reply holds the input. */
    by: z.int(),
    /** Which of its calls. */
    call: z.int().min(0).default(0),
    item_id: z.string().nullable(),
    idempotent: z.boolean(),
    wall_ms: z.number(),
    /** Where the call is the round itself, and not a part of a model's. */
    opens_round: z.literal(true).optional(),
    /** Of such a call: when it was first begun, by the real clock, however often it is begun again. */
    begun_ms: z.number().optional(),
  }),
])
export type StoredEffect = z.infer<typeof StoredEffect>

/** What one journal row says happened: the effect that ran, if any, and the event that closed it. */
export interface Fact {
  effect: StoredEffect | null
  event: Event
  /** When it was closed, ms since the epoch. */
  at: number
}
/** Reads an earlier row by its journal seq: the head refers to texts, the journal keeps each of them once. */
export type Recall = (seq: number) => Fact
