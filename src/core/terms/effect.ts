/**
 * The vocabulary of the engine: effects (imperative), events (past tense) and notes for observers. Everything here is data
 * with a `kind`. What is stored or crosses a process boundary has a zod schema.
 */
import * as z from 'zod'
import { Allowance, Axis, Grant } from './axes.ts'
import { ClientTool, ToolSource } from './tools/client-tools.ts'
import { TOOL_EVENTS } from './tools/tool-events.ts'
import { Amounts, Report } from './delegation.ts'
import type { ImageRef } from './files/images.ts'
import { Settings } from './settings.ts'
import { Drive } from './status.ts'
import { Locale } from './locale.ts'
import { Usage } from './values/usage.ts'

export type { Note, NoteOf } from './event-payloads.ts'

/** How the reply of a model is constrained. The first form is tried first; an endpoint that refuses it gets the next one. */
export const ReplyForm = z.enum(['json_schema', 'json_object', 'text'])
export type ReplyForm = z.infer<typeof ReplyForm>
export const FIRST_FORM: ReplyForm = 'json_schema'

/** The ways in which endpoints are asked (src/models/wires). */
export const WireName = z.enum(['chat', 'responses', 'messages', 'workers_ai'])
export type WireName = z.infer<typeof WireName>

/**
 * What a model has thought before a reply, as its endpoint wants it back with the next request. It is opaque, is never shown, and
 * goes to no other wire, endpoint or model.
 */
export const Reasoning = z.object({ wire: WireName, endpoint: z.string(), model: z.string(), items: z.string() })
export type Reasoning = z.infer<typeof Reasoning>

/** A task is kept for 30 days after it has ended, unless its brief says otherwise. */
export const IDLE_TTL_S = 2_592_000

/** What a fork knows of the task it was copied from. */
const ForkSource = z.object({
  task: z.string(),
  /** The last row that was copied. */
  at: z.int().min(1),
  made_ms: z.number(),
  /** Up to this row the requests were sent under other settings, so they cannot be rebuilt exactly. */
  inexact_until: z.int().min(0),
})

/** What a task was created with. It never changes and is stored once, in the first row of the journal. */
export const Brief = z.object({
  goal: z.string(),
  /** What its maker wants of the model in every phase. Absent: nothing. */
  instructions: z.string().min(1).optional(),
  /** The JSON Schema of the data of its result. Absent: the result is text. */
  output_schema: z.record(z.string(), z.unknown()).optional(),
  /** The agent that the task was made by, and what it was given, with which the goal is filled (U58). What it says is in the other members. */
  agent: z.object({ name: z.string(), version: z.int().min(1) }).optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  mode: z.string(),
  settings: Settings,
  locale: Locale,
  timezone: z.string(),
  metadata: z.record(z.string(), z.string()),
  /** What its client calls the task. Absent: nothing. */
  title: z.string().optional(),
  /** Who advances the task: only requests, or the service too (U20). */
  drive: Drive,
  /** Where changes of status are delivered. null: nowhere. */
  callback_url: z.string().nullable(),
  /** The beginning of every link to the service: `https://host`, without a slash at the end. */
  origin: z.string(),
  /** Seconds a task is kept after it has ended. */
  idle_ttl_s: z.int().min(60),
  forked: ForkSource.optional(),
  /** The schema version of the release that made the task. An event that came later is not told of older tasks, so that event ids stay. */
  made_in: z.int().min(1),
  /** The name of the key or login that made the task, and the W3C traceparent of its request, as far as there were any. */
  maker: z.object({ key_name: z.string().optional(), traceparent: z.string().optional() }).optional(),
  /** The language in which models write code. It is Python if the service had a Python runner when the task was created. */
  code_language: z.enum(['javascript', 'python']),
  /** The tools of the client. The mode has tools of its own. */
  tools: z.array(ClientTool),
  /** Where more tools are listed. Absent: nowhere. */
  sources: z.array(ToolSource).min(1).optional(),
  /** By the name of a model: the names that are asked in its place, in order, if it is unavailable. Only of names that the task uses. */
  fallbacks: z.record(z.string(), z.array(z.string())),
})
export type Brief = z.infer<typeof Brief>

/** A native tool call of a model. `arguments` is the JSON text as the model wrote it. The id is unique within its reply. */
export const ToolCall = z.object({ id: z.string().min(1), name: z.string(), arguments: z.string() })
export type ToolCall = z.infer<typeof ToolCall>

