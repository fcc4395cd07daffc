/** What may be begun: the limits of a task, and its tenant's total of the day (P13, U11–U14, U16). */
import type { SeededBug } from './seeded-bug.ts'

const BUDGET = 'src/core/terms/budget.ts'
const DAILY = 'src/core/workspace/daily-totals.ts'
const RESUME = 'src/core/engine/resume.ts'
const CHARGE_ROW = 'src/core/engine/charge-row.ts'

export const BUDGET_BUGS: readonly SeededBug[] = [
  {
    name: 'limit-checked-late',
    law: 'the limit check comes before each effect that opens a round',
    file: BUDGET,
    find: 'budget.steps.used >= budget.steps.max',
    replace: 'budget.steps.used > budget.steps.max',
  },
  {
    name: 'limit-checked-within-round',
    law: 'an open round is finished on a spent budget',
    file: 'src/core/protocol/expected-effect.ts',
    find: '!aside && opens && isStepBudgetSpent(head.budget)',
    replace: '!aside && isStepBudgetSpent(head.budget)',
  },
  {
    name: 'output-cap-not-lowered',
    law: 'the output cap is lowered to what is left',
    file: BUDGET,
    find: 'Math.min(output_cap, byTokens, byCost)',
    replace: 'output_cap',
  },
  {
    name: 'tiny-call-made',
    law: 'a call that could answer fewer than 64 tokens is not made',
    file: BUDGET,
    find: 'const OUTPUT_TOKENS_MIN = 64',
    replace: 'const OUTPUT_TOKENS_MIN = 1',
  },
  {
    name: 'characters-for-bytes',
    law: 'the worst case of an input is its bytes',
    file: 'src/core/engine/assignment.ts',
    find: 'utf8Bytes(sent) +',
    replace: 'sent.length +',
  },
  {
    name: 'deadline-not-lowered',
    law: 'the time-out is lowered to the working time that is left',
    file: BUDGET,
    find: 'const ms = Math.min(worst.timeout_ms, remainingAmount(budget.working_ms))\n  if (ms <= 0)',
    replace: 'const ms = worst.timeout_ms\n  if (remainingAmount(budget.working_ms) <= 0)',
  },
  {
    name: 'top-up-does-not-resume',
    law: 'a top-up of the axis that is spent makes the task runnable',
    file: RESUME,
    find: 'if (!isRaised(head, raised, attempts)) return',
    replace: 'return',
  },
  {
    name: 'continue-grants-nothing',
    law: 'a continue grants the original amount of the spent axis',
    file: RESUME,
    find: 'event.grant && axis !== null ? originalGrant(axis, limitsOf(name, settings)) : {}',
    replace: '{}',
  },
  {
    name: 'chunk-not-given-back',
    law: 'a task that rests gives back what it has reserved ahead',
    file: CHARGE_ROW,
    find: 'if (idle) refunds.push({ ...head.allowance, task: head.id })\n',
    replace: '',
  },
  {
    name: 'idle-task-keeps-scarce-chunk',
    law: 'a task that its client drives holds nothing of a scarce total after its slice',
    file: 'src/core/protocol/task.ts',
    find: 'if (next === null) giveBackUnused(transaction)\n',
    replace: '',
  },
  {
    name: 'chunk-lost-by-the-next',
    law: 'what is left of an allowance is given back when one of another day takes its place',
    file: CHARGE_ROW,
    find: ', ...replacedAllowance(before, event)]',
    replace: ']',
  },
  {
    name: 'chunk-never-spent',
    law: 'what a call cost leaves the allowance of its task',
    file: CHARGE_ROW,
    find: '{ tokens: Math.max(0, left.tokens), cost: Math.max(0, left.cost), day }',
    replace: '{ tokens, cost: micro, day }',
  },
  {
    name: 'tenant-overspent',
    law: "a chunk fits into what is left of the tenant's day",
    file: DAILY,
    find: 'const left = max - spent[axis]',
    replace: 'const left = max',
  },
  {
    name: 'tenant-exhausted-admits',
    law: 'a tenant whose day is spent begins no task',
    file: DAILY,
    find: 'spent[axis] >= limit',
    replace: 'spent[axis] > limit',
  },
  {
    name: 'chunk-not-reserved',
    law: "a chunk is taken from the tenant's day",
    file: 'src/store/workspace/quotas/sql-spend.ts',
    find: 'add(sql, day, chunk.tokens, chunk.cost)\n',
    replace: 'false\n',
  },
]
