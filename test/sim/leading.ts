/** The replies of a model in mode orchestrator, more sensible than random ones: short plans, and evaluations that mostly accept a step. */
import type { Random } from './random.ts'

const STEP = { description: 'by the player', constraints: '', expected_output: 'it is there' }
const stepsOf = (titles: readonly string[]) => titles.map((title) => ({ title, ...STEP }))

export const RETRY = { decision: 'retry', reason: 'not yet', adjusted_steps: [] }

/** null for a phase without a contract. A hostile model never accepts a step. */
export function leading(phase: string, random: Random, hostile: boolean, serial: number): object | null {
  if (phase === 'plan') return { steps: stepsOf(random.pick([['A'], ['A'], ['A', 'B'], ['A', `B ${serial}`, 'A']])) }
  if (phase !== 'evaluate') return null
  const decision = hostile
    ? random.pick(['retry', 'retry', 'replan'])
    : random.pick(['next', 'next', 'next', 'next', 'retry', 'retry', 'replan', 'ask', 'abort'])
  const titles = decision === 'replan' ? random.pick([['A'], ['A', 'B'], [`new ${serial}`]]) : []
  const question = decision === 'ask' ? `question ${serial}` : null
  return { reason: `reason ${serial}`, decision, adjusted_steps: stepsOf(titles), question }
}
