/** Schedules and their runs as lines for a terminal. */
import type { ScheduleRunView, ScheduleView } from '../../core/shown/schedule-view.ts'
import type { Page } from '../../shell/caller.ts'
import { withCursorLine } from './plain.ts'

const timingOf = ({ cron, every_s, timezone }: ScheduleView): string =>
  cron === null ? `every ${every_s} s` : `${cron} (${timezone})`

/** One line of a list. */
function scheduleLine(schedule: ScheduleView): string {
  const { name, paused, next } = schedule
  return [name, timingOf(schedule), paused ? 'paused' : `next ${next[0] ?? 'never'}`].join('  ')
}

export function scheduleText(schedule: ScheduleView): string[] {
  const { next, waiting, last_run } = schedule
  return [
    scheduleLine(schedule),
    ...next.slice(1).map((at) => `then ${at}`),
    ...waiting.map((at) => `waits: ${at}`),
    ...(last_run === null ? [] : [`last: ${runLine(last_run)}`]),
  ]
}

export function runLine({ at, outcome, reason, task_id, ticks, trigger }: ScheduleRunView): string {
  const what = reason === null ? outcome : `${outcome}: ${reason}`
  const asked = trigger === 'request' ? ['asked for'] : []
  const many = ticks === 1 ? [] : [`${ticks} ticks`]
  return [at, what, ...many, ...asked, ...(task_id === null ? [] : [task_id])].join('  ')
}

export const schedulesText = (page: Page<ScheduleView>): string[] =>
  withCursorLine(page.data.map(scheduleLine), page.next_cursor)
export const runsText = (page: Page<ScheduleRunView>): string[] =>
  withCursorLine(page.data.map(runLine), page.next_cursor)
