/**
 * The share of a task's budget that a command carries. It needs no reservation: while the task waits for the report, only a
 * top-up changes what is left.
 */
import { remainingAmount, type Budget } from './budget.ts'
import type { Amounts } from './delegation.ts'
import { dollars, microDollars } from './money.ts'
import type { Settings } from './settings.ts'

/** The share on each axis that the setting names, never more than is left. null: the setting names no axis. */
export function shareOf({ tokens, cost, working_ms }: Budget, { command_budget }: Settings): Amounts | null {
  if (command_budget === null) return null
  const { tokens: tokens_max, cost_usd, seconds } = command_budget
  return {
    ...(tokens_max === undefined ? {} : { tokens: atMost(tokens_max, remainingAmount(tokens)) }),
    ...(cost_usd === undefined ? {} : { cost: atMost(microDollars(cost_usd), remainingAmount(cost)) }),
    ...(seconds === undefined ? {} : { working_ms: atMost(seconds * 1000, remainingAmount(working_ms)) }),
  }
}
const atMost = (wanted: number, left: number) => Math.max(0, Math.min(wanted, left))

/** What a command is charged: the amounts its worker reports, and its whole share on the axes it does not report. */
export const chargedAmounts = (share: Amounts | null, spent: Amounts | null): Amounts => ({ ...share, ...spent })

/** Whether a worker spent more than its share. The excess is charged all the same. */
export const exceedsShare = (share: Amounts | null, charged: Amounts): boolean =>
  (['tokens', 'cost', 'working_ms'] as const).some((axis) => (charged[axis] ?? 0) > (share?.[axis] ?? Infinity))

/** The wire form: money as a decimal string, time in whole seconds rounded up. null: no amount is given for that axis. */
export const amountsView = ({ tokens, cost, working_ms }: Amounts) => ({
  tokens: tokens ?? null,
  cost_usd: cost === undefined ? null : dollars(cost),
  seconds: working_ms === undefined ? null : Math.ceil(working_ms / 1000),
})
