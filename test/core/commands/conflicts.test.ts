import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScheduleEvent } from '../../../src/core/workspace/commands/book.ts'
import { findConflicts, seriesToTest } from '../../../src/core/workspace/commands/schedule/conflicts.ts'
import { momentOf, storedMinute } from '../../../src/core/terms/plain/minutes.ts'
import { termsInBand } from '../../../src/core/workspace/commands/schedule/progressions.ts'
import { occurrencesWithin } from '../../../src/core/workspace/commands/schedule/recurrence.ts'
import { workspace } from './desk.ts'

const BASE = storedMinute('2026-03-20 10:00')
const rule = (interval: number, times: number, enabled = true) => ({ interval, times, remind_start: null, enabled })
const eventAt = (id: number, offset: number, duration: number, repeat: ScheduleEvent['rule']): ScheduleEvent => ({
  id,
  title: `event ${id}`,
  start: momentOf(BASE + offset),
  duration,
  remind_at: null,
  created_at: '2026-03-18 10:30:45',
  rule: repeat,
})
/** Starts of an event up to a horizon, one by one. */
function walk({ start, rule: repeat }: ScheduleEvent, horizon: number): number[] {
  const first = storedMinute(start)
  if (repeat === null || !repeat.enabled) return [first]
  const found = []
  for (let k = 0; (repeat.times === -1 || k < repeat.times) && first + k * repeat.interval < horizon; k++) {
    found.push(first + k * repeat.interval)
  }
  return found
}
const rules = fc.option(
  fc.record({
    interval: fc.integer({ min: 1, max: 40 }),
    times: fc.oneof(fc.constant(-1), fc.integer({ min: 2, max: 15 })),
    remind_start: fc.constant(null),
    enabled: fc.boolean(),
  }),
)
const events = fc
  .array(fc.tuple(fc.integer({ min: -150, max: 250 }), fc.integer({ min: 1, max: 12 }), rules), { maxLength: 4 })
  .map((list) => list.map(([offset, duration, repeat], at) => eventAt(at + 1, offset, duration, repeat)))

describe('arithmetic equals walking', () => {
  it('2.4 the conflict test finds what comparing every pair of occurrences finds', () =>
    fc.assert(
      fc.property(
        events,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 15 }),
        (stored, duration, interval, count) => {
          const fresh = Array.from({ length: count }, (_, k) => BASE + k * interval)
          const hits = stored
            .flatMap((event) =>
              walk(event, BASE + 2_000).map((start) => ({ id: event.id, start, end: start + event.duration })),
            )
            .filter(({ start, end }) => fresh.some((begin) => start < begin + duration && begin < end))
            .sort((a, b) => a.start - b.start || a.id - b.id)
          const found = findConflicts({ first: BASE, interval, count, duration }, stored.toReversed())
          expect(found.hits.map(({ event, start }) => ({ id: event.id, start }))).toEqual(
            hits.slice(0, 5).map(({ id, start }) => ({ id, start })),
          )
          expect(found.more).toBe(Math.max(0, hits.length - 5))
        },
      ),
      { numRuns: 2_000 },
    ))
  it('2.4 expansion finds what walking finds, and a capped one its beginning', () =>
    fc.assert(
      fc.property(
        events,
        fc.integer({ min: -200, max: 300 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 60 }),
        (stored, offset, length, cap) => {
          const [from, to] = [BASE + offset, BASE + offset + length]
          const all = stored
            .flatMap((event) => walk(event, to).map((start) => ({ id: event.id, start })))
            .filter(({ start }) => start >= from && start < to)
            .sort((a, b) => a.start - b.start || a.id - b.id)
          const { shown, more } = occurrencesWithin(stored.toReversed(), from, to, cap)
          expect(shown.map(({ event, start }) => ({ id: event.id, start }))).toEqual(all.slice(0, cap))
          expect(more).toBe(Math.max(0, all.length - cap))
        },
      ),
      { numRuns: 1_000 },
    ))
  it('the terms in a band are those a walk counts', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: -100, max: 200 }),
        fc.integer({ min: 1, max: 90 }),
        fc
          .integer({ min: 1, max: 50 })
          .chain((modulus) => fc.tuple(fc.constant(modulus), fc.integer({ min: 0, max: modulus }))),
        (count, first, step, [modulus, band]) => {
          const residues = Array.from({ length: count }, (_, i) => (((first + i * step) % modulus) + modulus) % modulus)
          expect(termsInBand(count, first, step, modulus, band)).toBe(
            residues.filter((residue) => residue < band).length,
          )
        },
      ),
      { numRuns: 1_000 },
    ))
})

