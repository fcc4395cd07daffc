/** The views of schedules and runs. */
import type { ScheduleRunView, ScheduleView } from '../../core/shown/schedule-view.ts'
import { dollars } from '../../core/terms/money.ts'
import { rfc3339 } from '../../core/terms/text.ts'
import { nextTicks } from '../../core/workspace/schedules/plan-ticks.ts'
import type { Run, StoredSchedule } from '../../core/workspace/schedules/schedule.ts'
import { ticksOf } from './ticks-of.ts'

const SHOWN_TICKS = 5

export async function scheduleView(schedule: StoredSchedule, last_run: Run | null): Promise<ScheduleView> {
  const { name, plan, paused, next_at, queue, created, updated } = schedule
  const { timing, template, overlap, missed, daily } = plan
  const later = next_at === null ? [] : nextTicks(await ticksOf(timing), next_at, SHOWN_TICKS - 1)
  return {
    name,
    cron: 'cron' in timing ? timing.cron : null,
    every_s: 'every_s' in timing ? timing.every_s : null,
    timezone: timing.timezone,
    task: template,
    overlap,
    missed,
    daily: { tokens: daily.tokens, cost_usd: daily.cost === null ? null : dollars(daily.cost) },
    paused,
    next: next_at === null ? [] : [next_at, ...later].map(rfc3339),
    waiting: queue.map(rfc3339),
    last_run: last_run === null ? null : runView(last_run),
    created_at: rfc3339(created),
    updated_at: rfc3339(updated),
  }
}

export const runView = (run: Run): ScheduleRunView => ({
  seq: run.seq,
  at: rfc3339(run.tick),
  trigger: run.trigger,
  outcome: run.outcome === 'making' ? 'pending' : run.outcome,
  reason: run.reason,
  task_id: run.outcome === 'created' ? run.task : null,
  ticks: run.count,
  first_at: rfc3339(run.first_tick),
  noted_at: rfc3339(run.noted),
})
