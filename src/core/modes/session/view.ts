/** What a session shows: its plan with the states of its steps, the last thought, the answer, its progress (S4-16). */
import { callAt } from '../conversation/calls.ts'
import { refusalText } from '../conversation/entry.ts'
import type { Brief, EventOf, Recall } from '../../terms/effect.ts'
import { briefOf, type ViewContext, type ModeView, type Progress } from '../../mode/mode.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import { roundsOf } from './detector.ts'
import { currentItem } from '../plan/plan.ts'
import { itemStatus, planProgress, planView } from '../plan/view.ts'
import { completedSteps, stepsOf, stepTitles } from './plan.ts'
import { requestAt, isAside, replyAt } from './replies.ts'
import { planOf, type SessionPlan, type SessionState } from './state.ts'
import { summaryOf } from './summary.ts'
import { SHOWN_CHARS } from '../conversation/replies.ts'

const NO_PLAN = { revision: 0, cursor: 0, source: 'declared', items: [] }

export function viewOf(state: SessionState, known: ViewContext): ModeView {
  const { recall, thought_row } = known
  const brief = briefOf(recall)
  return {
    plan: state.plan === null ? NO_PLAN : viewOfPlan(state, state.plan, known, brief),
    thought: thought_row === null ? null : thoughtAt(recall, thought_row),
    question: null,
    result: resultOf(state, recall, brief, known.paused),
  }
}

function viewOfPlan(state: SessionState, plan: SessionPlan, known: ViewContext, brief: Brief): ModeView['plan'] {
  const { recall, ended } = known
  const titles = stepTitles(plan, recall)
  const ending = isOver(state, plan) ? null : ended
  return {
    ...planView(stepsOf(plan), plan, recall, plan.template === null ? 'declared' : 'template', (index) => {
      const total = roundsOf(titles[index] ?? '', brief.settings)
      const [spent, actions] = plan.efforts[index] ?? [index === plan.cursor ? plan.spent : 0, null]
      return {
        status: itemStatus(plan, index, plan.cursor, ending),
        result: actions === null ? null : actions.map((row) => actionAt(recall, row)).join('; '),
        progress: { current: Math.min(spent, total), total },
      }
    }),
    id: `plan_${recall(plan.created).at}`,
    goal: requestAt(recall, plan.asked),
    status: planStatus(state, plan, known),
    iteration_count: plan.iterations,
  }
}

/** A run that has ended leaves its plan completed, whatever states its steps have (R22). */
const isOver = (state: SessionState, plan: SessionPlan) => state.phase === 'ended' || plan.asked !== state.asked

function planStatus(
  state: SessionState,
  plan: SessionPlan,
  { ended, paused: held }: ViewContext,
): ModeView['plan']['status'] {
  if (isOver(state, plan)) return 'completed'
  if (ended !== null) return 'failed'
  if (held) return 'paused'
  return plan.items.length > 0 && currentItem(plan) === null ? 'completed' : 'running'
}

const ACTION_CHARS = 160

/** One action in short, as the result of a step has it. */
function actionAt(recall: Recall, row: number): string {
  const { effect, event } = recall(row)
  if (event.kind === 'approval_answered') return withheldAt(recall, event)
  const tool = effect?.kind === 'run_tool' ? effect.tool : ''
  const text = event.kind === 'tool_returned' ? event.text : 'outcome unknown'
  return cut(`${tool}: ${text}`.replaceAll(/\s+/g, ' ').trim(), ACTION_CHARS)
}

function withheldAt(recall: Recall, { action, verdict, text }: EventOf<'approval_answered'>): string {
  const { tool } = action === null ? { tool: '' } : callAt(recall, action.by, action.call)
  return cut(`${tool}: ${refusalText('en', verdict, text)}`, ACTION_CHARS)
}

function thoughtAt(recall: Recall, row: number): ModeView['thought'] {
  const said = replyAt(recall, row)
  const decision = isAside(recall(row)) ? 'answer' : said.calls.length === 0 ? 'done' : 'continue'
  return { phase: 'turn', decision, text: cut(said.visible_text, SHOWN_CHARS), at: rfc3339(recall(row).at) }
}

/** Of a run that has ended; while it rests, of the side turn. An answer of nothing but marks is told by the plan. */
function resultOf(state: SessionState, recall: Recall, brief: Brief, held: boolean): string | null {
  const row = state.phase === 'ended' ? state.ending : held ? state.answer : null
  return row === null ? null : replyAt(recall, row).visible_text || summaryOf(state, recall, brief)
}

/** O4-08, O4-09: the summary goes before everything else of a handover. */
export function progressOf(state: SessionState, { recall }: { recall: Recall }): Progress {
  const brief = briefOf(recall)
  const plan = planOf(state)
  const { completed, remaining } =
    plan === null ? { completed: [], remaining: [] } : planProgress(stepsOf(plan), plan, recall)
  return {
    completed,
    finished_count: completedSteps(state.plan),
    remaining,
    last_failure: state.failed === null ? null : actionAt(recall, state.failed),
    summary: summaryOf(state, recall, brief),
  }
}
