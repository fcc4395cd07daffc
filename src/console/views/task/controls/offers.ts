/** Decides which controls a task offers in its status. */
import { hasEnded } from '../../../api/live-state.ts'
import { traitsOf } from '../../../api/mode-traits.ts'
import type { TaskView } from '../../../api/wire.ts'
import { exhaustedAxis } from '../../../parts/stop-reasons.ts'

/** What becomes of a text that is sent to the task. */
export type InputUse =
  | 'remark'
  /** The task reads the remark when the report of a worker is there. */
  | 'remark_for_report'
  /** The remark lets a paused task go on. */
  | 'remark_and_resume'
  /** The remark waits until the task has budget again. */
  | 'remark_for_budget'
  /** The remark waits until the task begins. */
  | 'remark_for_start'
  /** The text is answered while the plan stays paused. */
  | 'side_turn'
  /** The text begins the next run. */
  | 'next_run'
  /** While a question is open, only a slash command is taken. */
  | 'command'
export interface Offers {
  step: boolean
  input: InputUse | null
  pause: boolean
  resume: boolean
  cancel: boolean
}
type OfferFacts = Pick<TaskView, 'status' | 'drive' | 'mode' | 'stop_reason'>

export function offersOf(task: OfferFacts): Offers {
  const isActive = task.status === 'running' || task.status === 'queued'
  return {
    // The service drives a background task itself.
    step: isActive && task.drive === 'manual',
    input: inputUseOf(task),
    pause: isActive || task.status === 'waiting_external',
    resume: mayResume(task),
    cancel: !hasEnded(task),
  }
}

/** A spent budget is granted again by "continue" or a top-up, never by a resume (U14). Failed attempts are forgiven by one (U9). */
const mayResume = ({ status, stop_reason }: OfferFacts): boolean =>
  status === 'paused' ? exhaustedAxis(stop_reason) === null : stop_reason === 'contract_failures'

function inputUseOf({ status, mode, stop_reason }: OfferFacts): InputUse | null {
  switch (status) {
    case 'queued':
    case 'running':
      return 'remark'
    case 'waiting_external':
      return 'remark_for_report'
    case 'input_required':
      return 'command'
    case 'paused':
      if (stop_reason === 'held') return 'remark_for_start'
      if (traitsOf(mode).takesSideTurns) return 'side_turn'
      return exhaustedAxis(stop_reason) === null ? 'remark_and_resume' : 'remark_for_budget'
    case 'completed':
      return traitsOf(mode).reopens ? 'next_run' : null
    case 'failed':
    case 'canceled':
      return null
  }
}
