/** The examples of the routes about schedules. */
import { onlyPage, TASK_ID } from './delegation-examples.ts'
import type { ScheduleRunView, ScheduleView } from '../../core/shown/schedule-view.ts'

const REQUEST = {
  cron: '0 9 * * MON-FRI',
  timezone: 'Europe/Berlin',
  task: {
    goal: 'Add the todo "check the reports of {{scheduled_date}}"',
    mode: 'plan_execute',
    settings: { max_steps: 20 },
  },
  overlap: 'skip',
  daily: { tokens: 200_000 },
}

export const SCHEDULE_RUN_EXAMPLE: ScheduleRunView = {
  seq: 12,
  at: '2026-03-02T08:00:00.000Z',
  trigger: 'tick',
  outcome: 'created',
  reason: null,
  task_id: TASK_ID,
  ticks: 1,
  first_at: '2026-03-02T08:00:00.000Z',
  noted_at: '2026-03-02T08:00:00.412Z',
}

export const SCHEDULE_EXAMPLE: ScheduleView = {
  name: 'morning',
  cron: REQUEST.cron,
  every_s: null,
  timezone: REQUEST.timezone,
  task: REQUEST.task,
  overlap: 'skip',
  missed: 'skip',
  daily: { tokens: 200_000, cost_usd: null },
  paused: false,
  next: [
    '2026-03-03T08:00:00.000Z',
    '2026-03-04T08:00:00.000Z',
    '2026-03-05T08:00:00.000Z',
    '2026-03-06T08:00:00.000Z',
    '2026-03-09T08:00:00.000Z',
  ],
  waiting: [],
  last_run: SCHEDULE_RUN_EXAMPLE,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
}

export const SCHEDULE_EXAMPLES = {
  putSchedule: {
    request: REQUEST,
    answer: { ...SCHEDULE_EXAMPLE, last_run: null },
    also: { 200: SCHEDULE_EXAMPLE },
  },
  getSchedule: { answer: SCHEDULE_EXAMPLE },
  listSchedules: { answer: onlyPage(SCHEDULE_EXAMPLE) },
  pauseSchedule: { request: {}, answer: { ...SCHEDULE_EXAMPLE, paused: true, next: [] } },
  resumeSchedule: { request: {}, answer: SCHEDULE_EXAMPLE },
  runSchedule: { request: {}, answer: { ...SCHEDULE_RUN_EXAMPLE, trigger: 'request' } },
  listScheduleRuns: { answer: onlyPage(SCHEDULE_RUN_EXAMPLE) },
}
