/** Everything that the service can be asked, independent of HTTP. `create-service.ts` implements it over the ports. */
import type { TaskChange } from '../core/protocol/change.ts'
import type { CommandKind, TaskCommand } from '../core/protocol/commands.ts'
import type { CommandResult } from '../core/workspace/commands/result.ts'
import type { Locale } from '../core/terms/locale.ts'
import type { ForkRequest } from '../core/replay/fork.ts'
import type { SentItem } from '../core/protocol/plan-edit.ts'
import type { AskedQuestion } from '../core/protocol/question.ts'
import type { Result } from '../core/terms/refusal.ts'
import type { TaskTools } from '../core/shown/tool-view.ts'
import type { WebhookTest } from '../core/shown/webhook-test.ts'
import type { LimitUse } from '../core/protocol/workspace-records.ts'
import type { SpendLimits } from '../core/workspace/daily-totals.ts'
import type { CalendarEntries } from '../core/workspace/reminders.ts'
import type { DeliveryStatus } from '../core/terms/status.ts'
import type { DeliveryEntry, Envelope, JournalEntry, StoredRow } from '../core/terms/view.ts'
import type { Replay } from '../core/shown/replay-view.ts'
import type { AgentService } from './agents/agent-service.ts'
import type { DelegationService } from './delegations/delegation-service.ts'
import type { Following, Pace } from './follow.ts'
import type { ScheduleService } from './schedules/schedule-service.ts'
import type { SecretService } from './secrets/secret-service.ts'
import type { ExportService } from './exports/export-service.ts'
import type { ToolTrials } from './tool-trials.ts'
import type { FileService } from './files/uploads.ts'
import type {
  TaskAnswer,
  Beginning,
  Bounds,
  Caller,
  NewTask,
  Page,
  Paging,
  DryRunAnswer,
  RowPage,
  TaskFilter,
  TaskPage,
} from './caller.ts'

/** What a caller tells a task as it is. The other kinds have methods of their own, or are told by the service itself. */
export type ServiceCommand = TaskCommand<
  Exclude<CommandKind, 'input' | 'answer' | 'report' | 'extend_report' | 'edit_plan' | 'change' | 'fund' | 'tend'>
>

export interface Service
  extends AgentService, DelegationService, FileService, ScheduleService, SecretService, ExportService, ToolTrials {
  /** Plans the task and keeps nothing: answers its plan and its expected cost (U26). */
  dryRun(caller: Caller, task: NewTask): Promise<Result<DryRunAnswer>>
  createTask(caller: Caller, task: NewTask, beginning: Beginning): Promise<Result<TaskAnswer>>
  /** The answer of an earlier create under the key of the caller. null: there was none. */
  repeatCreate(caller: Caller, beginning: Beginning): Promise<Result<TaskAnswer> | null>
  /** How much of the limits of the caller is used. */
  limitUse(caller: Caller, limits: SpendLimits): Promise<Result<LimitUse>>
  getTask(caller: Caller, id: string): Promise<Result<TaskAnswer>>
  listTasks(caller: Caller, filter: TaskFilter, paging: Paging): Promise<Result<TaskPage>>
  stepTask(caller: Caller, id: string, bounds: Bounds): Promise<Result<TaskAnswer>>
  /** `input` is trimmed and not empty. */
  inputTask(
    caller: Caller,
    id: string,
    input: string,
    requestId: string | null,
    bounds: Bounds,
  ): Promise<Result<TaskAnswer>>
  /** Reads a question by the token of its answer link, which names the tenant. */
  readQuestion(token: string): Promise<Result<AskedQuestion>>
  /** `replayed` marks the same answer given before. */
  answerQuestion(
    caller: Omit<Caller, 'tenant'>,
    token: string,
    text: string,
  ): Promise<Result<{ recorded: string; replayed: boolean }>>
  /** Tells the task something that begins no round. */
  tellTask(caller: Caller, id: string, command: ServiceCommand): Promise<Result<TaskAnswer>>
  /** Replaces the unfinished items. `versions` are those that the author may have seen; null allows any. */
  editPlan(caller: Caller, id: string, items: SentItem[], versions: number[] | null): Promise<Result<TaskAnswer>>
  /** Changes drive, callback, labels or title. `versions` as for a plan. */
  changeTask(
    caller: Caller,
    id: string,
    change: TaskChange,
    versions: readonly number[] | null,
  ): Promise<Result<TaskAnswer>>
  deleteTask(caller: Caller, id: string): Promise<Result<null>>
  /** Ends all links of the task that were made before. */
  endLinks(caller: Caller, id: string): Promise<Result<null>>
  listEvents(caller: Caller, id: string, paging: Paging): Promise<Result<Page<Envelope>>>
  /** The events as they happen. Until it is stopped it counts as a watcher of the task. */
  followEvents(caller: Caller, id: string, pace: Pace): Promise<Result<Following>>
  listJournal(caller: Caller, id: string, paging: Paging): Promise<Result<RowPage<JournalEntry>>>
  /** The tools that a task offers, and its sources. */
  listTaskTools(caller: Caller, id: string): Promise<Result<TaskTools>>
  /** The stored rows, also of a task that cannot be read. */
  exportTask(caller: Caller, id: string, paging: Paging): Promise<Result<RowPage<StoredRow>>>
  /** A new task with the rows of this one up to `at`; `settings` were checked by name and range. */
  forkTask(caller: Caller, id: string, request: ForkRequest): Promise<Result<TaskAnswer>>
  /** Whether the state machine computes each stored row again. */
  replayTask(caller: Caller, id: string): Promise<Result<Replay>>
  /** Failed deliveries, newest first; `status` null lists every status. */
  listDeliveries(caller: Caller, status: DeliveryStatus | null, paging: Paging): Promise<Result<Page<DeliveryEntry>>>
  /** Sends one signed test delivery to an address, and tells what came back. */
  testWebhook(caller: Caller, url: string): Promise<Result<WebhookTest>>
  redeliver(caller: Caller, id: string): Promise<Result<{ delivery: DeliveryEntry; replayed: boolean }>>
  /** The entries of the tenant's calendar. */
  listEntries(caller: Caller): Promise<CalendarEntries>
  /** `POST /commands` with `command` as sent. Blank and free text are answered, not refused. */
  runCommand(
    caller: Caller,
    command: string,
    taskId: string | null,
    locale: Locale,
  ): Promise<Result<{ result: CommandResult; replayed: boolean }>>
}
