/**
 * Plans a task without keeping it: answers its plan and its forecast (U26). Its plan calls are reserved and settled in the daily total, like
 * those of any task. Under an Idempotency-Key its answer is kept in the workspace; two requests at once both plan.
 */
import { forecast } from '../core/engine/forecast/forecast.ts'
import { ok, refuse, type Result } from '../core/terms/refusal.ts'
import { withoutLinks } from '../core/protocol/view/stored-task-view.ts'
import type { StepResult } from '../core/protocol/task-answers.ts'
import type { DryRun } from '../core/terms/view.ts'
import { dayOf, lackingAxis, refuseSpent } from '../core/workspace/daily-totals.ts'
import { spendLimitsOf } from '../core/workspace/limits.ts'
import { performEffect } from './slice/perform-effect.ts'
import type { Ticket } from '../core/protocol/advance.ts'
import type { AllowanceRequest } from '../core/terms/axes.ts'
import type { SpendLimits } from '../core/workspace/daily-totals.ts'
import { makerOf } from './create-task.ts'
import type { Ports } from './ports.ts'
import { limitsOf, ticketLimits } from './quotas/limits-of.ts'
import type { Caller, NewTask, DryRunAnswer } from './caller.ts'
import { sliceOf } from './slice/slice.ts'

/** The finished tasks that a forecast is computed from. */
const PAST_TASKS = 200

export async function dryRun(ports: Ports, caller: Caller, task: NewTask): Promise<Result<DryRunAnswer>> {
  const workspace = ports.store.workspace(caller.tenant)
  if (caller.key !== null) {
    const earlier_answer = await workspace.ask({ kind: 'recall', request: caller.key })
    if (!earlier_answer.ok) return earlier_answer
    if (earlier_answer.value !== null) return ok({ planned: await readBack(earlier_answer.value), replayed: true })
  }
  const planned = await plan(ports, caller, task)
  if (!planned.ok) return planned
  const past = await workspace.ask({ kind: 'finished', limit: PAST_TASKS })
  const expected = forecast(task, planned.value.plan.items.length, past, {
    prices: ports.prices,
    now_ms: ports.clock.now_ms(),
  })
  const answer: DryRun = { ...planned.value, id: null, slice: sliceOf(false, 0, []), forecast: expected }
  if (caller.key !== null) await workspace.tell({ kind: 'keep', request: caller.key, answer: JSON.stringify(answer) })
  return ok({ planned: answer })
}

/** The schemas of answers are needed only here and seldom, so they are imported on demand. */
async function readBack(kept: string): Promise<DryRun> {
  const { DryRun } = await import('../core/terms/view.ts')
  return DryRun.parse(JSON.parse(kept))
}

/** Runs the slice of a create on rows that live as long as the request. */
async function plan(ports: Ports, caller: Caller, task: NewTask) {
  const workspace = ports.store.workspace(caller.tenant)
  const rows = ports.temporary_task(ports.prices)
  const wall_ms = ports.clock.wall_ms()
  const limits = await limitsOf(ports, caller.tenant, caller.key_name)
  const spend = spendLimitsOf(limits)
  const told = ticketLimits(limits, ports.model_rules)
  const ticket: Ticket = {
    slice: 'dry-run',
    boot: '',
    more: 'this_round',
    rounds: 0,
    wall_ms,
    key: null,
    ...(told === undefined ? {} : { limits: told }),
  }
  const id = `task_${ports.random_id()}`
  const giveBack = async ({ returned }: Pick<StepResult, 'returned'>) => {
    for (const refund of returned) await workspace.tell({ kind: 'give_back', refund })
  }
  let latest = rows.create({ id, tenant: caller.tenant, brief: { ...task, ...makerOf(caller) } }, ticket)
  for (;;) {
    if (!latest.ok) return latest
    await giveBack(latest.value)
    const { assignment, wants } = latest.value
    if (wants !== null) {
      const allowance = await workspace.tell({ kind: 'reserve', want: wants, ...spend })
      if (allowance === null) return refuseFull(ports, caller.tenant, wants, spend)
      latest = rows.tell({ kind: 'fund', allowance }, ticket)
    } else if (assignment !== null) {
      latest = rows.commit(
        assignment.seq,
        await performEffect(ports, caller.tenant, assignment, caller.traceparent),
        ticket,
      )
    } else break
  }
  // The rest of the reservation goes back, as when a task ends.
  const ended = rows.tell({ kind: 'cancel' }, ticket)
  if (ended.ok) await giveBack(ended.value)
  // A task that is not kept has no links.
  return latest.value.task === null ? refuse({ code: 'task_not_found' }) : ok(withoutLinks(latest.value.task))
}

/** Names the total that has no room for the call. */
async function refuseFull(ports: Ports, tenant: string, want: AllowanceRequest, limits: SpendLimits) {
  const { totals } = await ports.store.workspace(tenant).ask({ kind: 'limit_use', ...limits })
  const now_ms = ports.clock.now_ms()
  const spent = lackingAxis(want, totals, dayOf(now_ms))
  if (spent !== null) return refuseSpent(spent, now_ms)
  // Another task has given something back meanwhile, so the client may come again at once.
  const any_axis = { holder: 'tenant', period: 'day', axis: 'tokens', limit: limits.daily.tokens ?? 0 } as const
  return refuse({ code: 'tenant_budget_exceeded', reset_s: 1, resets_ms: now_ms + 1000, spent: any_axis })
}
