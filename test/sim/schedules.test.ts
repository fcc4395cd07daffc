/** Seeded runs of schedules whose jobs are killed and whose clock jumps. */
import { expect, it } from 'vitest'
import { playSchedules } from './schedules.ts'

const RUNS = 60
/** What must have happened in some run for the silence of the checks to mean anything. */
const SOMETIMES = [
  'forwards',
  'backwards',
  'paused',
  'killed request',
  'deleted',
  'run created',
  'run skipped',
  'run missed',
  'run refused',
]

it('U57 each tick has exactly one run with one task or is noted as missed, and none is lost, over 300 kills and jumps of the clock', async () => {
  const total = new Map<string, number>()
  for (let seed = 1; seed <= RUNS; seed++) {
    const { violations, counts } = await playSchedules(seed)
    for (const [what, often] of counts) total.set(what, (total.get(what) ?? 0) + often)
    expect(violations.slice(0, 5), `seed ${seed}`).toEqual([])
  }
  expect(SOMETIMES.filter((what) => !total.has(what))).toEqual([])
  const jumps = (total.get('forwards') ?? 0) + (total.get('backwards') ?? 0)
  expect(total.get('killed')).toBeGreaterThan(300)
  expect(jumps).toBeGreaterThan(300)
}, 120_000)
