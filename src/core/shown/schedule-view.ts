/** What is shown of a schedule and of its runs. */
import * as z from 'zod'
import { MISSED_RULES, OVERLAP_RULES } from '../terms/plain/wire-names.ts'

/** The words of the wire: `pending`, while its task is being made. */
const SHOWN_OUTCOMES = ['pending', 'created', 'skipped', 'missed', 'refused'] as const

const time = z.string().describe('as in RFC 3339')

export const ScheduleRunView = z.object({
  seq: z.int().min(1).describe('counts the runs of a schedule; the newest are kept'),
  at: time.describe('the tick, or the time of the request; of several missed ticks the last one'),
  trigger: z.enum(['tick', 'request']),
  outcome: z
    .enum(SHOWN_OUTCOMES)
    .describe(
      '`pending`: its task is being made. `created`: it has a task. `skipped`, `refused`: see `reason`. `missed`: the service was down, or its clock jumped',
    ),
  reason: z.string().nullable().describe('of `skipped`: `overlap` or `budget`; of `refused`: the code of the problem'),
  task_id: z.string().nullable(),
  ticks: z.int().min(1).describe('how many ticks were missed; 1 for every other run'),
  first_at: time.describe('the first of these ticks'),
  noted_at: time.describe('when it was decided'),
})
export type ScheduleRunView = z.infer<typeof ScheduleRunView>

export const ScheduleView = z.object({
  name: z.string(),
  cron: z.string().nullable(),
  every_s: z.int().nullable(),
  timezone: z.string(),
  task: z.record(z.string(), z.unknown()).describe('the task of each run, as it was sent'),
  overlap: z.enum(OVERLAP_RULES),
  missed: z.enum(MISSED_RULES),
  daily: z
    .object({ tokens: z.int().nullable(), cost_usd: z.string().nullable() })
    .describe('what all runs of a day may use together; null: not bounded'),
  paused: z.boolean(),
  next: z.array(time).describe('the next five ticks; empty while it is paused, and after the last one'),
  waiting: z.array(time).describe('ticks that wait for an earlier run (`overlap: queue`)'),
  last_run: ScheduleRunView.nullable(),
  created_at: time,
  updated_at: time.describe('when it was last put, paused or resumed'),
})
export type ScheduleView = z.infer<typeof ScheduleView>
