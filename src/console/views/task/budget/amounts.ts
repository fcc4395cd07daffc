/** Amounts that a budget can be given more of, as the service takes them. */
import type { TaskView } from '../../../api/wire.ts'
import type { BudgetAxis } from '../../../parts/stop-reasons.ts'

const MOST = 1_000_000_000

/** Those of a task: its own counter first. Actions and commands are topped up as steps (U13). */
export const axesOf = (unit: TaskView['budget']['unit']): [BudgetAxis, ...BudgetAxis[]] => [
  unit === 'iterations' ? 'iterations' : 'steps',
  'tokens',
  'cost_usd',
  'seconds',
]

/** What is typed as the `add` of a top-up: money is a text of decimals; null: it is no such amount. */
export function addOf(axis: BudgetAxis, typed: string): Partial<Record<BudgetAxis, number | string>> | null {
  const text = typed.trim()
  if (axis === 'cost_usd') return /^\d{1,9}(\.\d{1,6})?$/.test(text) && Number(text) > 0 ? { [axis]: text } : null
  const amount = /^\d{1,10}$/.test(text) ? Number(text) : 0
  return amount >= 1 && amount <= MOST ? { [axis]: amount } : null
}
