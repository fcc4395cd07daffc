/** A turn of the model (S1-20…S1-23): its thought and its tasks are taken from every reply (R13); then it has tools called, ends, or goes on. */
import { actingOn, startedNote } from '../conversation/call-loop.ts'
import { COUNTED, SHOWN_CHARS } from '../conversation/replies.ts'
import type { Brief, EventOf, Note } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { cut } from '../../terms/text.ts'
import { replyError } from './reply-errors.ts'
import { currentId } from '../plan/items.ts'
import { hasEnded } from '../plan/plan.ts'
import { replyAt, replyIn, TASKS, type TaggedReply } from './replies.ts'
import { onStageReply } from './stages.ts'
import type { AutonomousState } from './state.ts'
import { replaceTasks, taskNotes } from './tasks.ts'
import { reportNote, thoughtText } from './thought.ts'

type T = HandlerResult<AutonomousState>

/** Latest thoughts that are kept at hand (S1-27); the journal has them all. */
const THOUGHTS_MAX = 50

export function onReply(before: AutonomousState, event: EventOf<'model_replied'>, context: Context): T {
  const said = replyIn(event)
  const state = turned(before)
  const reason = replyError(before, said)
  if (reason !== null) return { state, notes: [], failure: { kind: 'contract', reason }, counts: COUNTED }
  const taken = takenIn({ ...state, idle: null }, said, context)
  const notes = [thoughtNote(taken, said, context.brief), ...taken.notes]
  const turn =
    said.calls.length > 0 ? onCalls(taken.state, said, context) : onText(taken.state, said, before.idle, context)
  return { ...turn, notes: [...notes, ...turn.notes], counts: COUNTED }
}

/** A turn that came to nothing is one all the same. */
export const onFailedTurn = (state: AutonomousState): T => ({ state: turned(state), notes: [], counts: COUNTED })

const turned = (state: AutonomousState): AutonomousState => ({
  ...state,
  turns: state.turns + 1,
  task_turns: state.task_turns + 1,
})

/** The list of the program itself is not the model's to change. */
function takenIn(
  state: AutonomousState,
  { tasks, thinking }: TaggedReply,
  { seq, recall }: Context,
): { state: AutonomousState; notes: Note[] } {
  const thoughts = thinking === null ? state.thoughts : pushBounded(state.thoughts, seq, THOUGHTS_MAX)
  if (tasks === null || state.stage !== 'free') return { state: { ...state, thoughts }, notes: [] }
  const next = replaceTasks(state.plan, tasks, seq, recall)
  return { state: { ...state, thoughts, plan: next }, notes: taskNotes(state.plan, next, 'llm', recall) }
}

/** O1-03: without a thought a short one is made up, and says so. */
function thoughtNote({ state }: { state: AutonomousState }, said: TaggedReply, { locale }: Brief): Note {
  const thinking = cut(thoughtText(said, locale), SHOWN_CHARS)
  return { type: 'llm_thinking', payload: { thinking, is_real: said.thinking !== null, iteration: state.turns } }
}

function onCalls(state: AutonomousState, said: TaggedReply, { seq, recall }: Context): T {
  const next: AutonomousState = { ...state, ...actingOn(seq, said.calls) }
  return { state: next, notes: [startedNote(next, recall, currentId(TASKS, next.plan))] }
}

function onText(state: AutonomousState, said: TaggedReply, idle: AutonomousState['idle'], context: Context): T {
  if (state.stage !== 'free') return onStageReply(state, said, context)
  const reason = endingOf(state, said)
  if (reason === null) return { state: { ...state, idle: context.seq }, notes: [] }
  // A marker on its own is about what was said just before.
  const row = said.report === '' ? (idle ?? context.seq) : context.seq
  return {
    state: { ...state, phase: 'ended', ending: { row, reason } },
    notes: [reportNote(replyAt(context.recall, row))],
    stop: { status: 'completed', reason: 'done' },
  }
}

/** R15: the marker ends; where it was forgotten, words beyond the blocks do once every task is ticked (S1-36). */
function endingOf({ plan }: AutonomousState, { says_complete, report }: TaggedReply): 'marker' | 'backup' | null {
  if (says_complete) return 'marker'
  const allDone = plan.row !== null && plan.items.every((_, index) => hasEnded(plan, index, 'completed'))
  return allDone && report !== '' ? 'backup' : null
}
