/**
 * The prompts of orchestrator, in the language of the goal. They are pure functions of the state, tested by snapshots (S2-06, O2-02).
 * The system message is the same for the whole task, and the user message begins with what stays, so that consecutive requests
 * share their beginning.
 */
import type { Recall } from '../../terms/effect.ts'
import { expectEvent, type Prompt, type PromptContext } from '../../mode/mode.ts'
import { correctionOf } from '../../mode/correction.ts'
import { repeatedTimes } from '../../mode/repeat-guard.ts'
import { cut } from '../../terms/text.ts'
import { shownTime } from '../../workspace/zones.ts'
import { clarificationsOf, refusedQuestion } from './asks.ts'
import { earlierReports, knownSteps } from './known.ts'
import type { StepReply } from './contract.ts'
import { EDITED, REPEATED, SYSTEM, type PromptName } from './prompt-words.ts'
import { itemId, titlesOf } from '../plan/items.ts'
import { currentItem, isEdited, type Item } from '../plan/plan.ts'
import { changeContext, remarksOf } from '../plan/remarks.ts'
import { instructionAt, readEvaluation, reasonAt, replyError, reportAt, stepOf, STEPS } from './replies.ts'
import type { OrchestratorState } from './state.ts'
import { totalsOf } from './totals.ts'

/** Raise when the wording of any prompt changes. */
const VERSION = 5

/** Characters of a report that the evaluator sees (O2-02). */
export const REPORT_CHARS = 3_000
export const REMARKS_CHARS = 50_000
/** Characters of the reason of the last failed attempt. */
export const REASON_CHARS = 2_000
const INSTRUCTION_CHARS = 16_000
/** Characters of the texts of all steps. Beyond them only titles are shown. */
export const PLAN_CHARS = 20_000

const NAMES: Partial<Record<OrchestratorState['phase'], PromptName>> = {
  planning: 'plan',
  evaluating: 'evaluate',
  summarizing: 'summary',
}

export function promptFor(state: OrchestratorState, context: PromptContext): Prompt {
  const name = NAMES[state.phase]
  if (name === undefined) throw new Error(`nothing is asked while ${state.phase}`)
  const members = {
    ...stableContext(state, context),
    ...CONTEXTS[name](state, context),
    ...changingContext(name, state, context),
  }
  return {
    version: `orchestrator/${name}@${VERSION}`,
    messages: [
      { role: 'system', content: SYSTEM[context.brief.locale] },
      { role: 'user', content: JSON.stringify(members) },
    ],
  }
}

const CONTEXTS: Record<PromptName, (state: OrchestratorState, context: PromptContext) => Record<string, unknown>> = {
  plan: ({ plan, change }, context) =>
    changeContext(change, () => plan.items.map((item) => stepOf(context.recall, plan, item)), context),
  evaluate: evaluationContext,
  summary: (state) => ({ totals: totalsOf(state) }),
}

/** What stays the same until the plan is replaced, and then what only grows. */
function stableContext(state: OrchestratorState, { brief: { goal, locale, timezone }, recall }: PromptContext) {
  return {
    goal,
    locale,
    timezone,
    plan: planContext(state, recall),
    completed: knownSteps(state, recall),
    clarifications: clarificationsOf(state, recall),
    remarks: remarksOf(state, recall, REMARKS_CHARS),
  }
}

/** What differs in each request. */
function changingContext(phase: PromptName, state: OrchestratorState, context: PromptContext) {
  const { brief, head, wall_ms } = context
  const { used, max } = head.budget.steps
  const local_time = shownTime(wall_ms, brief.timezone, brief.locale)
  return { step_count: used, max_steps: max, local_time, phase, ...correction(state, context) }
}

/** The latest reply, if it was refused, and exactly what was wrong with it (ruling 33). */
function correction(state: OrchestratorState, { brief, recall }: PromptContext) {
  const { refused } = state
  if (refused === null) return {}
  const event = expectEvent(recall(refused), 'model_replied')
  const evaluation = readEvaluation(event, brief.settings)
  const isEvaluation = recall(refused).effect?.phase === 'evaluate'
  const refusal = isEvaluation && evaluation.ok ? refusedQuestion(state, evaluation.value, recall) : null
  return { correction: correctionOf(event, refusal ?? replyError(recall, refused)) }
}

function evaluationContext(state: OrchestratorState, { brief, recall }: PromptContext) {
  const { plan, step } = state
  const item = currentItem(plan)
  if (item === null || step.report === null) throw new Error('there is no report to be judged')
  const { settings, locale } = brief
  const repeated = repeatedTimes(state.seen)
  const earlier = earlierReports(state, recall)
  return {
    remaining: titlesOf(STEPS, plan, recall).slice(plan.cursor + 1),
    current_item: { id: itemId(STEPS, item[0]), ...stepOf(recall, plan, item) },
    instruction: step.instruction === null ? null : cut(instructionAt(recall, step.instruction), INSTRUCTION_CHARS),
    last_failure: step.failure === null ? null : cut(reasonAt(recall, step.failure), REASON_CHARS),
    ...(earlier.length === 0 ? {} : { earlier_reports: earlier }),
    report: reportContext(step.report, recall),
    ...(isEdited(plan, recall) ? { note: EDITED[locale] } : {}),
    ...(repeated === null ? {} : { warning: REPEATED[locale](repeated) }),
    attempt: step.failures + 1,
    retries_left: Math.max(0, settings.max_retries_per_step - step.failures),
    replans_left: Math.max(0, settings.max_replans - plan.replans),
    questions_left: Math.max(0, settings.max_clarifications - state.questions),
  }
}

/**
 * The steps of the list with their texts, so that a replan can keep them. Texts that are too long together are shown from the
 * current step on, as long as there is room.
 */
function planContext({ plan }: OrchestratorState, recall: Recall) {
  const steps = plan.items.map((item: Item) => ({ id: itemId(STEPS, item[0]), ...stepOf(recall, plan, item) }))
  const charsOf = (step: StepReply) => step.description.length + step.constraints.length + step.expected_output.length
  let room = PLAN_CHARS
  const first = steps.reduce((sum, step) => sum + charsOf(step), 0) <= room ? 0 : plan.cursor
  return steps.map(({ id, ...step }, index) => {
    if (index >= first) room -= charsOf(step)
    return index < first || room < 0 ? { id, title: step.title } : { id, ...step }
  })
}

function reportContext(row: number, recall: Recall) {
  const { status, session_id, results, pitfalls, next_steps, text } = reportAt(recall, row)
  const short = (part: string | null) => (part === null ? null : cut(part, REPORT_CHARS))
  const parts = { results: short(results), pitfalls: short(pitfalls), next_steps: short(next_steps) }
  return { status, session_id, ...parts, text: cut(text, REPORT_CHARS) }
}
