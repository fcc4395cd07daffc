/** What a session shows: its plan with the states of its steps, the last thought, the answer, its progress (S4-16). */
import { callAt } from '../conversation/calls.ts'
import { refusalText } from '../conversation/entry.ts'
import type { Brief, EventOf, Recall } from '../../terms/effect.ts'
import { briefOf, type ViewContext, type ModeView, type Progress } from '../../mode/mode.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import type { ItemStatus, PlanItem } from '../../terms/view.ts'
import { roundsOf } from './detector.ts'
import { detailsOf, titlesOf } from './plan.ts'
import { askedIn, isAside, saidAt } from './said.ts'
import { cursorOf, itemId, planOf, type SessionPlan, type SessionState } from './state.ts'
import { summaryOf } from './summary.ts'
import { SHOWN_CHARS } from './turn.ts'

const NO_PLAN = { revision: 0, cursor: 0, source: 'declared', items: [] }

export function viewOf(state: SessionState, known: ViewContext): ModeView {
  const { recall, thought_row } = known
  const brief = briefOf(recall)
  return {
    plan: state.plan === null ? NO_PLAN : planView(state, state.plan, known, brief),
    thought: thought_row === null ? null : thoughtAt(recall, thought_row),
    question: null,
    result: resultOf(state, recall, brief, known.paused),
  }
}

function planView(state: SessionState, plan: SessionPlan, known: ViewContext, brief: Brief): ModeView['plan'] {
  const { recall } = known
  const titles = titlesOf(plan, recall, brief)
  return {
    revision: plan.revision,
    cursor: cursorOf(plan),
    source: plan.edited !== undefined ? 'edit' : plan.template === null ? 'declared' : 'template',
    items: titles.map((title, index) => itemView(state, plan, { title, index }, known, brief)),
    id: `plan_${recall(plan.row).at}`,
    goal: askedIn(recall, plan.asked),
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
  return plan.steps.length > 0 && itemId(plan, cursorOf(plan)) === null ? 'completed' : 'running'
}

interface Step {
  title: string
  index: number
}

function itemView(state: SessionState, plan: SessionPlan, step: Step, known: ViewContext, brief: Brief): PlanItem {
  const { title, index } = step
  const total = roundsOf(title, brief.settings)
  const [, spent, actions] = plan.done[index] ?? [0, index === cursorOf(plan) ? plan.spent : 0, null]
  return {
    id: itemId(plan, index) ?? '',
    title,
    ...detailsOf(plan, index, known.recall),
    status: stepStatus(state, plan, index, known),
    result: actions === null ? null : actions.map((row) => actionAt(known.recall, row)).join('; '),
    progress: { current: Math.min(spent, total), total },
  }
}

function stepStatus(state: SessionState, plan: SessionPlan, index: number, { ended }: ViewContext): ItemStatus {
  const cursor = cursorOf(plan)
  if (index < cursor) return 'completed'
  if (ended === null || isOver(state, plan)) return index === cursor ? 'running' : 'pending'
  return index === cursor ? ended.current : ended.later
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
  const said = saidAt(recall, row)
  const decision = isAside(recall(row)) ? 'answer' : said.calls.length === 0 ? 'done' : 'continue'
  return { phase: 'turn', decision, text: cut(said.visible_text, SHOWN_CHARS), at: rfc3339(recall(row).at) }
}

/** Of a run that has ended; while it rests, of the side turn. An answer of nothing but marks is told by the plan. */
function resultOf(state: SessionState, recall: Recall, brief: Brief, held: boolean): string | null {
  const row = state.phase === 'ended' ? state.ending : held ? state.answer : null
  return row === null ? null : saidAt(recall, row).visible_text || summaryOf(state, recall, brief)
}

/** O4-08, O4-09: the summary goes before everything else of a handover. */
export function progressOf(state: SessionState, { recall }: { recall: Recall }): Progress {
  const brief = briefOf(recall)
  const plan = planOf(state)
  const titles = plan === null ? [] : titlesOf(plan, recall, brief)
  const cursor = plan === null ? 0 : cursorOf(plan)
  return {
    completed: titles.slice(0, cursor),
    finished_count: state.finished,
    remaining: titles.slice(cursor),
    last_failure: state.failed === null ? null : actionAt(recall, state.failed),
    summary: summaryOf(state, recall, brief),
  }
}
