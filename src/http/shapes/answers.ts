/**
 * The schemas of answers, by their names in openapi.yaml. Only the document and the tests use them. The service imports types alone from
 * here, because loading the schemas would slow down its start.
 */
import * as z from 'zod'
import { CommandResult } from '../../core/workspace/commands/result.ts'
import * as status from '../../core/terms/status.ts'
import { CommandType, DelegationStatus, Report, ReportStatus } from '../../core/terms/delegation.ts'
import { DelegationView, DelegationViewByLink, PoolView } from '../../core/shown/delegation-view.ts'
import { AgentView } from '../../core/shown/agent-view.ts'
import { BindingView, DeploymentView, FeatureView } from '../../core/shown/deployment-view.ts'
import { ScheduleRunView, ScheduleView } from '../../core/shown/schedule-view.ts'
import { TraceReceiver } from '../../core/shown/receiver-view.ts'
import { Usage } from '../../core/shown/usage-view.ts'
import { Difference, Replay } from '../../core/shown/replay-view.ts'
import { AuditView, KeyView, NewKeyView, RotatedKeyView, TenantView } from '../../core/shown/registry-views.ts'
import { SecretView } from '../../core/shown/secret-view.ts'
import { LimitsView } from '../../core/shown/limits-view.ts'
import { AnsweringModel, ModelEntry, ModelList } from '../../core/shown/model-view.ts'
import { SourceEntry, TaskTools, ToolEntry, ToolList, ToolTrial } from '../../core/shown/tool-view.ts'
import { WebhookTest } from '../../core/shown/webhook-test.ts'
import { Pending } from '../../core/terms/schema/pending.ts'
import * as view from '../../core/terms/view.ts'
import type { ProblemCode } from './http-refusal.ts'
import { PROBLEMS } from './problems.ts'
import { LoginToken, SignInMethods } from './sign-in.ts'

const Task = view.TaskView.extend({
  command: CommandResult.optional().describe(
    'only when the input was a slash command: what it answered; the task is as it was',
  ),
})

const page = <T extends z.ZodType>(entry: T) =>
  z.object({
    data: z.array(entry),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe('`after` of the next page; null on the last'),
  })

const FieldError = z.object({ pointer: z.string(), message: z.string() })
const CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]] // the table has exactly the codes, by `satisfies`
const ProblemCodes = z.enum(CODES)
const Problem = z.object({
  type: z.string().describe('`urn:loop-agent:problem:` and the code'),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  instance: z.string().describe('the path of the request'),
  code: ProblemCodes,
  errors: z.array(FieldError).optional().describe('what is wrong, by field (422); at most 20'),
  quota: z.enum(['open_tasks', 'bytes']).optional().describe('what is used up, of 429 `quota_exceeded`'),
  limit_of: z
    .enum(['tenant', 'key'])
    .optional()
    .describe(
      'whose limit it is: of `tenant_budget_exceeded`, and `key` of `quota_exceeded` where it is that of the key',
    ),
  period: z.enum(['day', 'month']).optional().describe('what the total counts (`tenant_budget_exceeded`)'),
  axis: z.enum(['tokens', 'cost_usd']).optional().describe('what is used up (`tenant_budget_exceeded`)'),
  limit: z.string().optional().describe('the total: tokens, or US dollars as a decimal (`tenant_budget_exceeded`)'),
  resets_at: z.string().optional().describe('when the total begins anew, RFC 3339 (`tenant_budget_exceeded`)'),
  used: z.int().optional().describe('how much of the quota'),
  max: z.int().optional().describe('what the quota is'),
  needed: z.string().optional().describe('the scope that the route needs (`insufficient_scope`)'),
  scopes: z.string().optional().describe('the scopes of the key, with blanks between them (`insufficient_scope`)'),
  recorded: z
    .string()
    .nullable()
    .optional()
    .describe(
      'what was answered; null: nothing, the question went with its task (`question_settled` of an answer link); the status of the report that stands (`already_reported`)',
    ),
  lease_expires_at: z
    .string()
    .optional()
    .describe('when the running slice must have ended (`task_busy`, `request_in_progress`)'),
})

