/**
 * Decides what becomes of the ticks that are due. It is decided and stored before a task is made, so that a process that dies between the
 * two is repeated with the same decision.
 */
import { HOUR_MS } from '../../terms/plain/durations.ts'
import { LATE_MS, QUEUE_MAX, type DailyBudget, type NewRun, type Spent, type StoredSchedule } from './schedule.ts'
import type { Ticks } from './ticks.ts'

interface TickFacts {
  now_ms: number
  ticks: Ticks
  /** Whether an earlier run is still open. */
  is_open: boolean
  /** What the runs of the day have used so far. */
  spent: Spent
  /** The day in the zone of the schedule. */
  day: string
}
/** `runs` are in the order of their ticks. The task and the key of a `making` run are not named yet. */
export interface TickDecision {
  next_at: number | null
  queue: number[]
  runs: NewRun[]
}

/** The most ticks of one walk: one walk may not take longer than a few ms (U44). */
const WALK_MAX = 300

export function planTicks(schedule: StoredSchedule, facts: TickFacts): TickDecision {
  const { now_ms } = facts
  if (schedule.paused) return { next_at: null, queue: schedule.queue, runs: [] }
  const due = dueTicks(firstTick(schedule, facts), facts)
  const late = due.ticks.filter((tick) => now_ms - tick > LATE_MS)
  const fresh = due.ticks.filter((tick) => now_ms - tick <= LATE_MS)
  const last = late.at(-1)
  const catches_up = schedule.plan.missed === 'once' && fresh.length === 0 && last !== undefined
  const missed = catches_up ? late.slice(0, -1) : late
  const decided = decideTicks(schedule, catches_up ? [last] : fresh, facts)
  return { ...decided, next_at: due.next_at, runs: [...missedRuns(missed, due.left_out, facts), ...decided.runs] }
}

/** A clock that was set back has passed ticks that it comes to once more, and the runs that are noted tell which of them had a task. */
function firstTick({ next_at, seen_ms }: StoredSchedule, { now_ms, ticks }: TickFacts): number | null {
  return isSetBack(seen_ms, now_ms) ? ticks.next(now_ms) : next_at
}

/** Whether the clock is now far before the time that it had. */
export const isSetBack = (seen_ms: number, now_ms: number): boolean => seen_ms - now_ms > LATE_MS

/** The ticks up to now. After a long time only the newest are walked, and `left_out` says that there were more. */
function dueTicks(first: number | null, { now_ms, ticks }: TickFacts) {
  const walk = (from: number | null): { ticks: number[]; next_at: number | null } => {
    const found: number[] = []
    let tick = from
    for (; tick !== null && tick <= now_ms && found.length < WALK_MAX; tick = ticks.next(tick)) found.push(tick)
    return { ticks: found, next_at: tick }
  }
  const all = walk(first)
  if (all.next_at === null || all.next_at > now_ms) return { ...all, left_out: false }
  // A schedule comes at most once a minute, so the newest hours fit into a walk.
  const newest = walk(ticks.next(now_ms - 4 * HOUR_MS))
  const walked = all.ticks.at(-1) ?? 0
  return { ...newest, ticks: [...all.ticks, ...newest.ticks.filter((tick) => tick > walked)], left_out: true }
}

const NO_CAPS: DailyBudget = { tokens: null, cost: null }

function runOf(tick: number, day: string, what: Pick<NewRun, 'outcome' | 'reason'>): NewRun {
  return { tick, trigger: 'tick', ...what, task: null, key: '', day, count: 1, first_tick: tick, caps: NO_CAPS }
}

/** Missed ticks are noted together. */
function missedRuns(ticks: readonly number[], left_out: boolean, { day }: TickFacts): NewRun[] {
  const [first, last] = [ticks[0], ticks.at(-1)]
  if (first === undefined || last === undefined) return []
  const run = runOf(last, day, { outcome: 'missed', reason: left_out ? 'at_least' : null })
  return [{ ...run, count: ticks.length, first_tick: first }]
}

function decideTicks({ plan, queue }: StoredSchedule, ticks: readonly number[], facts: TickFacts) {
  const { overlap, daily } = plan
  const left = leftOf(daily, facts.spent)
  const runs: NewRun[] = []
  const waiting: number[] = []
  let is_open = facts.is_open
  // After the clock was set back a tick may come that waits already.
  const all = [...new Set([...queue, ...ticks])]
  for (const [index, tick] of all.entries()) {
    const replaces = overlap === 'replace' && index === all.length - 1
    if (isUsedUp(left)) runs.push(runOf(tick, facts.day, { outcome: 'skipped', reason: 'budget' }))
    else if (overlap === 'replace' ? replaces : !is_open) {
      runs.push({ ...runOf(tick, facts.day, { outcome: 'making', reason: null }), caps: left })
      is_open = true
    } else if (overlap === 'queue' && waiting.length < QUEUE_MAX) waiting.push(tick)
    else runs.push(runOf(tick, facts.day, { outcome: 'skipped', reason: 'overlap' }))
  }
  return { queue: waiting, runs }
}

/** What is left of the day. */
export const leftOf = ({ tokens, cost }: DailyBudget, spent: Spent): DailyBudget => ({
  tokens: tokens === null ? null : Math.max(0, tokens - spent.tokens),
  cost: cost === null ? null : Math.max(0, cost - spent.cost),
})
export const isUsedUp = ({ tokens, cost }: DailyBudget): boolean => tokens === 0 || cost === 0

/** The next ticks after this time, at most `count` of them. */
export function nextTicks(ticks: Ticks, after: number, count: number): number[] {
  const found: number[] = []
  for (let tick = ticks.next(after); tick !== null && found.length < count; tick = ticks.next(tick)) found.push(tick)
  return found
}
