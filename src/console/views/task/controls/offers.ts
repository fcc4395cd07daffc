/** What can be done to a task as it stands: only what makes sense in its status is offered. */
import { isOver } from '../../../api/live.ts'
import type { TaskView } from '../../../api/wire.ts'
import { exhaustedAxis } from '../../../parts/stop-words.ts'

/**
 * What becomes of a text: a `remark` on a task that goes on, one that is `kept` until the report, that goes on with it (`resuming`), that
 * waits for more budget (`shelved`), a question `beside` the plan of a session, its `next` run; beside an open question a `command` only.
 */
export type Saying = 'remark' | 'kept' | 'resuming' | 'shelved' | 'beside' | 'next' | 'command'
export interface Offers {
  step: boolean
  say: Saying | null
  pause: boolean
  resume: boolean
  cancel: boolean
}
type Seen = Pick<TaskView, 'status' | 'drive' | 'mode' | 'stop_reason'>

export function offersOf(task: Seen): Offers {
  const goes = task.status === 'running' || task.status === 'queued'
  return {
    // The service drives a background task itself.
    step: goes && task.drive === 'manual',
    say: sayingOf(task),
    pause: goes || task.status === 'waiting_external',
    // A spent budget is granted by "continue" or a top-up, never by a resume (U14).
    resume: task.status === 'paused' && exhaustedAxis(task.stop_reason) === null,
    cancel: !isOver(task),
  }
}

function sayingOf({ status, mode, stop_reason }: Seen): Saying | null {
  switch (status) {
    case 'queued':
    case 'running':
      return 'remark'
    case 'waiting_external':
      return 'kept'
    case 'input_required':
      return 'command'
    case 'paused':
      if (mode === 'session') return 'beside'
      return exhaustedAxis(stop_reason) === null ? 'resuming' : 'shelved'
    case 'completed':
      return mode === 'session' ? 'next' : null
    case 'failed':
    case 'canceled':
      return null
  }
}
