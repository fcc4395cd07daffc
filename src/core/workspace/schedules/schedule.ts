/**
 * Schedules as the workspace of a tenant stores them, and the runs that their ticks have led to. A tick is a time at which a schedule is
 * due. Times are in ms since the epoch, money is in micro-dollars.
 */
import type { MissedRule, OverlapRule } from '../../terms/plain/wire-names.ts'

/** The most bytes of a schedule as JSON. */
export const SCHEDULE_BYTES_MAX = 65_536
/** The newest runs of a schedule that are kept. */
export const RUNS_MAX = 200
/** The most ticks that wait for the run before them. */
export const QUEUE_MAX = 10
/** A tick that is later than this is missed. */
export const LATE_MS = 5 * 60_000
/** The shortest interval, which is that of a cron expression too. */
export const EVERY_S_MIN = 60

/** When a schedule is due: at the times of a cron expression in a zone, or at equal distances from `anchor_ms` on. */
export type Timing = { cron: string; timezone: string } | { every_s: number; timezone: string; anchor_ms: number }

/** An amount of tokens and of money. null: not bounded. */
export interface DailyBudget {
  tokens: number | null
  cost: number | null
}
export interface Spent {
  tokens: number
  cost: number
}

/** What a client has put. */
export interface SchedulePlan {
  timing: Timing
  overlap: OverlapRule
  missed: MissedRule
  daily: DailyBudget
  /** The task of each run, as it was sent. */
  template: Record<string, unknown>
  /** What links of the tasks begin with. */
  origin: string
  /** The key or login that has put it, and that its tasks count for. Absent: none, or an earlier release did not say. */
  key_name?: string
}
export interface StoredSchedule {
  name: string
  /** Of this schedule and of no later one of its name. The ids of its tasks follow from it. */
  id: string
  /** Grows with every change, so that a decision about an earlier state is not taken. */
  revision: number
  plan: SchedulePlan
  paused: boolean
  /** The next tick. null: it is paused, or there is no further tick. */
  next_at: number | null
  /** The clock at the last decision about ticks. */
  seen_ms: number
  /** Ticks that wait for an earlier run, the first one first. */
  queue: number[]
  /** What the ended runs of the newest days have used, by day. */
  totals: Record<string, Spent>
  created: number
  updated: number
}

/** `making`: the task is being made. */
type RunOutcome = 'making' | 'created' | 'skipped' | 'missed' | 'refused'

/** What became of a tick. */
export interface NewRun {
  /** The tick; for a run that a person asked for, the time of the request. */
  tick: number
  trigger: 'tick' | 'request'
  outcome: RunOutcome
  /** Why there is no task: `overlap`, `budget`, or the code of a problem. */
  reason: string | null
  /** The task that is made for it, and the key under which it is made. */
  task: string | null
  key: string
  /** The day of the decision in the zone of the schedule, `YYYY-MM-DD`. */
  day: string
  /** How many ticks it stands for, and the first of them. Only missed ticks are noted together. */
  count: number
  first_tick: number
  /** What the run may spend at most, because it is left of the day. */
  caps: DailyBudget
}
export interface Run extends NewRun {
  seq: number
  noted: number
  /** Whether the task is known to have ended. */
  ended: boolean
  spent: Spent
}

const NOTHING: Spent = { tokens: 0, cost: 0 }
/** Two zones may be on two days, and one run may end a day after it began. */
const DAYS_MAX = 3

export const spentOn = (totals: StoredSchedule['totals'], day: string): Spent => totals[day] ?? NOTHING

/** The totals with what a run has used; only the newest days are kept. */
export function withSpent(totals: StoredSchedule['totals'], day: string, { tokens, cost }: Spent) {
  const before = spentOn(totals, day)
  const sums = { ...totals, [day]: { tokens: before.tokens + tokens, cost: before.cost + cost } }
  const days = Object.entries(sums).toSorted(([one], [other]) => (one < other ? 1 : -1))
  return Object.fromEntries(days.slice(0, DAYS_MAX))
}

/** Whether a run may have a task that has not ended. */
export const isOpenRun = ({ outcome, ended }: Run): boolean => outcome === 'making' || (outcome === 'created' && !ended)

/** Whether two timings have the same ticks. The anchor of an interval is the time at which it was first put. */
export function isSameTiming(one: Timing, other: Timing): boolean {
  if ('cron' in one) return 'cron' in other && one.cron === other.cron && one.timezone === other.timezone
  return 'every_s' in other && one.every_s === other.every_s
}

/** The key under which the task of a tick is made. A client's key has no space, so none is equal to it (U6). */
export const tickKey = (schedule: string, tick: number): string => `schedule ${schedule} ${tick}`
export const requestedRunKey = (schedule: string, request: string): string => `schedule ${schedule} run ${request}`
