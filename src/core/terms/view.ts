/**
 * The wire shape of a task, which every task route answers. One schema gives the types of the code, the API document and the
 * tests. The running service parses at most one of them (shell/dry-run.ts), so it can start without the schemas.
 */
import * as z from 'zod'
import { Envelope } from './event-payloads.ts'
import { Pending } from './schema/pending.ts'
import { Locale } from './locale.ts'
import { MODE_SETTINGS, Settings, type ModeSetting } from './settings.ts'
import { TokenKinds } from './values/usage.ts'
import {
  Counters,
  ThoughtDecision,
  DeliveryStatus,
  EffectOutcome,
  FailureCode,
  Mode,
  Outcome,
  Status,
  StopReason,
  ThoughtPhase,
  Unit,
  Drive,
} from './status.ts'

export { Envelope } from './event-payloads.ts'

export const ItemStatus = z.enum(['pending', 'running', 'completed', 'failed', 'skipped'])
export type ItemStatus = z.infer<typeof ItemStatus>

export const PlanItem = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  constraints: z.string().nullable().optional().describe('of `orchestrator`'),
  expected_output: z.string().nullable(),
  status: ItemStatus,
  result: z.string().nullable(),
  progress: z.object({ current: z.int(), total: z.int() }).nullable(),
})
export type PlanItem = z.infer<typeof PlanItem>

export const FinishedItem = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['completed', 'failed', 'skipped']),
  result: z.string().nullable().describe('what came of it, cut to 1,000 characters'),
})
export type FinishedItem = z.infer<typeof FinishedItem>

export const PlanView = z.object({
  revision: z.int().min(0),
  cursor: z.int().min(0).describe('0-based; equals items.length when all are done'),
  source: z.string().describe('what made this list'),
  items: z.array(PlanItem),
  finished: z
    .array(FinishedItem)
    .describe('every item that has ended, also one that has left `items`, in the order of their ends; the newest 100'),
  finished_count: z.int().min(0).describe('how many items have ended in all'),
  id: z.string().optional().describe('of a session: of its latest run that made a plan'),
  goal: z.string().optional().describe('of a session: what that run was asked for'),
  status: z.enum(['running', 'paused', 'completed', 'failed']).optional().describe('of a session'),
  iteration_count: z.int().min(0).optional().describe('of a session: replies with tool calls of this plan'),
})
export type PlanView = z.infer<typeof PlanView>

export const Thought = z.object({ phase: ThoughtPhase, decision: ThoughtDecision, text: z.string(), at: z.string() })
export type Thought = z.infer<typeof Thought>

const axis = <T extends z.ZodType>(amount: T) => z.object({ used: amount, max: amount.nullable() })
export const BudgetView = z.object({
  unit: Unit,
  used: z.int().min(0),
  max: z.int().min(0),
  remaining: z.int().min(0),
  tokens: axis(z.int().min(0)).extend({
    kinds: TokenKinds.describe('the used tokens that endpoints have reported, each in one kind'),
  }),
  cost_usd: axis(z.string()),
  seconds: axis(z.int().min(0)),
})

export const Handover = z.object({
  completed: z.array(z.string()),
  unfinished_reason: z.string(),
  remaining: z.array(z.string()),
  next_steps: z.array(z.string()),
  text: z.string(),
})
export type Handover = z.infer<typeof Handover>

export const Slice = z.object({
  advanced: z.boolean(),
  rounds: z.int().min(0),
  events: z.array(Envelope),
  events_truncated: z.boolean().optional(),
})
export type Slice = z.infer<typeof Slice>

/** A file that the task has made. */
export const Artifact = z.object({
  name: z.string(),
  content_type: z.string(),
  size: z.int().min(0).describe('bytes'),
  url: z.string().describe('where it can be fetched for some days without a key'),
})
export type Artifact = z.infer<typeof Artifact>
/** A file of a task, from a client or from a tool. */
export const FileView = Artifact.extend({ created_at: z.string().describe('when it was put or written last') })
export type FileView = z.infer<typeof FileView>

/** What of a goal was not reached. */
export const Unmet = z.object({
  item: z.string().describe('the title of an item, or the goal'),
  reason: z.string(),
})
export type Unmet = z.infer<typeof Unmet>

const Result = z.object({
  text: z.string(),
  artifacts: z.array(Artifact),
  outcome: Outcome.nullable().describe(
    'whether the goal was reached: all of it, a part of it, or nothing of it; null: the task has not ended',
  ),
  unmet: z.array(Unmet).describe('what was not reached, and why; empty when the outcome is done'),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .optional()
    .describe(
      'of a task with an `output_schema`: the result as JSON that is valid by it; null: not yet; absent: no schema',
    ),
})

// The cast holds because fromEntries() loses the types of the names.
const optional = Object.fromEntries(MODE_SETTINGS.map((name) => [name, true])) as Record<ModeSetting, true>
/** The settings of a task as answers show them: those that its mode heeds, or all of them. */
const ShownSettings = Settings.required().partial(optional)

