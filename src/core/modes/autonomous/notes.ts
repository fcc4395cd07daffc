/** Events of this mode's own (O1-02): that it has started, and how it came to rest. */
import type { Brief, Note, Recall } from '../../terms/effect.ts'
import type { IdleCause } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import type { AutonomousState } from './state.ts'
import { TASKS } from './replies.ts'
import { planProgress } from '../plan/view.ts'

export const startNotes = (task: string, { goal, settings }: Brief): Note[] => [
  { type: 'agent_started', payload: { session_id: task, user_request: goal, mode: settings.agent_mode } },
]

const ERROR_CHARS = 500

/** At a limit it has come to an end too, for now (R15); a failure of the model, or of its replies, is an error (O1-10). */
export function idleNotes(
  state: AutonomousState,
  { kind, reason, pause_reason, failure }: IdleCause,
  recall: Recall,
): Note[] {
  if (kind === 'completed') return [completionNote(state, false, state.ending?.reason ?? reason, recall)]
  if (pause_reason?.kind === 'budget') return [completionNote(state, true, reason, recall)]
  if (kind !== 'failed' && pause_reason?.kind !== 'model_unavailable') return []
  return [{ type: 'agent_error', payload: { error: cut(failure ?? reason, ERROR_CHARS), phase: state.phase } }]
}

function completionNote(state: AutonomousState, limit_reached: boolean, reason: string, recall: Recall): Note {
  const { completed, remaining: open_tasks } = planProgress(TASKS, state.plan, recall)
  const tasks_summary = { total: state.plan.items.length, completed: completed.length }
  return {
    type: 'agent_completed',
    payload: { iterations: state.turns, limit_reached, reason, tasks_summary, open_tasks },
  }
}
