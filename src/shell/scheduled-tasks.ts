/** What schedules need of the rest of the service: tasks that are checked, made and canceled. */
import type { TaskCommand } from '../core/protocol/commands.ts'
import type { Refusal, Result } from '../core/terms/refusal.ts'
import type { DailyBudget } from '../core/workspace/schedules/schedule.ts'
import type { Bounds, Caller, NewTask, TaskAnswer } from './caller.ts'

/** A task as a schedule wants it. */
export interface WantedTask {
  /** The body of a create. */
  body: Record<string, unknown>
  /** What links of the task begin with. */
  origin: string
  /** What it may spend at most, besides its own budget. */
  caps: DailyBudget
}
/** A refusal of the core, or one of the service's configuration. */
export type RefusedTask = Refusal | { code: 'llm_not_configured' }
/** Checks a task as a create does. The refusal is as that of a create. */
export type PrepareTask = (
  caller: Caller,
  wanted: WantedTask,
) => Promise<{ ok: true; task: NewTask } | { ok: false; refusal: RefusedTask }>

/** The scope of the keys under which tasks of schedules are made. */
export const SCHEDULE_SCOPE = 'schedule'

export interface TaskMaker {
  createTask(caller: Caller, task: NewTask, bounds: Bounds): Promise<Result<TaskAnswer>>
  tellTask(caller: Caller, id: string, command: TaskCommand<'cancel'>): Promise<Result<TaskAnswer>>
}
