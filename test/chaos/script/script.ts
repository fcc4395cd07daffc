/** The replies, delays and failures of the scripted model, as a function of task and row alone. */
import { autonomous, dynamic, orchestrator, planExecute, session, type Reply } from './modes.ts'
import { roll, type Spot } from './rolls.ts'

export interface Said extends Reply {
  usage: { input: number; output: number }
}
/** The parts of a request that the script reads. */
export interface Offer {
  output_cap: number
  /** Whether tools may be called natively. */
  tools: boolean
  /** Whether thought, decision and action are asked for at once. */
  merged: boolean
}

export function sayingOf(spot: Spot, offer: Offer): Said {
  const { task, seq } = spot
  // Below any reservation, and different for each row so that a mix-up shows.
  const output = 1 + roll(Math.min(offer.output_cap, 60), task, seq, 'out')
  return { ...replyOf(spot, offer), usage: { input: 10 + roll(90, task, seq, 'in'), output } }
}

/** The schema of typed results. */
export const OUTPUT_SCHEMA = {
  type: 'object',
  properties: { row: { type: 'integer' }, note: { type: 'string' } },
  required: ['row'],
}

/** Of ten closing replies one does not fit. */
function resultOf({ task, seq }: Spot): Reply {
  const fits = roll(10, task, seq, 'fits') > 0
  return { text: JSON.stringify({ row: fits ? seq : 'none', note: 'as it was' }), acts: [], native: false }
}

function replyOf(spot: Spot, { tools, merged }: Offer): Reply {
  if (spot.phase === 'result') return resultOf(spot)
  switch (spot.mode) {
    case 'plan_execute':
      return planExecute(spot)
    case 'dynamic':
      return dynamic(spot, merged)
    case 'session':
      return session(spot, tools)
    case 'autonomous':
      return autonomous(spot)
    case 'orchestrator':
      return orchestrator(spot)
  }
}

/** Three of a hundred calls fail. */
export const isFaulty = (seed: number, { task, seq }: Spot): boolean => roll(1000, seed, task, seq, 'fault') < 30

/** Ms until the model answers: mostly at once, sometimes long enough to be met by a kill or by another request. */
export function delayOf(seed: number, { task, seq }: Spot): number {
  return roll(10, seed, task, seq, 'slow') === 0 ? 150 + roll(250, task, seq, 'ms') : 5 + roll(45, task, seq, 'ms')
}