/** A model call that got a completion. `text` is the whole reply without the tool calls. */
const ModelReplied = z.object({
  kind: z.literal('model_replied'),
  text: z.string(),
  usage: Usage.nullable(),
  model: z.string(),
  form: ReplyForm,
  /** The endpoint has cut the reply at the cap of its tokens. Absent: the reply ended by itself. */
  finish: z.literal('length').optional(),
  /** Present only if tools were offered. */
  tool_calls: z.array(ToolCall).min(1).optional(),
  /** Forms that the endpoint refused before (U7). They are recorded and not charged. */
  negotiated: z.array(ReplyForm).optional(),
  /** What else the endpoint refused before, in words: `max_tokens`, `temperature`, `reasoning_effort`, `chat`. */
  refused: z.array(z.string()).optional(),
  /** The name of the endpoint that answered. Absent: the default one. */
  endpoint: z.string().optional(),
  reasoning: Reasoning.optional(),
  /** Of a closing reply: why its data does not fit. Absent: it fits, or there is none. */
  misfit: z.string().optional(),
})
/** A model call without a completion: transport error, time-out, HTTP error, unusable 200 (docs/contributing/design.md "Failures"). */
const ModelFailed = z.object({
  kind: z.literal('model_failed'),
  /** A text for people and the ledger. It never contains a secret or a raw body. */
  reason: z.string(),
  /** The HTTP status of an error of the endpoint. null: a transport error or a time-out. */
  status: z.int().nullable(),
  retry_after_ms: z.number().min(0).nullable(),
  /** Some endpoints report usage without a usable completion: for a refusal, or for a reply that is too long (U11). */
  usage: Usage.optional(),
  negotiated: z.array(ReplyForm).optional(),
  refused: z.array(z.string()).optional(),
  endpoint: z.string().optional(),
})
/** An item of a plan as a person wrote it. `id` names the unfinished item that it changes. null: it is a new item. */
export const EditedItem = z.object({
  id: z.string().nullable(),
  title: z.string(),
  description: z.string(),
  expected_output: z.string().nullable(),
})
export type EditedItem = z.infer<typeof EditedItem>

/** Facts that a task is told. Each event is one row of the journal. */
export const Event = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('task_created'), brief: Brief }),
  ModelReplied,
  ModelFailed,
  ...TOOL_EVENTS,
  z.object({ kind: z.literal('effect_orphaned') }),
  z.object({ kind: z.literal('outcome_unknown') }),
  /** The effect was given up: taken away by a cancel, or ended by its holder (`by: holder`), who knows how long it ran. */
  z.object({ kind: z.literal('abandoned'), by: z.literal('holder').optional() }),
  z.object({
    kind: z.literal('user_answered'),
    text: z.string(),
    /** In a conversation: the call that asked. The answer is its result. */
    asked: z.object({ by: z.int().min(1), call: z.int().min(0) }).optional(),
    /** In place of a file: the row that found it missing. */
    missing: z.int().min(1).optional(),
  }),
  z.object({ kind: z.literal('user_remarked'), text: z.string() }),
  /** A client has put a file, or has named one that is there in place of the one that the task waits for (`chosen`). */
  z.object({ kind: z.literal('file_arrived'), name: z.string(), chosen: z.literal(true).optional() }),
  /** A question to a task that is not running. A side turn answers it (U14). */
  z.object({ kind: z.literal('user_asked_aside'), text: z.string() }),
  /** The side turn is refused: an axis of the budget has no room for it, or its model is not allowed any more. */
  z.object({
    kind: z.literal('aside_refused'),
    axis: z.enum([...Axis.options, 'tenant']).optional(),
    reason: z.literal('model_not_allowed').optional(),
  }),
  z.object({
    kind: z.literal('resumed'),
    grant: z.boolean(),
    text: z.string().optional(),
    /** The task goes on after an end that it may leave. Without it the event changes nothing of a task that has ended. */
    reopens: z.literal(true).optional(),
  }),
  /** A person replaced the unfinished part of the plan. */
  z.object({ kind: z.literal('plan_edited'), author: z.string(), items: z.array(EditedItem) }),
  /** The answer to the approval that row `request` asked for (U15). */
  z.object({
    kind: z.literal('approval_answered'),
    request: z.int(),
    verdict: z.enum(['approved', 'rejected', 'changes']),
    text: z.string(),
    /** The approved action: the row whose reply chose it, and the index of the call. null: the plan was approved. */
    action: z.object({ by: z.int(), call: z.int() }).nullable(),
  }),
  /** What a client may change, as it is from now on, and the names of what is new. */
  z.object({
    kind: z.literal('task_changed'),
    drive: Drive,
    callback_url: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    title: z.string().nullable(),
    members: z.array(z.enum(['drive', 'callback_url', 'metadata', 'title'])),
  }),
  z.object({ kind: z.literal('budget_added'), add: Grant }),
  z.object({ kind: z.literal('allowance_granted'), allowance: Allowance }),
  z.object({ kind: z.literal('request_ended') }),
  z.object({ kind: z.literal('budget_spent'), axis: z.enum([...Axis.options, 'tenant']) }),
  z.object({ kind: z.literal('canceled') }),
  z.object({ kind: z.literal('paused'), reason: z.enum(['model_not_allowed', 'storage_full', 'held']).optional() }),
  z.object({ kind: z.literal('question_reminded') }),
  z.object({ kind: z.literal('question_expired') }),
  /** `delegation` is the row that dispatched the command, `charged` what its worker has spent, `until` the end of its claim in ms since the epoch. */
  z.object({ kind: z.literal('report_arrived'), delegation: z.int().min(1), report: Report, charged: Amounts }),
  z.object({ kind: z.literal('report_expired'), delegation: z.int().min(1), charged: Amounts }),
  z.object({ kind: z.literal('report_extended'), delegation: z.int().min(1), until: z.number() }),
])
export type Event = z.infer<typeof Event>
export type EventOf<K extends Event['kind']> = Extract<Event, { kind: K }>