/** Further fields of a page of rows, because rows may be damaged. */
const DAMAGED = {
  unreadable: z.array(z.int()).optional().describe('rows of this page that are damaged or missing, by `seq`'),
  incomplete: z.literal(true).optional().describe('rows are damaged or missing; absent where this page is whole'),
}

export const ANSWERS = {
  Task,
  DryRun: view.DryRun,
  Mode: status.Mode,
  Status: status.Status,
  StopReason: status.StopReason,
  PauseReason: status.PauseText,
  FailureCode: status.FailureCode,
  Outcome: status.Outcome,
  ItemStatus: view.ItemStatus,
  ThoughtPhase: status.ThoughtPhase,
  ThoughtDecision: status.ThoughtDecision,
  Guard: status.Guard,
  EffectOutcome: status.EffectOutcome,
  DeliveryStatus: status.DeliveryStatus,
  DelegationStatus,
  ReportStatus,
  CommandType,
  ProblemCode: ProblemCodes,
  Forecast: view.Forecast,
  TaskEntry: view.TaskEntry,
  Settings: view.TaskView.shape.settings,
  Plan: view.PlanView,
  PlanItem: view.PlanItem,
  Thought: view.Thought,
  Budget: view.BudgetView,
  Counters: status.Counters,
  Pending,
  Handover: view.Handover,
  Slice: view.Slice,
  Event: view.Envelope,
  JournalEntry: view.JournalEntry,
  StoredRow: view.StoredRow,
  Replay,
  Difference,
  File: view.FileView,
  Artifact: view.Artifact,
  Delivery: view.DeliveryEntry,
  WebhookTest,
  Secret: SecretView,
  Tenant: TenantView,
  Key: KeyView,
  NewKey: NewKeyView,
  RotatedKey: RotatedKeyView,
  AuditEntry: AuditView,
  Deployment: DeploymentView,
  Binding: BindingView,
  Feature: FeatureView,
  Usage,
  TraceReceiver,
  Agent: AgentView,
  Schedule: ScheduleView,
  ScheduleRun: ScheduleRunView,
  CommandResult,
  RecordedAnswer: z.object({ recorded: z.string().describe('the answer as it stands: a choice as it was offered') }),
  Delegation: DelegationView,
  ReportedDelegation: DelegationViewByLink,
  Report,
  DelegationPage: page(DelegationView),
  Pool: PoolView,
  PoolPage: page(PoolView),
  TaskPage: page(view.TaskEntry).extend({
    as_of: z.string().describe('up to when this page is known to be complete: some seconds ago at most, as a rule now'),
    incomplete: z
      .array(view.IncompleteEntry)
      .optional()
      .describe(
        'tasks of this page that cannot be read, as far as they are known; `GET /tasks/{id}/export` gives what is stored of one',
      ),
  }),
  EventPage: page(view.Envelope),
  JournalPage: page(view.JournalEntry).extend(DAMAGED),
  DeliveryPage: page(view.DeliveryEntry),
  FilePage: page(view.FileView),
  SecretPage: page(SecretView),
  TenantPage: page(TenantView),
  KeyPage: page(KeyView),
  AuditPage: page(AuditView),
  AgentPage: page(AgentView),
  SchedulePage: page(ScheduleView),
  ScheduleRunPage: page(ScheduleRunView),
  StoredPage: page(view.StoredRow).extend(DAMAGED),
  SignInMethods,
  LoginToken,
  Health: z.object({
    status: z.literal('ok'),
    version: z.string(),
    model: AnsweringModel.nullable().describe('what answers a task that names no model; null: none is configured'),
  }),
  ModelList,
  Limits: LimitsView,
  ToolList,
  TaskTools,
  ToolTrial,
  ToolEntry,
  SourceEntry,
  ModelEntry,
  FieldError,
  Problem,
}
export type AnswerName = keyof typeof ANSWERS
