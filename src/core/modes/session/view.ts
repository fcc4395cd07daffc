/** The view of a session: its plan with the states of its steps, the last thought, the answer, its progress (S4-16). */
import { openQuestion } from '../conversation/call-loop.ts'
import { callAt } from '../conversation/calls.ts'
import { refusalText } from '../conversation/entry.ts'
import type { Brief, EventOf, Recall } from '../../terms/effect.ts'
import { briefOf, type ItemEnding, type ViewContext, type ModeView, type Progress } from '../../mode/mode.ts'
import { ASK_USER } from '../../mode/ask-user.ts'
import { itemId } from '../plan/items.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import { roundsOf } from './detector.ts'
import { currentItem, finishedCount } from '../plan/plan.ts'
import { itemStatus, planProgress, planView, type ItemViews } from '../plan/view.ts'
import { replyWithNews } from './marks.ts'
import { GONE_STEPS, stepsOf, stepTitles } from './plan.ts'
import { endingProblem } from './problems.ts'
import { requestAt, isAside, replyAt } from './replies.ts'
import { planOf, type SessionPlan, type SessionState } from './state.ts'
import { summaryOf } from './summary.ts'
import { decisionOf } from './turn.ts'
import { SHOWN_CHARS } from '../conversation/replies.ts'

const NO_PLAN = { revision: 0, cursor: 0, source: 'declared', items: [], finished: [], finished_count: 0 }

export function viewOf(state: SessionState, context: ViewContext): ModeView {
  const { recall, thought_row } = context
  const brief = briefOf(recall)
  return {
    plan: state.plan === null ? NO_PLAN : viewOfPlan(state, state.plan, context, brief),
    thought: thought_row === null ? null : thoughtAt(state, recall, thought_row),
    question: openQuestion(state, recall),
    result: resultOf(state, recall, brief, context.paused),
    verdict: verdictOf(state, recall),
    settled: settledSteps(state, recall, brief),
  }
}

/** What the answer says of the goal: a mark that it is done, or a line that says what is not. A reply that is no answer reaches nothing. */
function verdictOf(state: SessionState, recall: Recall): ModeView['verdict'] {
  const { phase, ending } = state
  if (phase !== 'ended' || ending === null) return null
  const brief = briefOf(recall)
  const { verdict, says_done, says_reached } = replyWithNews(state, ending, recall)
  if (verdict !== null) return verdict
  const reason = endingProblem(state, { brief, recall })
  if (reason !== null) return { outcome: (planOf(state)?.cursor ?? 0) > 0 ? 'partial' : 'not_done', reason }
  return (brief.settings.strict_replies ? says_done : says_reached) ? { outcome: 'done', reason: '' } : null
}

/**
 * The open steps that the answer has settled: all, if it says that all is done, and else the current one, if there are results for
 * it. An answer without tools is about no step of the earlier plan, and replies that are read strictly say nothing of steps (R22).
 */
function settledSteps(state: SessionState, recall: Recall, brief: Brief): string[] {
  const { phase, plan: latest } = state
  if (phase !== 'ended' || latest === null) return []
  const plan = planOf(state)
  if (plan !== null && endingProblem(state, { brief, recall }) !== null) return []
  const { settings } = brief
  const open = latest.items.slice(latest.cursor).map(([number]) => itemId(stepsOf(latest), number))
  const isAll = plan === null || settings.strict_replies || verdictOf(state, recall)?.outcome === 'done'
  return isAll ? open : open.slice(0, plan.spent > 0 ? 1 : 0)
}

/** The states and the results of the steps. `problem`: why the current step was left, if the run ended without an answer. */
function stepViews(
  plan: SessionPlan,
  recall: Recall,
  brief: Brief,
  { ended, problem }: { ended: ItemEnding | null; problem: string | null },
): ItemViews {
  const titles = stepTitles(plan, recall)
  return {
    stateOf(index) {
      const total = roundsOf(titles[index] ?? '', brief.settings)
      const isCurrent = index === plan.cursor
      const [spent, actions] = plan.efforts[index] ?? [isCurrent ? plan.spent : 0, null]
      return {
        status: itemStatus(plan, index, plan.cursor, ended),
        result: actions?.map((row) => actionAt(recall, row)).join('; ') ?? (isCurrent ? problem : null),
        progress: { current: Math.min(spent, total), total },
      }
    },
    goneResult: ([, row]) => (row === null ? null : endingAt(recall, row)),
    gone: GONE_STEPS,
  }
}

