/** How a task goes on: after a pause, after a top-up of what stopped it, or after an end that it may leave (U9, U14). */
import { applyToMode, isReopenedBy, type ModeTransition } from './apply-event-to-mode.ts'
import { attemptsNote, raiseBudget, toStoredGrant } from './grants.ts'
import { limitsOf } from './limits.ts'
import { listsAfterStop } from './tools/tool-lists.ts'
import type { HandlerContext } from '../mode/mode.ts'
import type { AnyMode } from '../modes/index.ts'
import { isStepBudgetSpent, originalGrant } from '../terms/budget.ts'
import type { EventOf, Note } from '../terms/effect.ts'
import { NO_STREAK, raiseStreak, streakAfterEnd, type Streak } from '../terms/failure-streak.ts'
import type { Head } from '../terms/head.ts'
import { exhaustedAxis } from '../terms/pause-reason.ts'

export function resume(head: Head, mode: AnyMode, event: EventOf<'resumed'>, context: HandlerContext): ModeTransition {
  if (isReopenedBy(head, event)) return reopen(head, mode, event, attemptsOf(head, mode, context), context)
  // The task may have ended, or gone on, since the input was sent.
  if (head.end !== null || head.pause_reason === null) return { state: head.state, notes: [], head: {} }
  const { mode: name, settings } = context.brief
  const axis = exhaustedAxis(head.pause_reason)
  const add = event.grant && axis !== null ? originalGrant(axis, limitsOf(name, settings)) : {}
  const raised = raiseBudget(head, mode.counter, add)
  const transition = applyToMode(mode, head.state, event, context)
  const notes: Note[] = [...raised.notes, { type: 'task_resumed', payload: {} }, ...transition.notes]
  return {
    ...transition,
    notes,
    head: {
      ...raised.head,
      pause_reason: null,
      retry_at: null,
      streak: forgiven(head),
      given_up: [],
      lists: listsAfterStop(head, context.recall),
    },
  }
}

/** A resume forgives the failures so far. Attempts that were added, and are not used up, stay as they are. */
const forgiven = ({ streak, pause_reason }: Head): Streak =>
  streak.max === null || pause_reason?.kind === 'model_unavailable' ? NO_STREAK : streak

/** How many failures in a row a mode allows in the current phase. */
const attemptsOf = ({ state }: Head, mode: AnyMode, { brief }: HandlerContext): number =>
  mode.failure_limit(state.phase, brief.settings)

/** Lets a task go on that has ended because of the replies of its model. It may fail `attempts` times more in a row. */
function reopen(
  head: Head,
  mode: AnyMode,
  event: EventOf<'resumed'>,
  attempts: number,
  context: HandlerContext,
): ModeTransition {
  const transition = applyToMode(mode, head.state, event, context)
  const notes: Note[] = [{ type: 'task_resumed', payload: {} }, ...transition.notes]
  return {
    ...transition,
    notes,
    head: { end: null, streak: streakAfterEnd(attempts), given_up: [], lists: listsAfterStop(head, context.recall) },
  }
}

/**
 * Raises the budget, or the attempts of the current streak. The task goes on if what stopped it is raised: a spent axis, or the
 * attempts (POST /tasks/{id}/budget in openapi.yaml).
 */
export function topUp(
  head: Head,
  mode: AnyMode,
  event: EventOf<'budget_added'>,
  context: HandlerContext,
): ModeTransition {
  const { attempts, ...add } = toStoredGrant(mode.counter, event.add)
  const raised = raiseBudget(head, mode.counter, add)
  if (attempts !== undefined && isReopenedBy(head, event)) {
    const reopened = reopen(head, mode, { kind: 'resumed', grant: false, reopens: true }, attempts, context)
    const notes = [...raised.notes, attemptsNote(attempts, streakAfterEnd(attempts)), ...reopened.notes]
    return { ...reopened, notes, head: { ...raised.head, ...reopened.head } }
  }
  const streak =
    attempts === undefined ? head.streak : raiseStreak(head.streak, attemptsOf(head, mode, context), attempts)
  const added = { ...raised.head, streak }
  const addedNotes = attempts === undefined ? raised.notes : [...raised.notes, attemptsNote(attempts, streak)]
  if (!isRaised(head, raised, attempts)) return { state: head.state, notes: addedNotes, head: added }
  const transition = applyToMode(mode, head.state, { kind: 'resumed', grant: false }, context)
  const notes: Note[] = [...addedNotes, { type: 'task_resumed', payload: {} }, ...transition.notes]
  const lists = listsAfterStop(head, context.recall)
  return { ...transition, notes, head: { ...added, pause_reason: null, given_up: [], lists } }
}

/** Whether what paused the task was raised. */
function isRaised(
  { pause_reason }: Head,
  raised: ReturnType<typeof raiseBudget>,
  attempts: number | undefined,
): boolean {
  if (pause_reason?.kind === 'model_unavailable' || pause_reason?.kind === 'result_unmet') return attempts !== undefined
  const axis = exhaustedAxis(pause_reason)
  return axis !== null && raised.axes.includes(axis) && (axis !== 'steps' || !isStepBudgetSpent(raised.head.budget))
}
