/** Commands for workers outside, and what comes of them: settled once, charged once, within their share (R17, U2, U19). */
import type { SeededBug } from './seeded-bug.ts'

const DELEGATIONS = 'src/core/protocol/delegations.ts'

export const COMMAND_BUGS: readonly SeededBug[] = [
  {
    name: 'report-charged-twice',
    law: 'what a worker has spent is charged once',
    file: 'src/core/engine/charge-row.ts',
    find: 'chargeAmounts(head.budget, event.charged)',
    replace: 'chargeAmounts(chargeAmounts(head.budget, event.charged), event.charged)',
  },
  {
    name: 'late-report-taken',
    law: 'after its time no report of a command is taken',
    file: DELEGATIONS,
    find: "now_ms >= deadline && !under_way ? 'expired' : 'pending'",
    replace: "'pending' as const",
  },
  {
    name: 'dispatch-not-idempotent',
    law: 'a command whose worker of ours was lost is handed out again as the one it was',
    file: 'src/core/mode/tools.ts',
    find: 'name: DELEGATE,\n    idempotent: true,',
    replace: 'name: DELEGATE,\n    idempotent: false,',
  },
  {
    name: 'dispatch-counted-again',
    law: 'a dispatch that is handed out again is the round it was',
    file: 'src/core/engine/assignment.ts',
    find: 'stored.opens_round === true && lease.attempt === 1',
    replace: 'stored.opens_round === true',
  },
  {
    name: 'early-report-heard-twice',
    law: 'a report that waits for its command to be handed out is applied once',
    file: DELEGATIONS,
    find: 'return rows.queued().reduce<Settlement | null>((found, { event }) => found ?? settlementIn(event, seq), null)',
    replace: 'return null as Settlement | null',
  },
  {
    name: 'early-report-dropped',
    law: 'a report that came while its command was handed out is judged',
    file: 'src/core/modes/orchestrator/reports.ts',
    find: 'if (event.delegation !== state.command) return { state, notes: [] }\n  const { task, seq } = context',
    replace:
      'if (event.delegation !== state.command || context.seq === event.delegation + 1) return { state, notes: [] }\n  const { task, seq } = context',
  },
  {
    name: 'silence-costs-nothing',
    law: 'a command that nobody reports on is charged with its share',
    file: 'src/core/protocol/input.ts',
    find: 'charged: chargedAmounts(shareOfCommand(overdue), null)',
    replace: 'charged: {}',
  },
  {
    name: 'share-beyond-budget',
    law: 'a share is never more than what is left',
    file: 'src/core/terms/budget-share.ts',
    find: 'Math.max(0, Math.min(wanted, left))',
    replace: 'Math.max(0, left === 0 ? 0 : wanted)',
  },
  {
    name: 'end-command-hidden',
    law: 'the end command is found, whatever row has ended its task',
    file: DELEGATIONS,
    find: 'if (last !== null) return',
    replace: 'if (last !== null && !isDispatch(row.effect)) return',
  },
]
