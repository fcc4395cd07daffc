/** The amounts by which a budget can be topped up. */
import type { TaskView } from '../../../api/wire.ts'
import type { BudgetAxis } from '../../../parts/stop-reasons.ts'

const MOST = 1_000_000_000

/** Returns the axes of a task, with its own counter first. Actions and commands are topped up as steps (U13). */
export const axesOf = (unit: TaskView['budget']['unit']): [BudgetAxis, ...BudgetAxis[]] => [
  unit === 'iterations' ? 'iterations' : 'steps',
  'tokens',
  'cost_usd',
  'seconds',
]

/** Returns the member `add` of a top-up, where money is a decimal text; null if the text is no such amount. */
export function addOf(axis: BudgetAxis, typed: string): Partial<Record<BudgetAxis, number | string>> | null {
  const text = typed.trim()
  if (axis === 'cost_usd') return /^\d{1,9}(\.\d{1,6})?$/.test(text) && Number(text) > 0 ? { [axis]: text } : null
  const amount = /^\d{1,10}$/.test(text) ? Number(text) : 0
  return amount >= 1 && amount <= MOST ? { [axis]: amount } : null
}
