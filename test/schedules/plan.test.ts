/** What becomes of the ticks that are due. */
import { describe, expect, it } from 'vitest'
import { planTicks } from '../../src/core/workspace/schedules/plan-ticks.ts'
import { QUEUE_MAX, type SchedulePlan, type StoredSchedule } from '../../src/core/workspace/schedules/schedule.ts'
import { intervalTicks } from '../../src/core/workspace/schedules/ticks.ts'

const MINUTE = 60_000
const BEGIN = Date.UTC(2026, 10, 24, 12)
/** So many minutes after the beginning. */
const at = (minutes: number) => BEGIN + minutes * MINUTE
const ticks = intervalTicks(MINUTE, BEGIN)

function scheduleOf(plan: Partial<SchedulePlan>, state: Partial<StoredSchedule> = {}): StoredSchedule {
  return {
    name: 'n',
    id: 'i',
    revision: 1,
    plan: {
      timing: { every_s: 60, timezone: 'UTC', anchor_ms: BEGIN },
      overlap: 'skip',
      missed: 'skip',
      daily: { tokens: null, cost: null },
      template: {},
      origin: '',
      ...plan,
    },
    paused: false,
    next_at: at(1),
    seen_ms: BEGIN,
    queue: [],
    totals: {},
    created: BEGIN,
    updated: BEGIN,
    ...state,
  }
}
const NOTHING = { tokens: 0, cost: 0 }
function planned(schedule: StoredSchedule, minutes: number, more: { is_open?: boolean; spent?: typeof NOTHING } = {}) {
  const facts = { now_ms: at(minutes), ticks, is_open: false, spent: NOTHING, day: '2026-11-24', ...more }
  const { next_at, queue, runs } = planTicks(schedule, facts)
  const minuteOf = (ms: number) => (ms - BEGIN) / MINUTE
  return {
    next: next_at === null ? null : minuteOf(next_at),
    queue: queue.map(minuteOf),
    runs: runs.map(({ tick, outcome, reason, count }) =>
      [minuteOf(tick), outcome, ...(reason === null ? [] : [reason]), ...(count === 1 ? [] : [count])].join(' '),
    ),
  }
}

