/**
 * The variant in which the program decides what comes next (S1-63): it looks at the data, has tasks planned, has each worked off, and has
 * the report written. The model only does what the stage asks for.
 */
import { callsAt } from '../conversation/calls.ts'
import type { Note, Recall } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { titleOf } from '../plan/items.ts'
import { currentItem, type ItemEnd } from '../plan/plan.ts'
import { TASKS, type TaggedReply } from './replies.ts'
import { NEW_TASK, type AutonomousState } from './state.ts'
import { endTask, replaceTasks, taskNotes } from './tasks.ts'
import { reportNote } from './thought.ts'

/** Turns one task may take; then it has failed, and the next one is begun. */
const TASK_TURNS_MAX = 8

type T = HandlerResult<AutonomousState>

export const startPlanning = (state: AutonomousState): AutonomousState => ({
  ...state,
  phase: 'turning',
  stage: 'plan',
})

/** A reply without calls is what its stage asks for. */
export function onStageReply(state: AutonomousState, said: TaggedReply, context: Context): T {
  switch (state.stage) {
    case 'plan':
      return onPlan(state, said, context)
    case 'report':
      return onReport(state, said, context)
    default:
      return onTaskOver(state, said, context)
  }
}

function onPlan(state: AutonomousState, { tasks }: TaggedReply, { seq, recall }: Context): T {
  const open = (tasks ?? []).map(({ name }) => ({ name, done: false }))
  const next = replaceTasks(state.plan, open, seq, recall)
  const notes = taskNotes(state.plan, next, 'system', recall)
  return { state: { ...state, plan: next, stage: 'execute', ...NEW_TASK }, notes }
}

function onReport(state: AutonomousState, said: TaggedReply, { seq }: Context): T {
  return {
    state: { ...state, phase: 'ended', ending: { row: seq, reason: 'stages' } },
    notes: [reportNote(said)],
    stop: { status: 'completed', reason: 'done' },
  }
}

/** S1-15: done is what did not fail last, unless the model itself leaves it unticked. */
function onTaskOver(state: AutonomousState, said: TaggedReply, { recall }: Context): T {
  const { plan, stuck } = state
  const item = currentItem(plan)
  const title = item === null ? '' : titleOf(TASKS, item, recall)
  const verdict = said.tasks?.find(({ name }) => name === title)?.done
  return ended(state, (verdict ?? !stuck) ? 'completed' : 'failed', recall)
}

/** Behind the calls of a reply: a task that has had its turns is over. */
export function afterCalls(state: AutonomousState, recall: Recall): { state: AutonomousState; notes: Note[] } {
  const { stage, task_turns } = state
  if (stage !== 'execute' || task_turns < TASK_TURNS_MAX) return { state, notes: [] }
  const over = ended(state, 'failed', recall)
  const calls = state.by === null ? [] : callsAt(recall, state.by)
  const evidence = calls.map(({ name }) => name).join(', ')
  const guard: Note = { type: 'loop_guard', payload: { guard: 'task_turns', count: task_turns, evidence } }
  return { state: over.state, notes: [guard, ...over.notes] }
}

/** With the next task; behind the last one the report is asked for. */
function ended(state: AutonomousState, how: ItemEnd[0], recall: Recall): { state: AutonomousState; notes: Note[] } {
  const { plan } = state
  if (plan.row === null) return { state: startPlanning(state), notes: [] }
  const next = endTask(plan, how)
  const stage = currentItem(next) === null ? 'report' : 'execute'
  return { state: { ...state, plan: next, stage, ...NEW_TASK }, notes: taskNotes(plan, next, 'system', recall) }
}
