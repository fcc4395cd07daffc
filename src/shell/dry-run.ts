/** A task that is planned and not kept: its plan and its forecast (ruling 26). Its plan calls are charged to the tenant's day. */
import { forecast } from '../core/forecast.ts'
import { ok, refuse, type Result } from '../core/refusal.ts'
import { microDollars } from '../core/money.ts'
import type { DryRun } from '../core/view.ts'
import { perform } from './perform.ts'
import type { Ports } from './ports.ts'
import type { Caller, NewTask } from './service.ts'
import { sliceOf } from './slice.ts'

/** Finished tasks an expectation is drawn from. */
const PAST_TASKS = 200

export async function dryRun(ports: Ports, caller: Caller, task: NewTask): Promise<Result<DryRun>> {
  const workspace = ports.store.workspace(caller.tenant)
  const open = await workspace.open(ports.daily)
  if (!open.ok) return open
  const rows = ports.passing(ports.prices)
  const ticket = {
    slice: 'dry-run',
    boot: '',
    more: 'this_round' as const,
    rounds: 0,
    wall_ms: ports.clock.wall_ms(),
    key: null,
  }
  const id = `task_${ports.random_id()}`
  let latest = rows.create({ id, tenant: caller.tenant, brief: task }, ticket)
  while (latest.ok && latest.value.assignment !== null) {
    const { assignment } = latest.value
    latest = rows.commit(assignment.seq, await perform(ports, caller.tenant, assignment, caller.traceparent), ticket)
  }
  if (!latest.ok) return latest
  const planned = latest.value.task
  if (planned === null) return refuse({ code: 'task_not_found' })
  const { tokens, cost_usd } = planned.budget
  await workspace.charge({ tokens: tokens.used, cost: microDollars(cost_usd.used) })
  const past = await workspace.finished(PAST_TASKS)
  const slice = sliceOf(false, 0, [])
  return ok({
    ...planned,
    id: null,
    slice,
    forecast: forecast(task.settings, planned.plan.items.length, past, ports.prices),
  })
}
