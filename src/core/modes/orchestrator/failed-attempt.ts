/** A failed attempt (R17) is repeated in the same session. After too many failures a person is asked. A step is never left out silently. */
import type { Note } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { isRefused } from '../../mode/repeat-guard.ts'
import { askPerson, guardNote } from './asks.ts'
import { commandAction } from './command.ts'
import type { OrchestratorState } from './state.ts'

type T = HandlerResult<OrchestratorState>

/** Tries the step again, or asks a person. The same command is not sent once more if it has brought the same report twice. */
export function failStep(before: OrchestratorState, notes: Note[], context: HandlerContext): T {
  const failures = before.step.failures + 1
  const state: OrchestratorState = {
    ...before,
    command: null,
    failures: before.failures + 1,
    step: { ...before.step, failures, failure: context.seq },
  }
  const { max_retries_per_step } = context.brief.settings
  const guard =
    failures > max_retries_per_step
      ? 'max_retries_per_step'
      : isRefused(state.seen, commandAction(state, context))
        ? 'repeated_command'
        : null
  if (guard === null) return { state: { ...state, phase: 'dispatching', by: context.seq }, notes }
  return askPerson(state, [...notes, guardNote(guard, failures, state, context.recall)], context)
}

/** Asks a person, because the evaluator may not replace the plan again. */
export function refuseReplan(state: OrchestratorState, notes: Note[], context: HandlerContext): T {
  const note = guardNote('max_replans', state.plan.replans, state, context.recall)
  return askPerson({ ...state, command: null }, [...notes, note], context)
}
