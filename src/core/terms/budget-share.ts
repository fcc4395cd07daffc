/** The share of a task's budget that a command carries: nothing of the task but a top-up changes what is left while its report is waited for, so it needs no reservation. */
import { remaining, type Budget } from './budget.ts'
import type { Amounts } from './delegation.ts'
import { dollars, microDollars } from './money.ts'
import type { Settings } from './settings.ts'

/** Never more than is left, on each axis that the setting names; null: it names none. */
export function shareOf({ tokens, cost, working_ms }: Budget, { command_budget }: Settings): Amounts | null {
  if (command_budget === null) return null
  const { tokens: some, cost_usd, seconds } = command_budget
  return {
    ...(some === undefined ? {} : { tokens: atMost(some, remaining(tokens)) }),
    ...(cost_usd === undefined ? {} : { cost: atMost(microDollars(cost_usd), remaining(cost)) }),
    ...(seconds === undefined ? {} : { working_ms: atMost(seconds * 1000, remaining(working_ms)) }),
  }
}
const atMost = (wanted: number, rest: number) => Math.max(0, Math.min(wanted, rest))

/** What is charged for a command: what its worker says, and of its share what it does not say. */
export const chargedFor = (share: Amounts | null, spent: Amounts | null): Amounts => ({ ...share, ...spent })

/** Whether more was spent than was shared: it is charged all the same. */
export const isBeyond = (share: Amounts | null, charged: Amounts): boolean =>
  (['tokens', 'cost', 'working_ms'] as const).some((axis) => (charged[axis] ?? 0) > (share?.[axis] ?? Infinity))

/** As shown outside: money as a decimal string, time in whole seconds rounded up; null: nothing is said of that axis. */
export const amountsView = ({ tokens, cost, working_ms }: Amounts) => ({
  tokens: tokens ?? null,
  cost_usd: cost === undefined ? null : dollars(cost),
  seconds: working_ms === undefined ? null : Math.ceil(working_ms / 1000),
})
