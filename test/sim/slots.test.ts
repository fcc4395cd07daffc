/** Seeded runs of background tasks under run slots, with faults. */
import { expect, it } from 'vitest'
import { playSlots } from './slots.ts'

const RUNS = 100
/** What must have happened in some run for the silence of the checkers to mean anything. */
const SOMETIMES = [
  'reboot',
  'job lost',
  'pause',
  'resume',
  'cancel',
  'delete',
  'input',
  'step',
  'died after workspace.acquire_slot',
  'died after workspace.set_status',
  'died after store.commit',
  'died after store.cancel',
  'died after store.wake',
]

it('U42 no more tasks hold a run slot than there are, none waits while one is free, and no idle or ended task keeps one', async () => {
  const total = new Map<string, number>()
  for (let seed = 1; seed <= RUNS; seed++) {
    const { violations, counts } = await playSlots(seed)
    for (const [what, often] of counts) total.set(what, (total.get(what) ?? 0) + often)
    expect(violations, `seed ${seed}`).toEqual([])
  }
  expect(SOMETIMES.filter((what) => !total.has(what))).toEqual([])
}, 60_000)
