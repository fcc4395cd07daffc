/** Schedules: put, looked up, listed, paused, resumed, run at once and deleted. */
import * as z from 'zod'
import type { ScheduleRunView, ScheduleView } from '../../../core/shown/schedule-view.ts'
import { microDollars } from '../../../core/terms/money.ts'
import { isResourceName, RESOURCE_NAME_RULE } from '../../../core/terms/values/resource-name.ts'
import { SCHEDULE_BYTES_MAX } from '../../../core/workspace/schedules/schedule.ts'
import { answerReply, emptyReply, endpoint, refusalReply, replayHeaders, replyTo } from '../../endpoint.ts'
import { bodyOf, emptyAnswer, IDEMPOTENCY_PROBLEMS, jsonAnswer } from '../../route-builders.ts'
import { NoParams, NoQuery, pageLimit, pageRange } from '../../shapes/fields.ts'
import type { HttpRefusal } from '../../shapes/http-refusal.ts'
import { PauseSchedule, PutSchedule, ResumeSchedule, RunSchedule } from '../../shapes/schedule-requests.ts'

const ScheduleParams = z.object({
  name: z.string().meta({ description: `the name of the schedule: ${RESOURCE_NAME_RULE}`, maxLength: 64 }),
})
const SchedulesQuery = z.strictObject({
  limit: pageLimit,
  after: z.string().max(64).default('').describe('next_cursor of the page before: the name of its last schedule'),
})
const RunsQuery = z.strictObject(pageRange)

const SCHEDULES_ROUTE = { tag: 'Schedules', open: false, body: null, headers: [], also: [] } as const
const SCHEDULE_ROUTE = {
  ...SCHEDULES_ROUTE,
  path: '/schedules/{name}',
  params: ScheduleParams,
  query: NoQuery,
  problems: ['schedule_not_found'],
} as const
/** What a task may be refused for, before it is made. */
const TASK_REFUSALS = ['llm_not_configured', 'model_not_budgetable', 'quota_exceeded'] as const

const text = () => import('../../text/schedule-text.ts')
const scheduleReply = (schedule: ScheduleView) =>
  answerReply(schedule, async () => (await text()).scheduleText(schedule))
const runLines = (run: ScheduleRunView) => async () => [(await text()).runLine(run)]

function nameRefusal(name: string): HttpRefusal | null {
  if (isResourceName(name)) return null
  const errors = [{ pointer: '/name', message: `name must be ${RESOURCE_NAME_RULE}` }]
  return { code: 'validation_failed', errors }
}

/** The template is stored, and read again at each tick. */
function sizeRefusal(task: unknown): HttpRefusal | null {
  const bytes = new TextEncoder().encode(JSON.stringify(task)).byteLength
  if (bytes <= SCHEDULE_BYTES_MAX) return null
  const message = `task must have at most ${SCHEDULE_BYTES_MAX} bytes as JSON, not ${bytes}`
  return { code: 'validation_failed', errors: [{ pointer: '/task', message }] }
}