describe('U57 ticks that are due', () => {
  it('U57 before its time nothing happens, and at its time one task is made', () => {
    expect(planned(scheduleOf({}), 0.5)).toEqual({ next: 1, queue: [], runs: [] })
    expect(planned(scheduleOf({}), 1)).toEqual({ next: 2, queue: [], runs: ['1 making'] })
  })
  it('U57 a late tick is made within five minutes, and each tick has its own run', () => {
    expect(planned(scheduleOf({}), 3)).toEqual({
      next: 4,
      queue: [],
      runs: ['1 making', '2 skipped overlap', '3 skipped overlap'],
    })
  })
  it('U57 overlap: skip, queue and replace', () => {
    expect(planned(scheduleOf({ overlap: 'skip' }), 1, { is_open: true }).runs).toEqual(['1 skipped overlap'])
    expect(planned(scheduleOf({ overlap: 'queue' }), 1, { is_open: true })).toEqual({ next: 2, queue: [1], runs: [] })
    expect(planned(scheduleOf({ overlap: 'replace' }), 1, { is_open: true }).runs).toEqual(['1 making'])
    expect(planned(scheduleOf({ overlap: 'replace' }), 2).runs).toEqual(['1 skipped overlap', '2 making'])
  })
  it('U57 what waits is made in its order, one at a time, and only so many wait', () => {
    const waiting = scheduleOf({ overlap: 'queue' }, { queue: [at(1), at(2)], next_at: at(3) })
    expect(planned(waiting, 2.5)).toEqual({ next: 3, queue: [2], runs: ['1 making'] })
    expect(planned(waiting, 3, { is_open: true })).toEqual({ next: 4, queue: [1, 2, 3], runs: [] })
    const full = Array.from({ length: QUEUE_MAX }, (_, index) => at(index + 1))
    const crowded = scheduleOf({ overlap: 'queue' }, { queue: full, next_at: at(QUEUE_MAX + 1) })
    expect(planned(crowded, QUEUE_MAX + 1, { is_open: true }).runs).toEqual([`${QUEUE_MAX + 1} skipped overlap`])
  })
  it('U57 missed ticks are noted together, or one run is made for all of them', () => {
    expect(planned(scheduleOf({ missed: 'skip' }), 60).runs.slice(0, 2)).toEqual(['54 missed 54', '55 making'])
    const daily = intervalTicks(1440 * MINUTE, BEGIN)
    const facts = { now_ms: at(4 * 1440 + 60), ticks: daily, is_open: false, spent: NOTHING, day: 'd' }
    const outcomes = (missed: 'skip' | 'once') =>
      planTicks(scheduleOf({ missed }, { next_at: at(1440) }), facts).runs.map(({ outcome, count, tick }) => [
        outcome,
        count,
        (tick - BEGIN) / MINUTE / 1440,
      ])
    expect(outcomes('skip')).toEqual([['missed', 4, 4]])
    expect(outcomes('once')).toEqual([
      ['missed', 3, 3],
      ['making', 1, 4],
    ])
  })
  it('U57 a long time is walked in bounded steps, and nothing of it is made twice', () => {
    let walked = 0
    const counted = { next: (after: number) => (walked++, ticks.next(after)) }
    const facts = { now_ms: at(1_000_000), ticks: counted, is_open: false, spent: NOTHING, day: 'd' }
    const { next_at, runs } = planTicks(scheduleOf({}), facts)
    expect(walked).toBeLessThan(700)
    expect(next_at).toBe(at(1_000_001))
    expect(runs[0]).toMatchObject({ outcome: 'missed', reason: 'at_least', first_tick: at(1) })
    expect(runs.filter(({ outcome }) => outcome === 'making')).toHaveLength(1)
  })
  it('U57 the daily budget: a tick beyond it is skipped, and a run gets what is left', () => {
    const bounded = scheduleOf({ daily: { tokens: 100, cost: 2_000_000 } })
    expect(planned(bounded, 1, { spent: { tokens: 100, cost: 0 } }).runs).toEqual(['1 skipped budget'])
    expect(planned(bounded, 1, { spent: { tokens: 0, cost: 2_000_001 } }).runs).toEqual(['1 skipped budget'])
    const facts = { now_ms: at(1), ticks, is_open: false, spent: { tokens: 40, cost: 500_000 }, day: 'd' }
    expect(planTicks(bounded, facts).runs).toMatchObject([{ outcome: 'making', caps: { tokens: 60, cost: 1_500_000 } }])
  })
  it('U57 a paused schedule does nothing, also with ticks that wait', () => {
    const paused = scheduleOf({ overlap: 'queue' }, { paused: true, next_at: null, queue: [at(1)] })
    expect(planned(paused, 9)).toEqual({ next: null, queue: [1], runs: [] })
  })
  it('U57 a clock that was set back goes on from its new time, and one that stutters changes nothing', () => {
    const ahead = scheduleOf({}, { next_at: at(500_000), seen_ms: at(499_999.5) })
    expect(planned(ahead, 10).next).toBe(11)
    const stuttering = scheduleOf({}, { next_at: at(3), seen_ms: at(2) })
    expect(planned(stuttering, 1)).toEqual({ next: 3, queue: [], runs: [] })
    const waiting = scheduleOf({ overlap: 'queue' }, { next_at: at(90), seen_ms: at(89), queue: [at(11)] })
    expect(planned(waiting, 10, { is_open: true })).toEqual({ next: 11, queue: [11], runs: [] })
  })
  it('U57 after its last tick it has none', () => {
    const once = { next: (after: number) => (after < at(1) ? at(1) : null) }
    const facts = { now_ms: at(1), ticks: once, is_open: false, spent: NOTHING, day: 'd' }
    expect(planTicks(scheduleOf({}), facts)).toMatchObject({ next_at: null, runs: [{ outcome: 'making' }] })
  })
})
