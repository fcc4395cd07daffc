/** A turn of the model (S1-20…S1-23). The thought and the tasks of every reply are recorded (R13). Then tools are called, the run ends, or the model goes on. */
import { actingOn, actionStartedNote } from '../conversation/call-loop.ts'
import { ONE_ITERATION, SHOWN_CHARS } from '../conversation/replies.ts'
import type { Brief, EventOf, Note } from '../../terms/effect.ts'
import { expectEvent, type HandlerContext, type HandlerResult } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { cut } from '../../terms/text.ts'
import { errorOf } from './reply-errors.ts'
import { currentId, titlesOf } from '../plan/items.ts'
import { endOf, withEnds, type Plan } from '../plan/plan.ts'
import { isReportTask, reportRow, reportText } from './report.ts'
import { replyIn, TASKS, toolCalledByText, type TaggedReply } from './replies.ts'
import { onStageReply } from './stages.ts'
import type { AutonomousState } from './state.ts'
import { openTasks, openTitles, replaceTasks, taskNotes } from './tasks.ts'
import { reportNote, thoughtText } from './thought.ts'

type T = HandlerResult<AutonomousState>

/** The state names at most this many of the latest thoughts (S1-27). The journal has all of them. */
const THOUGHTS_MAX = 50

export function onReply(current: AutonomousState, event: EventOf<'model_replied'>, context: HandlerContext): T {
  const reply = replyIn(event, context.brief)
  const state = countTurn(current)
  const reason = errorOf(current, event, context)
  if (reason !== null) return { state, notes: [], failure: { kind: 'contract', reason }, counts: ONE_ITERATION }
  const content = takeContent({ ...state, idle: null, arrived: null }, reply, context)
  const notes = [thoughtNote(content, reply, context.brief), ...content.notes]
  const result =
    reply.calls.length > 0
      ? onCalls(content.state, reply, context)
      : onText(content.state, reply, current.idle, context)
  return { ...result, notes: [...notes, ...result.notes], counts: ONE_ITERATION }
}

/** A failed turn counts as a turn. */
export const onFailedTurn = (state: AutonomousState): T => ({
  state: countTurn(state),
  notes: [],
  counts: ONE_ITERATION,
})

const countTurn = (state: AutonomousState): AutonomousState => ({
  ...state,
  turns: state.turns + 1,
  task_turns: state.task_turns + 1,
})

/** Records the thought and the tasks of a reply. In a staged run the list belongs to the program, so the model cannot change it. */
function takeContent(
  state: AutonomousState,
  { tasks, thinking }: TaggedReply,
  { seq, recall }: HandlerContext,
): { state: AutonomousState; notes: Note[] } {
  const thoughts = thinking === null ? state.thoughts : pushBounded(state.thoughts, seq, THOUGHTS_MAX)
  if (tasks === null || state.stage !== 'free') return { state: { ...state, thoughts }, notes: [] }
  const next = replaceTasks(state.plan, tasks, seq, recall)
  return { state: { ...state, thoughts, plan: next }, notes: taskNotes(state.plan, next, 'llm', recall) }
}

/** O1-03: without a thought a short substitute is shown, which says so. */
function thoughtNote({ state }: { state: AutonomousState }, reply: TaggedReply, { locale }: Brief): Note {
  const thinking = cut(thoughtText(reply, locale), SHOWN_CHARS)
  return { type: 'llm_thinking', payload: { thinking, is_real: reply.thinking !== null, iteration: state.turns } }
}

function onCalls(state: AutonomousState, reply: TaggedReply, { seq, recall }: HandlerContext): T {
  const next: AutonomousState = { ...state, ...actingOn(seq, reply.calls) }
  return { state: next, notes: [actionStartedNote(next, recall, currentId(TASKS, next.plan))] }
}

function onText(state: AutonomousState, reply: TaggedReply, idle: AutonomousState['idle'], context: HandlerContext): T {
  if (state.stage !== 'free') return onStageReply(state, reply, context)
  const { recall, seq } = context
  const earlier = reportRow({ kept: state.kept, idle }, reply, recall)
  const reason = endingOf(state, reply, context)
  if (reason === null)
    return { state: { ...state, idle: seq, kept: reply.says_complete ? (earlier ?? seq) : state.kept }, notes: [] }
  const row = reply.report === '' ? (earlier ?? seq) : seq
  const plan = withReportTasks(state.plan, context)
  // Beside a text that only says what was not done, the state names the report.
  const kept = row === earlier || context.brief.settings.strict_replies ? state.kept : earlier
  const ended: AutonomousState = { ...state, plan, phase: 'ended', kept, ending: { row, reason } }
  return {
    state: ended,
    notes: [
      ...(plan === state.plan ? [] : taskNotes(state.plan, plan, 'system', recall)),
      reportNote(reportText(ended, recall) ?? ''),
    ],
    stop: { status: 'completed', reason: 'done' },
  }
}

/** The tasks that the report itself does are done with it. Replies that are read strictly tick every task themselves. */
function withReportTasks(plan: Plan, { brief, recall }: HandlerContext): Plan {
  if (brief.settings.strict_replies || openTasks(plan, recall).length === openTitles(plan, recall).length) return plan
  const titles = titlesOf(TASKS, plan, recall)
  // A report that only says that nothing could be done finishes nothing.
  const hasResults = titles.some((_title, index) => endOf(plan, index)?.[0] === 'completed')
  if (!hasResults && !titles.every(isReportTask)) return plan
  return withEnds(
    plan,
    titles.map((title, index) => endOf(plan, index) ?? (isReportTask(title) ? ['completed', null] : null)),
  )
}

/**
 * R15: the marker ends the run. While tasks are open it does so the second time only, because the model is told the first time.
 * Without a marker, text outside the blocks or a report that was kept ends it once every task is ticked (S1-36), unless the text is a call.
 */
function endingOf(
  { plan, kept }: AutonomousState,
  reply: TaggedReply,
  { brief, recall, seq }: HandlerContext,
): 'marker' | 'backup' | null {
  if (reply.says_complete)
    return kept !== null || brief.settings.strict_replies || openTasks(plan, recall).length === 0 ? 'marker' : null
  const open = kept === null ? openTitles(plan, recall) : openTasks(plan, recall)
  if (open.length > 0 || plan.row === null || (reply.report === '' && kept === null)) return null
  return toolCalledByText(expectEvent(recall(seq), 'model_replied'), brief) === null ? 'backup' : null
}
