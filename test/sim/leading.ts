/** What a model says in orchestrator, with more sense than chance has: short plans, and judgements that mostly let a step pass. */
import type { Random } from './random.ts'

const STEP = { description: 'by the player', constraints: '', expected_output: 'it is there' }
const stepsOf = (titles: readonly string[]) => titles.map((title) => ({ title, ...STEP }))

export const RETRY = { decision: 'retry', reason: 'not yet', adjusted_steps: [] }

/** null: of a phase without a contract. A hostile one never lets a step pass. */
export function leading(phase: string, random: Random, hostile: boolean, serial: number): object | null {
  if (phase === 'plan') return { steps: stepsOf(random.pick([['A'], ['A'], ['A', 'B'], ['A', `B ${serial}`, 'A']])) }
  if (phase !== 'evaluate') return null
  const decision = hostile
    ? random.pick(['retry', 'retry', 'replan'])
    : random.pick(['next', 'next', 'next', 'next', 'retry', 'retry', 'replan', 'abort'])
  const titles = decision === 'replan' ? random.pick([['A'], ['A', 'B'], [`new ${serial}`]]) : []
  return { decision, reason: `reason ${serial}`, adjusted_steps: stepsOf(titles) }
}
