/** Makes the task of a run. Done again, it makes no second task, because the id of the task follows from schedule and tick. */
import type { Run, StoredSchedule } from '../../core/workspace/schedules/schedule.ts'
import { filledTemplate } from '../../core/workspace/schedules/template.ts'
import type { Bounds, Caller, TaskAnswer } from '../caller.ts'
import { SCHEDULE_SCOPE, type PrepareTask, type RefusedTask, type TaskMaker } from '../scheduled-tasks.ts'

/** A task that is not driven by the service is planned, and then waits for requests. */
const BOUNDS: Bounds = { rounds: 0, max_ms: 25_000 }
/** Somebody else is making this task at the moment, so it is asked for again. */
const UNDER_WAY: ReadonlySet<string> = new Set(['task_busy', 'lease_lost', 'request_in_progress'])

type MadeTask =
  | { outcome: 'created'; answer: TaskAnswer }
  | { outcome: 'refused'; refused: RefusedTask }
  | { outcome: 'under_way' }

/** `key` is that of the tick or of the request. `replaced` are the open tasks of earlier runs, which the task takes the place of. */
export async function makeTask(
  { prepare, tasks }: { prepare: PrepareTask; tasks: TaskMaker },
  caller: Caller,
  { schedule, run, key, replaced }: { schedule: StoredSchedule; run: Run; key: string; replaced: readonly string[] },
): Promise<MadeTask> {
  const { plan, name } = schedule
  const maker = { ...caller, key_name: plan.key_name ?? caller.key_name }
  const body = filledTemplate(plan.template, { name, tick: run.tick, timezone: plan.timing.timezone })
  const prepared = await prepare(maker, { body, origin: plan.origin, caps: run.caps })
  if (!prepared.ok) return { outcome: 'refused', refused: prepared.refusal }
  // One that has ended meanwhile refuses the cancel, which is as good.
  for (const task of replaced) await tasks.tellTask(caller, task, { kind: 'cancel' })
  const keyed = { ...maker, key: { scope: SCHEDULE_SCOPE, key, digest: 'schedule' } }
  const made = await tasks.createTask(keyed, prepared.task, BOUNDS)
  if (made.ok) return { outcome: 'created', answer: made.value }
  const { refusal } = made
  return UNDER_WAY.has(refusal.code) ? { outcome: 'under_way' } : { outcome: 'refused', refused: refusal }
}
