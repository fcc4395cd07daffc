/** What the service answers, by the types of the service itself: types only, so none of it is bundled. */
import type { CommandResult } from '../../core/workspace/commands/result.ts'
import type { TaskView } from '../../core/terms/view.ts'

export type { CommandResult } from '../../core/workspace/commands/result.ts'
export type { DelegationView, ReportedView } from '../../core/shown/delegation-view.ts'
export type { EVENT_TYPES } from '../../core/terms/effect.ts'
export type { ModeName } from '../../core/terms/mode-names.ts'
export type { Status } from '../../core/terms/status.ts'
export type {
  Artifact,
  DeliveryEntry,
  DryRun,
  Envelope,
  FileView,
  Handover,
  JournalEntry,
  PlanItem,
  Replay,
  TaskEntry,
  TaskView,
  Thought,
} from '../../core/terms/view.ts'

/** What a task waits for. */
export type Pending = NonNullable<TaskView['pending']>
/** The answer to an input: of a slash command also what it answered. */
export type Told = TaskView & { command?: CommandResult }

export interface Page<Entry> {
  data: Entry[]
  has_more: boolean
  next_cursor: string | null
}
/** A refusal (RFC 9457). `code` is also `unreachable` (no answer came) or `unreadable` (one that is none of ours). */
export interface Problem {
  code: string
  status: number
  title: string
  detail: string
  errors: { pointer: string; message: string }[]
  /** Seconds after which it may be asked again, where the service says so. */
  retry_after_s: number | null
}