const entryFields = {
  id: z.string(),
  mode: Mode,
  goal: z.string(),
  locale: Locale,
  timezone: z.string(),
  status: Status,
  stop_reason: StopReason.nullable(),
  budget: BudgetView,
  step_count: z.int().min(0),
  counters: Counters,
  pending: Pending.nullable(),
  result: Result.nullable(),
  error: z.object({ code: FailureCode, detail: z.string() }).nullable(),
  retry_after_ms: z.int().min(0).nullable().describe('an earlier /step is 200 with advanced: false and no call'),
  settings: ShownSettings,
  tools: z.array(z.string()),
  drive: Drive,
  callback_url: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  title: z.string().nullable().describe('what its client calls it'),
  agent: z
    .object({ name: z.string(), version: z.int().min(1) })
    .nullable()
    .describe('the agent that it was made by; null: none'),
  forked_from: z
    .object({ id: z.string(), at: z.int().min(1).describe('the last row that was copied') })
    .nullable()
    .describe('the task whose past this one has; null: it is no fork'),
  version: z.int().min(1),
  created_at: z.string(),
  updated_at: z.string(),
}
export const TaskView = z.object({
  ...entryFields,
  instructions: z.string().optional().describe('as the task was given them; absent: none'),
  output_schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('as the task was given it; absent: `result` has no `data`'),
  input: z.record(z.string(), z.unknown()).optional().describe('what its agent was given; absent: nothing'),
  plan: PlanView,
  last_thought: Thought.nullable(),
  handover: Handover.nullable(),
  slice: Slice.nullable().describe('what this very request did; null on GET'),
})
export type TaskView = z.infer<typeof TaskView>

const range = <T extends z.ZodType>(amount: T) => z.object({ low: amount, high: amount })

/** What a task will cost at most, and what it will probably cost by the finished tasks of the tenant. */
export const Forecast = z.object({
  worst_case: z.object({
    steps: z.int(),
    tokens: z.int().describe('by the limits: every call at its longest, or max_tokens'),
    cost_usd: z.string().nullable().describe('null: a model without a known price'),
    seconds: z.int(),
  }),
  expected: z
    .object({
      steps: range(z.int()),
      tokens: range(z.int()),
      cost_usd: range(z.string()),
      seconds: range(z.int()),
      tasks: z.int().describe('finished tasks this is drawn from'),
      past_error: z.number().describe('mean relative error of the same estimate of steps on those tasks'),
    })
    .nullable()
    .describe('null while there are fewer than ten finished tasks'),
})
export type Forecast = z.infer<typeof Forecast>
/** A plan that was made and not stored (U26). */
export const DryRun = TaskView.omit({ id: true }).extend({ id: z.null(), forecast: Forecast })
export type DryRun = z.infer<typeof DryRun>

/** An entry of GET /tasks: the task without slice, plan.items, plan.finished, last_thought, handover (U25). */
export const TaskEntry = z.object({
  ...entryFields,
  plan: PlanView.omit({ items: true, finished: true }),
  as_of: z.string().describe('when the task was so: a list may be some seconds behind its tasks'),
})
export type TaskEntry = z.infer<typeof TaskEntry>

/** The entry of a task that cannot be read, from what the index knows of it. */
export const IncompleteEntry = z.object({
  id: z.string(),
  mode: z.string(),
  status: Status,
  metadata: z.record(z.string(), z.string()),
  created_at: z.string(),
})
export type IncompleteEntry = z.infer<typeof IncompleteEntry>

/** An entry of GET /webhooks/deliveries: a delivery that did not reach its callback in time. */
export const DeliveryEntry = z.object({
  id: z.string().describe('the `webhook-id` of every try'),
  task_id: z.string(),
  type: z.string().describe('`task.` and the status that is told'),
  status: DeliveryStatus.describe(
    'failed: given up; gone: the receiver answered 410; pending, delivered: what became of it when it was sent again',
  ),
  attempts: z.int().min(0).describe('tries since it was first sent, or sent again'),
  detail: z.string().nullable().describe('why the latest try that failed did'),
  created_at: z.string().describe('when the status changed'),
  updated_at: z.string(),
})
export type DeliveryEntry = z.infer<typeof DeliveryEntry>

/** A row of GET /tasks/:id/journal. Rows without an effect are listed and not counted, so that `seq` has no gaps (U4). */
export const JournalEntry = z.object({
  seq: z.int().min(1),
  kind: z.string().describe('call_model, run_tool, or the kind of the event: task_created, user_answered, …'),
  phase: z.string().nullable(),
  counted: z.boolean(),
  outcome: EffectOutcome.nullable().describe('what became of the effect; null: there is none, or it is under way'),
  tokens: z
    .object({ input: z.int(), output: z.int(), kinds: TokenKinds.describe('each token in one kind') })
    .nullable(),
  charged_tokens: z
    .int()
    .nullable()
    .describe('what the budget was charged: the usage, or the reservation where it is unknown'),
  cost_usd: z.string().nullable(),
  price_version: z.string().nullable(),
  over_reserve: z.boolean().describe('the endpoint reported more than was reserved'),
  model: z.string().nullable(),
  endpoint: z
    .string()
    .nullable()
    .describe('the endpoint of MODELS that was asked; null: the default one without another name, or no call'),
  attempt: z.int().nullable(),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  duration_ms: z.int().nullable(),
  request: z.unknown(),
  request_exact: z.boolean().nullable(),
  reply: z.unknown(),
})
export type JournalEntry = z.infer<typeof JournalEntry>

/** A row as it is stored, with its parts as text, so that an unreadable row can be shown too. */
export const StoredRow = z.object({
  seq: z.int(),
  kind: z.string(),
  at: z.number().describe('when the row began, ms since the epoch'),
  slice: z.string().nullable(),
  lease: z.string().nullable(),
  key: z.string().nullable(),
  effect: z.string().nullable(),
  reserved: z.string().nullable(),
  event: z.string().nullable(),
  head: z.string().nullable(),
})
export type StoredRow = z.infer<typeof StoredRow>
