/** Mode orchestrator by rules: splits a goal into steps for agents outside, weighs their reports, and tells what came of it (S2-03, R17). */
import type { OrchestratorContext } from './orchestrator/context.ts'
import { evaluate } from './orchestrator/evaluate.ts'
import { plan } from './orchestrator/plan.ts'
import { summary } from './orchestrator/summary.ts'

export { OrchestratorContext } from './orchestrator/context.ts'

/** A summary is plain text, all else an object. */
export function orchestrator(context: OrchestratorContext): object | string {
  switch (context.phase) {
    case 'plan':
      return plan(context)
    case 'evaluate':
      return evaluate(context)
    case 'summary':
      return summary(context)
  }
}
