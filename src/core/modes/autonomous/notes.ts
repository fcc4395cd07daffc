/** The events of this mode alone (O1-02): its start, and its end or pause. */
import type { Brief, Note, Recall } from '../../terms/effect.ts'
import type { IdleCause } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { EXPLORATION_STARTED, type AutonomousState } from './state.ts'
import { TASKS } from './replies.ts'
import { titlesOf } from '../plan/items.ts'
import { endOf } from '../plan/plan.ts'
import { titlesOfEnded } from './tasks.ts'

/** The first release whose staged runs announce that the program looks at the data. */
const ANNOUNCED_SINCE = 5

export function startNotes(task: string, { goal, settings, made_in }: Brief): Note[] {
  const announced = settings.agent_mode === 'staged' && made_in >= ANNOUNCED_SINCE
  return [
    { type: 'agent_started', payload: { session_id: task, user_request: goal, mode: settings.agent_mode } },
    ...(announced ? [EXPLORATION_STARTED] : []),
  ]
}

const ERROR_CHARS = 500

/** A run also completes at a limit, until it is continued (R15). A failure of the model or of its replies is an error (O1-10). */
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
  const { plan } = state
  const completed = titlesOfEnded(plan, 'completed', recall)
  const open_tasks = titlesOf(TASKS, plan, recall).filter((_, index) => endOf(plan, index) === null)
  const tasks_summary = { total: plan.items.length, completed: completed.length }
  return {
    type: 'agent_completed',
    payload: { iterations: state.turns, limit_reached, reason, tasks_summary, open_tasks },
  }
}