describe('2.4 conflict test', () => {
  const space = (...inputs: string[]) => {
    const made = workspace()
    for (const result of made.runAll(...inputs)) expect(result.kind).toBe('schedule_added')
    return made
  }
  it.each([
    ['2026-03-20 09:00 x', 'schedule_added'],
    ['2026-03-20 09:00 x --duration 61', 'conflict'],
    ['2026-03-20 11:00 x', 'schedule_added'],
    ['2026-03-20 10:59 x --duration 1', 'conflict'],
    ['2026-03-20 10:30 x --duration 10', 'conflict'],
    ['2026-03-20 08:00 x --duration 300', 'conflict'],
  ])('2.4 intervals overlap strictly, touching is fine: against 10:00-11:00 %s is %s', (rest, kind) =>
    expect(space('/schedule add 2026-03-20 10:00 gym').run(`/schedule add ${rest}`).kind).toBe(kind),
  )
  it('2.4 any hit stores nothing and is reported with id, start and title', () => {
    const made = space('/schedule add 2026-03-20 10:00 gym|x')
    const before = made.stored()
    expect(made.run('/schedule add 2026-03-20 10:30 lunch')).toEqual({
      kind: 'conflict',
      ok: false,
      text: 'Conflict, nothing was stored. It overlaps:\n#1 2026-03-20 10:00 gym｜x',
      rows: [],
      data: { conflicts: [{ id: 1, start: '2026-03-20 10:00', title: 'gym|x' }], more: 0 },
    })
    expect(made.stored()).toEqual(before)
  })
  it('2.4 up to 5 hits are listed in start order, with the number of further hits', () => {
    const made = space(
      '/schedule add 2026-03-20 10:30 b --duration 5',
      '/schedule add 2026-03-20 10:00 a --interval 60 --times 9 --duration 5',
    )
    const { data, text } = made.run('/schedule add 2026-03-20 09:00 long --duration 6000')
    expect(data).toEqual({
      conflicts: [
        { id: 2, start: '2026-03-20 10:00', title: 'a' },
        { id: 1, start: '2026-03-20 10:30', title: 'b' },
        { id: 2, start: '2026-03-20 11:00', title: 'a' },
        { id: 2, start: '2026-03-20 12:00', title: 'a' },
        { id: 2, start: '2026-03-20 13:00', title: 'a' },
      ],
      more: 5,
    })
    expect(text).toContain('and 5 more')
  })
  it('2.4 all occurrences of a finite series are tested, and it does not conflict with itself', () => {
    const made = space('/schedule add 2036-03-20 10:00 far')
    expect(made.run('/schedule add 2026-03-20 10:00 daily --interval 1440 --times 3654').kind).toBe('conflict')
    expect(made.run('/schedule add 2026-03-20 10:00 daily --interval 1440 --times 3653').kind).toBe('schedule_added')
    expect(workspace().run('/schedule add 2026-03-20 10:00 dense --interval 1 --times 9 --duration 60').kind).toBe(
      'schedule_added',
    )
  })
  it.each([
    ['2026-04-20 10:00', 31, 'conflict'],
    ['2026-04-21 10:00', 31, 'schedule_added'],
    ['2026-04-20 10:00', 30, 'schedule_added'],
    ['2026-04-20 09:59', 31, 'conflict'],
    ['2026-04-20 11:00', 31, 'schedule_added'],
  ])(
    '2.4 an infinite series is tested for the preview days, the last moment included: %s with %i days',
    (moment, days, kind) => {
      const made = space(`/schedule add ${moment} other`)
      expect(
        made.run('/schedule add 2026-03-20 10:00 daily --interval 1440', { conflict_preview_days: days }).kind,
      ).toBe(kind)
    },
  )
  it('2.4 an infinite series is tested with floor(days x 1440 / interval) + 1 starts', () => {
    expect(seriesToTest(eventAt(1, 0, 5, rule(1440, -1)), 31).count).toBe(32)
    expect(seriesToTest(eventAt(1, 0, 5, rule(1000, -1)), 31).count).toBe(45)
    expect(seriesToTest(eventAt(1, 0, 5, rule(999_999, -1)), 31).count).toBe(1)
    expect(seriesToTest(eventAt(1, 0, 5, rule(1440, 500)), 31).count).toBe(500)
    expect(seriesToTest(eventAt(1, 0, 5, null), 31).count).toBe(1)
  })
  it('2.4 stored infinite rules have no horizon, so a single event years later can collide', () => {
    const made = space('/schedule add 2026-03-20 10:00 daily --interval 1440')
    expect(made.run('/schedule add 2096-07-01 10:30 x').data).toEqual({
      conflicts: [{ id: 1, start: '2096-07-01 10:00', title: 'daily' }],
      more: 0,
    })
  })
  it('2.4 update ignores itself', () => {
    const made = space('/schedule add 2026-03-20 10:00 daily --interval 1440')
    expect(made.run('/schedule update 1 2026-03-20 10:30 daily --interval 1440').kind).toBe('schedule_updated')
  })
  it('2.4 a todo is never in the way', () => {
    const made = workspace()
    made.run('/todo add milk --due 2026-03-20 10:00')
    expect(made.run('/schedule add 2026-03-20 10:00 gym').kind).toBe('schedule_added')
  })
})

