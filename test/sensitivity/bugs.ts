/** The seeded bugs, by theme. One that no layer catches is a missing test: write it, and leave the bug where it is. */
import { BUDGET_BUGS } from './bugs-budget.ts'
import { COMMAND_BUGS } from './bugs-commands.ts'
import { KEY_BUGS } from './bugs-keys.ts'
import { LEASE_BUGS } from './bugs-lease.ts'
import { LEDGER_BUGS } from './bugs-ledger.ts'
import { PAST_BUGS } from './bugs-past.ts'
import { STORE_BUGS } from './bugs-store.ts'
import { TOOL_BUGS } from './bugs-tools.ts'
import type { SeededBug } from './seeded-bug.ts'

export const BUGS: readonly SeededBug[] = [
  ...LEASE_BUGS,
  ...KEY_BUGS,
  ...LEDGER_BUGS,
  ...BUDGET_BUGS,
  ...PAST_BUGS,
  ...STORE_BUGS,
  ...COMMAND_BUGS,
  ...TOOL_BUGS,
]
