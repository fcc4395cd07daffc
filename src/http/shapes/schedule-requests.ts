/** The bodies of requests about schedules. */
import * as z from 'zod'
import { MISSED_RULES, OVERLAP_RULES } from '../../core/terms/plain/wire-names.ts'
import { EVERY_S_MIN } from '../../core/workspace/schedules/schedule.ts'
import { PositiveUsd, textUpTo, TimeZone } from './fields.ts'
import { ScheduledTask } from './task-requests.ts'

const CRON_MAX = 200
const EVERY_S_MAX = 31_622_400

const Daily = z
  .strictObject({
    tokens: z.int().min(1).max(1_000_000_000_000).nullable().default(null),
    cost_usd: PositiveUsd.nullable().default(null).describe('USD as a decimal string, such as "2.50"'),
  })
  .describe(
    'what all runs of a day in its zone may use together. A tick beyond it is skipped, and no run gets more than what is left',
  )

export const PutSchedule = z
  .strictObject({
    cron: textUpTo(CRON_MAX)
      .nullable()
      .default(null)
      .describe('five fields: minute, hour, day of the month, month, day of the week. Or `every_s`')
      .meta({ examples: ['0 9 * * MON-FRI'] }),
    every_s: z
      .int()
      .min(EVERY_S_MIN)
      .max(EVERY_S_MAX)
      .nullable()
      .default(null)
      .describe('seconds between ticks, counted from now on. Or `cron`'),
    timezone: TimeZone.optional().describe('IANA zone of `cron`, of `daily` and of placeholders; default: TIMEZONE'),
    task: ScheduledTask.describe(
      'the task of each run, as POST /tasks takes it. In `goal`, in the values of `metadata` and in the texts of `input`, `{{scheduled_at}}`, `{{scheduled_date}}`, `{{scheduled_time}}` and `{{schedule}}` are filled in',
    ),
    overlap: z
      .enum(OVERLAP_RULES)
      .default('skip')
      .describe(
        'at a tick while an earlier run is open: `skip` it, let it wait (`queue`, at most 10), or cancel the earlier run (`replace`)',
      ),
    missed: z
      .enum(MISSED_RULES)
      .default('skip')
      .describe(
        'ticks more than five minutes ago, because the service was down: none of them is run, or `once` for all of them',
      ),
    daily: Daily.default({ tokens: null, cost_usd: null }),
    paused: z.boolean().optional().describe('left out: as it was; a new one is not paused'),
  })
  .superRefine(({ cron, every_s }, issues) => {
    if ((cron === null) !== (every_s === null)) return
    const message = cron === null ? 'is required, or every_s' : 'and every_s exclude each other: give one of them'
    issues.addIssue({ code: 'custom', path: ['cron'], message })
  })
export const PauseSchedule = z.strictObject({})
export const ResumeSchedule = z.strictObject({})
export const RunSchedule = z.strictObject({})

/** By their names in openapi.yaml. */
export const SCHEDULE_REQUESTS = { PutSchedule, ScheduledTask, PauseSchedule, ResumeSchedule, RunSchedule }
