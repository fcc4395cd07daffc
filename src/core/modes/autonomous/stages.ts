/**
 * The staged variant, in which the program decides what comes next (S1-63). It looks at the data, and then asks the model for a
 * plan, for each task, and for the report. The model only does what the stage asks for.
 */
import { callsAt } from '../conversation/calls.ts'
import type { Note, Recall } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { titleOf } from '../plan/items.ts'
import { currentItem, type ItemEnd } from '../plan/plan.ts'
import { TASKS, type TaggedReply } from './replies.ts'
import { NEW_TASK, type AutonomousState } from './state.ts'
import { endTask, replaceTasks, taskNotes } from './tasks.ts'
import { reportNote } from './thought.ts'

/** The most turns of one task. After them the task has failed, and the next one begins. */
const TASK_TURNS_MAX = 8

type T = HandlerResult<AutonomousState>

export const startPlanning = (state: AutonomousState): AutonomousState => ({
  ...state,
  phase: 'turning',
  stage: 'plan',
})

/** Handles a reply without calls, which is the result of its stage. */
export function onStageReply(state: AutonomousState, reply: TaggedReply, context: HandlerContext): T {
  switch (state.stage) {
    case 'plan':
      return onPlan(state, reply, context)
    case 'report':
      return onReport(state, reply, context)
    default:
      return onTaskOver(state, reply, context)
  }
}

function onPlan(state: AutonomousState, { tasks }: TaggedReply, { seq, recall }: HandlerContext): T {
  const tasks_to_do = (tasks ?? []).map(({ name }) => ({ name, done: false }))
  const next = replaceTasks(state.plan, tasks_to_do, seq, recall)
  const notes = taskNotes(state.plan, next, 'system', recall)
  return { state: { ...state, plan: next, stage: 'execute', ...NEW_TASK }, notes }
}

function onReport(state: AutonomousState, reply: TaggedReply, { seq }: HandlerContext): T {
  return {
    state: { ...state, phase: 'ended', ending: { row: seq, reason: 'stages' } },
    notes: [reportNote(reply.report)],
    stop: { status: 'completed', reason: 'done' },
  }
}

/** S1-15: a task is done if its last action did not fail. A tick of the model, or a missing one, decides first. */
function onTaskOver(state: AutonomousState, reply: TaggedReply, { recall, seq }: HandlerContext): T {
  const { plan, stuck } = state
  const item = currentItem(plan)
  const title = item === null ? '' : titleOf(TASKS, item, recall)
  const verdict = reply.tasks?.find(({ name }) => name === title)?.done
  return endCurrentTask(state, (verdict ?? !stuck) ? 'completed' : 'failed', seq, recall)
}

/** After the calls of a reply: a task that has used up its turns has failed. */
export function afterCalls(
  state: AutonomousState,
  { recall, seq }: Pick<HandlerContext, 'recall' | 'seq'>,
): { state: AutonomousState; notes: Note[] } {
  const { stage, task_turns } = state
  if (stage !== 'execute' || task_turns < TASK_TURNS_MAX) return { state, notes: [] }
  const end = endCurrentTask(state, 'failed', seq, recall)
  const calls = state.by === null ? [] : callsAt(recall, state.by)
  const evidence = calls.map(({ name }) => name).join(', ')
  const guard: Note = { type: 'loop_guard', payload: { guard: 'task_turns', count: task_turns, evidence } }
  return { state: end.state, notes: [guard, ...end.notes] }
}

/** Ends the current task and begins the next one. After the last one the report is asked for. */
function endCurrentTask(
  state: AutonomousState,
  how: ItemEnd[0],
  row: number,
  recall: Recall,
): { state: AutonomousState; notes: Note[] } {
  const { plan } = state
  if (plan.row === null) return { state: startPlanning(state), notes: [] }
  const next = endTask(plan, how, row)
  const stage = currentItem(next) === null ? 'report' : 'execute'
  return { state: { ...state, plan: next, stage, ...NEW_TASK }, notes: taskNotes(plan, next, 'system', recall) }
}
