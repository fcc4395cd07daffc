/** The answers about schedules and agents on which their client may rely. */
import type { AgentView } from '../../src/core/shown/agent-view.ts'
import type { ScheduleRunView, ScheduleView } from '../../src/core/shown/schedule-view.ts'
import type { Tally } from './tally.ts'

/** The ticks of a timing: those of `* * * * *` and of its like come at equal distances too. */
export interface Rhythm {
  /** Two schedules with the same timing have the same ticks. */
  timing: string
  every_ms: number
  /** The rest of each tick by `every_ms`. null: an interval whose first tick was not shown yet. */
  phase_ms: number | null
}
/** A time in which a schedule was not changed. Times are ms since the epoch. */
export interface Span {
  rhythm: Rhythm
  paused: boolean
  /** When the change was sent with which it began, and when that was answered. */
  sent: number
  from: number
  /** The ticks before this were decided: by an answer that shows the next one, or because a later change was answered. */
  decided: number
  /** When the change with which it ended was answered; Infinity while it lasts. */
  over: number
}
export interface Plan {
  name: string
  spans: Span[]
  /** Runs that were shown settled, by seq. */
  runs: Map<number, ScheduleRunView>
  /** The answers to each key, and the keys that were refused. */
  requested: Map<string, ScheduleRunView>
  refused: number
  /** When its DELETE was sent and answered. */
  deleting: number | null
  deleted: number | null
}
export interface PutAgent {
  view: AgentView
  /** When it was first sent, and answered. */
  sent: number
  from: number
}
export interface Plans {
  schedules: Map<string, Plan>
  /** By name, the first version first. */
  agents: Map<string, PutAgent[]>
}

export const newPlans = (): Plans => ({ schedules: new Map(), agents: new Map() })
export const isPlanned = ({ deleting }: Plan): boolean => deleting === null

const tickAfter = ({ every_ms, phase_ms }: Rhythm, after: number): number =>
  phase_ms === null ? Infinity : Math.floor((after - phase_ms) / every_ms) * every_ms + every_ms + phase_ms

/** The ticks after `from` and before `until`. */
export function ticksIn(rhythm: Rhythm, from: number, until: number): number[] {
  const found: number[] = []
  for (let tick = tickAfter(rhythm, from); tick < until; tick = tickAfter(rhythm, tick)) found.push(tick)
  return found
}
export const isTick = (rhythm: Rhythm, at: number): boolean => tickAfter(rhythm, at - 1) === at

/** What an answer says of the timing, and up to when its ticks are decided. */
export function learnSchedule(tally: Tally, plan: Plan, view: ScheduleView): void {
  const span = plan.spans.at(-1)
  if (span === undefined) return
  const { rhythm } = span
  const next = view.next.map((at) => Date.parse(at))
  const [first] = next
  const shown = () => `${plan.name}: ${JSON.stringify(view)}, expected ${JSON.stringify(span)}`
  tally.demand(view.paused === span.paused, 'a schedule is as it was put', shown)
  tally.demand((first === undefined) === span.paused, 'a schedule shows its next ticks', shown)
  if (first === undefined) return
  rhythm.phase_ms ??= first % rhythm.every_ms
  const expected = ticksIn(rhythm, first - 1, first + 4 * rhythm.every_ms + 1)
  tally.demand(next.join() === expected.join(), 'a schedule shows its next ticks', shown)
  span.decided = Math.max(span.decided, first)
}

/** What became of a tick stays. */
export function learnRun(tally: Tally, plan: Plan, run: ScheduleRunView): void {
  if (run.outcome === 'pending') return
  const before = JSON.stringify(plan.runs.get(run.seq) ?? run)
  const shown = () => `${plan.name}: run ${run.seq} was ${before}, is ${JSON.stringify(run)}`
  tally.demand(before === JSON.stringify(run), 'what became of a tick stays', shown)
  plan.runs.set(run.seq, run)
}
