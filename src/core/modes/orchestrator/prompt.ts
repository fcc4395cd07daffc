/** The prompts of orchestrator: one per phase, in the language of the goal; pure functions of the state, kept as snapshots (S2-06, O2-02). */
import type { Recall } from '../../terms/effect.ts'
import { remarkAt, type Prompt, type PromptContext } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { localTime } from '../../workspace/zones.ts'
import { instructionAt } from './command.ts'
import { CHANGED, EDITED, REFUSED, systemOf, type PromptName } from './prompt-words.ts'
import { itemId, listItems, titlesOf } from '../plan/items.ts'
import { currentItem, isEdited } from '../plan/plan.ts'
import { remarksOf } from '../plan/remarks.ts'
import { replyError, reportAt, STEPS, stepOf } from './replies.ts'
import type { OrchestratorState } from './state.ts'
import { resultOf, totalsOf } from './totals.ts'
import { statusOf } from './view.ts'

/** Raise when the wording of any prompt changes. */
const VERSION = 1

/** Of a report the evaluator sees so much (O2-02). */
export const REPORT_CHARS = 3_000
export const REMARKS_CHARS = 50_000
/** Of what a step has brought, in the summary. */
export const RESULT_CHARS = 1_000
const INSTRUCTION_CHARS = 16_000

const NAMES: Partial<Record<OrchestratorState['phase'], PromptName>> = {
  planning: 'plan',
  evaluating: 'evaluate',
  summarizing: 'summary',
}

export function promptFor(state: OrchestratorState, context: PromptContext): Prompt {
  const name = NAMES[state.phase]
  if (name === undefined) throw new Error(`nothing is asked while ${state.phase}`)
  const { locale } = context.brief
  return {
    version: `orchestrator/${name}@${VERSION}`,
    messages: [
      { role: 'system', content: systemOf(name, locale) },
      { role: 'user', content: JSON.stringify({ ...shared(name, state, context), ...OF[name](state, context) }) },
    ],
  }
}

const OF: Record<PromptName, (state: OrchestratorState, context: PromptContext) => Record<string, unknown>> = {
  plan: planContext,
  evaluate: evaluationContext,
  summary: summaryContext,
}

function shared(phase: PromptName, state: OrchestratorState, { brief, head, recall, wall_ms }: PromptContext) {
  const { goal, locale, timezone } = brief
  const { used, max } = head.budget.steps
  const { refused } = state
  const remarks = remarksOf(state, recall, REMARKS_CHARS)
  const flaw = refused === null ? {} : { warning: REFUSED[locale](replyError(recall, refused)) }
  const time = { local_time: localTime(wall_ms, timezone), timezone }
  return { phase, goal, locale, ...time, step_count: used, max_steps: max, remarks, ...flaw }
}

/** While the plan is made again: how it stands, and what the user wants changed about it. */
function planContext({ plan, change }: OrchestratorState, { brief, recall }: PromptContext) {
  if (change === null) return {}
  const steps = plan.items.map((item) => stepOf(recall, plan, item))
  return { plan: steps, requested_change: remarkAt(recall, change), note: CHANGED[brief.locale] }
}

function evaluationContext(state: OrchestratorState, { brief, recall }: PromptContext) {
  const { plan, step } = state
  const item = currentItem(plan)
  if (item === null || step.report === null) throw new Error('there is no report to be judged')
  const { settings, locale } = brief
  const list = listItems(STEPS, plan.items, recall).map((one, index) => ({ ...one, status: statusOf(state, index) }))
  return {
    completed: list.filter(({ status }) => status === 'completed').map(({ title }) => title),
    plan: list,
    cursor: plan.cursor,
    current_item: { id: itemId(STEPS, item[0]), ...stepOf(recall, plan, item) },
    attempt: step.failures + 1,
    retries_left: Math.max(0, settings.max_retries_per_step - step.failures),
    replans_left: Math.max(0, settings.max_replans - plan.replans),
    instruction: step.instruction === null ? null : cut(instructionAt(recall, step.instruction), INSTRUCTION_CHARS),
    report: reportContext(step.report, recall),
    remaining: titlesOf(STEPS, plan, recall).slice(plan.cursor + 1),
    ...(isEdited(plan, recall) ? { note: EDITED[locale] } : {}),
  }
}

function reportContext(row: number, recall: Recall) {
  const { status, session_id, results, pitfalls, next_steps, text } = reportAt(recall, row)
  const short = (part: string | null) => (part === null ? null : cut(part, REPORT_CHARS))
  const parts = { results: short(results), pitfalls: short(pitfalls), next_steps: short(next_steps) }
  return { status, session_id, ...parts, text: cut(text, REPORT_CHARS) }
}

function summaryContext(state: OrchestratorState, { recall }: PromptContext) {
  const steps = titlesOf(STEPS, state.plan, recall).map((title, index) => {
    const result = resultOf(state, index, recall)
    return {
      title,
      status: statusOf(state, index),
      result: result === null ? null : cut(result, RESULT_CHARS),
    }
  })
  return { steps, totals: totalsOf(state) }
}