/** Events that tell a reader nothing but that they happened, and that may come at any time. */
const BARE_EVENTS = ['canceled', 'paused', 'request_ended', 'allowance_granted', 'question_reminded'] as const
type BareEvent = EventOf<(typeof BARE_EVENTS)[number]>
export const isBareEvent = (event: Event): event is BareEvent => BARE_EVENTS.some((kind) => kind === event.kind)

/** What a mode wants next: an effect, the end, or an answer of a person, a file of the client or a report of a worker. */
export type Next = { kind: 'run'; effect: Effect } | { kind: 'wait'; for: WaitReason } | { kind: 'stop' }
type WaitReason = 'answer' | 'file' | 'report'
export type Effect =
  | {
      kind: 'call_model'
      phase: string
      /** The contract of the reply, if it is another than the contract of the phase. */
      contract?: string
    }
  | {
      kind: 'run_tool'
      phase: string
      tool: string
      input: string
      /** The row whose reply chose the action, and the index of the call in that reply. */
      by: number
      call: number
      item_id: string | null
      /** Why the call is not made: the guard of the mode refuses it. Its text is the result. */
      refused?: string
      /** The row that held the call, which goes on from there. */
      held?: number
    }
  /** Lists the tools of a source. */
  | { kind: 'list_tools'; phase: string; source: number }

/** The name of the contract that the reply to a call has to satisfy. */
export const contractOf = ({ phase, contract }: { phase: string; contract?: string | undefined }) => contract ?? phase

/** `images` are shown beside the content. A request names them, and the shell loads their bytes. */
export type Message =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; images?: ImageRef[] }
  | { role: 'assistant'; content: string; tool_calls?: ToolCall[]; reasoning?: Reasoning }
  | { role: 'tool'; content: string; tool_call_id: string; images?: ImageRef[] }

/** The images that are shown beside a message. */
export const imagesOf = (message: Message): readonly ImageRef[] => ('images' in message ? (message.images ?? []) : [])

/** An effect as its journal row stores it, with references and a hash instead of the prompt (U4). */
export const StoredEffect = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('call_model'),
    phase: z.string(),
    /** The contract of the reply, if it is another than the contract of the phase. */
    contract: z.string().optional(),
    /** The prompt text that was used: `<mode>/<phase>@<version>`. */
    prompt: z.string(),
    hash: z.string(),
    /** The time that the prompt showed, in ms since the epoch. */
    wall_ms: z.number(),
    opens_round: z.boolean(),
    /** The name that is asked in place of the one in the settings, which was given up. Absent: the settings say it. */
    endpoint: z.string().optional(),
  }),
  z.object({
    kind: z.literal('run_tool'),
    phase: z.string(),
    tool: z.string(),
    /** The row whose reply holds the input. */
    by: z.int(),
    /** The index of the call in that reply. */
    call: z.int().min(0),
    item_id: z.string().nullable(),
    idempotent: z.boolean(),
    wall_ms: z.number(),
    /** The call is a round of its own, and not a part of the round of a model call. */
    opens_round: z.literal(true).optional(),
    /** When a call that is a round of its own began first, by the real clock. A repetition keeps this time. */
    begun_ms: z.number().optional(),
    /** The row that held the call: it goes on from there. */
    held: z.int().min(1).optional(),
  }),
  /** `source` is the position of the source in the brief. */
  z.object({ kind: z.literal('list_tools'), phase: z.string(), source: z.int().min(0), wall_ms: z.number() }),
])
export type StoredEffect = z.infer<typeof StoredEffect>

/** What one closed journal row records: its effect, if it has one, and the event that closed it. */
export interface Fact {
  effect: StoredEffect | null
  event: Event
  /** When the row was closed, in ms since the epoch. */
  at: number
}
/** Reads an earlier row by its journal seq. The journal stores each text once, and the head refers to it by this seq. */
export type Recall = (seq: number) => Fact