function viewOfPlan(state: SessionState, plan: SessionPlan, context: ViewContext, brief: Brief): ModeView['plan'] {
  const { recall, ended } = context
  const problem = plan.asked === state.asked ? endingProblem(state, { brief, recall }) : null
  const views = stepViews(plan, recall, brief, { ended: isOver(state, plan) ? null : ended, problem })
  return {
    ...planView(stepsOf(plan), plan, recall, plan.template === null ? 'declared' : 'template', views),
    id: `plan_${recall(plan.created).at}`,
    goal: requestAt(recall, plan.asked),
    status: planStatus(state, plan, context),
    iteration_count: plan.iterations,
  }
}

/** Whether the run of the plan has ended. Then the plan is completed, even if steps of it are not (R22). */
const isOver = (state: SessionState, plan: SessionPlan) => state.phase === 'ended' || plan.asked !== state.asked

function planStatus(
  state: SessionState,
  plan: SessionPlan,
  { ended, paused: isPaused }: ViewContext,
): ModeView['plan']['status'] {
  if (isOver(state, plan)) return 'completed'
  if (ended !== null) return 'failed'
  if (isPaused) return 'paused'
  return plan.items.length > 0 && currentItem(plan) === null ? 'completed' : 'running'
}

/** The row that completed a step of an earlier plan: a reply, or the last action of the step. */
const endingAt = (recall: Recall, row: number): string =>
  recall(row).event.kind === 'model_replied'
    ? cut(replyAt(recall, row).visible_text, SHOWN_CHARS)
    : actionAt(recall, row)

const ACTION_CHARS = 160

/** One action in short, for the result of a step. */
function actionAt(recall: Recall, row: number): string {
  const { effect, event } = recall(row)
  if (event.kind === 'approval_answered') return withheldAt(recall, event)
  if (event.kind === 'user_answered') return cut(`${ASK_USER}: ${event.text}`, ACTION_CHARS)
  const tool = effect?.kind === 'run_tool' ? effect.tool : ''
  const text = event.kind === 'tool_returned' ? event.text : 'outcome unknown'
  return cut(`${tool}: ${text}`.replaceAll(/\s+/g, ' ').trim(), ACTION_CHARS)
}

function withheldAt(recall: Recall, { action, verdict, text }: EventOf<'approval_answered'>): string {
  const { tool } = action === null ? { tool: '' } : callAt(recall, action.by, action.call)
  return cut(`${tool}: ${refusalText('en', verdict, text)}`, ACTION_CHARS)
}

function thoughtAt({ kept }: SessionState, recall: Recall, row: number): ModeView['thought'] {
  const reply = replyAt(recall, row)
  const decision = isAside(recall(row))
    ? 'answer'
    : reply.calls.length === 0 && row !== kept
      ? 'done'
      : decisionOf(reply)
  return { phase: 'turn', decision, text: cut(reply.visible_text, SHOWN_CHARS), at: rfc3339(recall(row).at) }
}

/** The answer of an ended run, or of the side turn of a paused one. If the answer consists of marks only, the summary of the plan is shown. */
function resultOf(state: SessionState, recall: Recall, brief: Brief, isPaused: boolean): string | null {
  const row = state.phase === 'ended' ? state.ending : isPaused ? state.answer : null
  if (row === null) return null
  const { visible_text, verdict } = replyAt(recall, row)
  const kept = state.kept === null || row !== state.ending ? '' : replyAt(recall, state.kept).visible_text
  return visible_text || kept || verdict?.reason || summaryOf(state, recall, brief)
}

/** O4-08, O4-09: a handover begins with the summary. */
export function progressOf(state: SessionState, { recall }: { recall: Recall }): Progress {
  const brief = briefOf(recall)
  const last_failure = state.failed === null ? null : actionAt(recall, state.failed)
  const plan = planOf(state)
  if (plan === null) {
    const finished_count = state.plan === null ? 0 : finishedCount(state.plan)
    const summary = summaryOf(state, recall, brief)
    return { completed: [], remaining: [], open_count: 0, finished_count, last_failure, summary }
  }
  const views = stepViews(plan, recall, brief, { ended: null, problem: null })
  // What earlier runs have done is no progress of this one.
  const progress = planProgress(stepsOf(plan), { ...plan, gone: [] }, recall, views)
  const results = plan.items.map((_, index) => views.stateOf(index).result)
  return { ...progress, last_failure, summary: summaryOf(state, recall, brief, results) }
}