describe('series of any length are compared at once', () => {
  const quick = (act: () => void) => {
    const started = performance.now()
    act()
    expect(performance.now() - started).toBeLessThan(1_500)
  }
  it('a million minutely occurrences against an infinite rule', () =>
    quick(() => {
      const made = workspace()
      made.run('/schedule add 2026-03-20 10:00 daily --interval 1440 --duration 1')
      const result = made.run('/schedule add 2026-03-20 10:00 tick --interval 1 --times 1000000 --duration 1')
      expect(result.data).toMatchObject({ conflicts: { length: 5 }, more: 690 })
      expect(made.run('/schedule delete 1').kind).toBe('deleted')
      expect(made.run('/schedule add 2026-03-20 10:00 tick --interval 1 --times 1000000 --duration 1').kind).toBe(
        'schedule_added',
      )
    }))
  it('two series without a common minute, billions of minutes long', () =>
    quick(() => {
      const made = workspace()
      made.run('/schedule add 0001-01-01 00:00 even --interval 2 --duration 1')
      expect(made.run('/schedule add 0001-01-01 00:01 odd --interval 2 --times 2600000000 --duration 1').kind).toBe(
        'schedule_added',
      )
      made.run('/schedule delete 2')
      expect(
        made.run('/schedule add 0001-01-01 00:01 third --interval 3 --times 1700000000 --duration 1').data,
      ).toEqual({
        conflicts: ['00:04', '00:10', '00:16', '00:22', '00:28'].map((time) => ({
          id: 1,
          start: `0001-01-01 ${time}`,
          title: 'even',
        })),
        more: 849_999_995,
      })
    }))
  it('a thousand stored series that are hit seldom', () =>
    quick(() => {
      const stored = Array.from({ length: 1_000 }, (_, at) => eventAt(at + 1, at, 1, rule(100_003 + 2 * at, -1)))
      const found = findConflicts({ first: BASE + 50_000, interval: 99_991, count: 40_000, duration: 1 }, stored)
      expect(found.hits).toHaveLength(5)
      expect(found.more).toBeGreaterThan(0)
    }))
  it('an infinite series has no occurrence after the calendar, so none that could conflict', () => {
    const made = workspace()
    made.run('/schedule add 9999-12-31 02:00 long --duration 6000')
    expect(made.run('/schedule add 9999-12-31 00:00 daily --interval 1440').kind).toBe('schedule_added')
  })
  it('the last minute of the calendar: an event that lasts beyond it meets no occurrence after it', () => {
    const made = workspace()
    made.run('/schedule add 9999-12-30 05:00 daily --interval 1440 --duration 5')
    expect(made.run('/schedule add 9999-12-31 23:00 last --duration 5258964960').kind).toBe('schedule_added')
    expect(made.run('/schedule add 9999-12-31 23:00 last --duration 5258964961').kind).toBe('usage_error')
  })
})
