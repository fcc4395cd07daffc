/** What the service answers. These are types of the service itself, so nothing of it is bundled. */
import type { CommandResult } from '../../core/workspace/commands/result.ts'
import type { TaskView } from '../../core/terms/view.ts'

export type { CommandResult } from '../../core/workspace/commands/result.ts'
export type { AgentView } from '../../core/shown/agent-view.ts'
export type { DelegationView, PoolView } from '../../core/shown/delegation-view.ts'
export type { ModelList } from '../../core/shown/model-view.ts'
export type { Replay } from '../../core/shown/replay-view.ts'
export type { ScheduleRunView, ScheduleView } from '../../core/shown/schedule-view.ts'
export type { SecretView } from '../../core/shown/secret-view.ts'
export type { SourceEntry, TaskTools, ToolEntry, ToolList, ToolTrial } from '../../core/shown/tool-view.ts'
export type { Locale } from '../../core/terms/locale.ts'
export type { ModeName } from '../../core/terms/mode-names.ts'
export type { Outcome, Status } from '../../core/terms/status.ts'
export type {
  DeliveryEntry,
  DryRun,
  Envelope,
  FileView,
  Handover,
  JournalEntry,
  PlanItem,
  TaskEntry,
  TaskView,
} from '../../core/terms/view.ts'

/** What a task waits for. */
export type Pending = NonNullable<TaskView['pending']>
/** The answer to an input. After a slash command it has the result of the command too. */
export type InputResult = TaskView & { command?: CommandResult }

export interface Page<Entry> {
  data: Entry[]
  has_more: boolean
  next_cursor: string | null
}
/** A refusal (RFC 9457). `code` is also `unreachable` if no answer came, or `unreadable` if another server answered. */
export interface Problem {
  code: string
  status: number
  title: string
  detail: string
  errors: { pointer: string; message: string }[]
  /** Seconds after which the request may be sent again, if the service says so. */
  retry_after_s: number | null
}