export const SCHEDULE_ROUTES = {
  putSchedule: endpoint(
    {
      ...SCHEDULE_ROUTE,
      method: 'put',
      summary: 'Put a schedule',
      description:
        'Makes a task at each time of a cron expression, or at equal distances. The task is checked as POST /tasks checks it. Putting it ' +
        'again replaces all of it but its runs; while the timing is the same, its next tick stays.',
      body: bodyOf(PutSchedule, null, true),
      success: jsonAnswer('A new schedule', 'Schedule', 201, { Location: 'the path of the schedule' }),
      also: [jsonAnswer('It takes the place of the one that was there', 'Schedule')],
      problems: ['too_many_schedules', ...TASK_REFUSALS],
    },
    async (ports, { caller, params, body, request }) => {
      const { name } = params
      const { cron, every_s, task, overlap, missed, daily, paused = null } = body
      const timezone = body.timezone ?? ports.config.timezone
      const { origin } = new URL(request.url)
      const caps = { tokens: daily.tokens, cost: daily.cost_usd === null ? null : microDollars(daily.cost_usd) }
      const refusal =
        nameRefusal(name) ??
        sizeRefusal(task) ??
        (await (
          await import('./scheduled-task.ts')
        ).templateRefusal(ports, caller, { name, task, timezone, now_ms: ports.now(), origin, caps }))
      if (refusal !== null) return refusalReply(refusal)
      // The schema has taken exactly one of them.
      const timing = cron === null ? { every_s: every_s ?? 0, timezone } : { cron, timezone }
      const sent = { name, timing, overlap, missed, daily: caps, template: { ...task }, origin, paused }
      return replyTo(await ports.service.putSchedule(caller, sent), ({ schedule, created }) => {
        const reply = scheduleReply(schedule)
        return created ? { ...reply, status: 201, headers: { location: `/schedules/${name}` } } : reply
      })
    },
  ),
  getSchedule: endpoint(
    {
      ...SCHEDULE_ROUTE,
      method: 'get',
      summary: 'One schedule',
      description: 'With its next five ticks and its newest run.',
      success: jsonAnswer('The schedule', 'Schedule'),
    },
    async ({ service }, { caller, params }) => replyTo(await service.getSchedule(caller, params.name), scheduleReply),
  ),
  deleteSchedule: endpoint(
    {
      ...SCHEDULE_ROUTE,
      method: 'delete',
      summary: 'Delete a schedule',
      description: 'It and the list of its runs are gone. Its tasks stay.',
      success: emptyAnswer(204, 'It is gone'),
    },
    async ({ service }, { caller, params }) => emptyReply(await service.deleteSchedule(caller, params.name)),
  ),
  pauseSchedule: endpoint(
    {
      ...SCHEDULE_ROUTE,
      method: 'post',
      path: '/schedules/{name}/pause',
      summary: 'Pause a schedule',
      description: 'Its ticks pass without a run. Its tasks go on. 200 also when it is paused already.',
      body: bodyOf(PauseSchedule, null, false),
      success: jsonAnswer('The schedule', 'Schedule'),
    },
    async ({ service }, { caller, params }) =>
      replyTo(await service.pauseSchedule(caller, params.name, true), scheduleReply),
  ),
  resumeSchedule: endpoint(
    {
      ...SCHEDULE_ROUTE,
      method: 'post',
      path: '/schedules/{name}/resume',
      summary: 'Let a paused schedule go on',
      description: 'From its next tick on: those that have passed meanwhile are not made up for.',
      body: bodyOf(ResumeSchedule, null, false),
      success: jsonAnswer('The schedule', 'Schedule'),
    },
    async ({ service }, { caller, params }) =>
      replyTo(await service.pauseSchedule(caller, params.name, false), scheduleReply),
  ),
  runSchedule: endpoint(
    {
      ...SCHEDULE_ROUTE,
      method: 'post',
      path: '/schedules/{name}/run',
      summary: 'Run a schedule now',
      description:
        'Makes one task of it at once, whatever is open, and also while it is paused. `daily` and the quotas of the tenant hold. Its ' +
        'ticks stay as they are.',
      body: bodyOf(RunSchedule, null, false),
      headers: ['Idempotency-Key'],
      success: jsonAnswer('The run, with its task', 'ScheduleRun', 201, { Location: 'the path of the task' }),
      problems: [
        'schedule_not_found',
        ...IDEMPOTENCY_PROBLEMS,
        ...TASK_REFUSALS,
        'schedule_budget_exceeded',
        'tenant_budget_exceeded',
      ],
    },
    async ({ service }, { caller, params }) =>
      replyTo(await service.runSchedule(caller, params.name), ({ run, replayed }) => {
        const headers = {
          ...(run.task_id === null ? {} : { location: `/tasks/${run.task_id}` }),
          ...replayHeaders(replayed),
        }
        return { ...answerReply(run, runLines(run), headers), status: 201 }
      }),
  ),
  listScheduleRuns: endpoint(
    {
      ...SCHEDULE_ROUTE,
      method: 'get',
      path: '/schedules/{name}/runs',
      summary: 'List the runs of a schedule',
      description: 'Newest first: what became of each tick, and which task it has. The newest 200 are kept.',
      query: RunsQuery,
      success: jsonAnswer('One page of runs', 'ScheduleRunPage'),
    },
    async ({ service }, { caller, params, query }) =>
      replyTo(await service.listScheduleRuns(caller, params.name, query), (page) =>
        answerReply(page, async () => (await text()).runsText(page)),
      ),
  ),
  listSchedules: endpoint(
    {
      ...SCHEDULES_ROUTE,
      method: 'get',
      path: '/schedules',
      summary: 'List the schedules',
      description: 'By name, each with its next five ticks and its newest run.',
      params: NoParams,
      query: SchedulesQuery,
      success: jsonAnswer('One page of schedules', 'SchedulePage'),
      problems: [],
    },
    async ({ service }, { caller, query }) =>
      replyTo(await service.listSchedules(caller, query), (page) =>
        answerReply(page, async () => (await text()).schedulesText(page)),
      ),
  ),
}
