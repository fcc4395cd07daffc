/** The view of a dynamic task: its steps with their states and results, the last thought, the result, the progress. */
import type { Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { briefOf, type ItemEnding, type ViewContext, type ModeView, type Progress } from '../../mode/mode.ts'
import type { Settings } from '../../terms/settings.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import type { ItemStatus } from '../../terms/view.ts'
import { isAction, observe } from './prompt-history.ts'
import { titleOf } from '../plan/items.ts'
import { currentItem, endedItems, endOf, hasEnded } from '../plan/plan.ts'
import { itemStatus, phaseOf, observedProgress, planView, withResult, type ItemViews } from '../plan/view.ts'
import type { Decision } from './contract.ts'
import { openQuestion } from './questions.ts'
import { decisionOf, resultAt, STEPS, thoughtOf } from './replies.ts'
import type { Cause, DynamicState } from './state.ts'

/** Characters of a result or a thought in an answer. The journal has the full text. */
const SHOWN_CHARS = 2_000

export function statusOf({ plan, step }: DynamicState, index: number, ended: ItemEnding | null = null): ItemStatus {
  return itemStatus(plan, index, step.begun ? plan.cursor : null, ended)
}

/** The cause of a failed step, which stands before the reason of its last decision. */
const CAUSES: Record<Locale, Record<Cause, (settings: Settings) => string>> = {
  en: {
    actions: ({ max_actions_per_step }) =>
      `Not complete after ${max_actions_per_step} action${max_actions_per_step === 1 ? '' : 's'}. `,
    time: ({ step_timeout_s }) => `Not complete after ${step_timeout_s} s of working time. `,
    loop: () => 'Ended because the same actions came again and again. ',
  },
  zh: {
    actions: ({ max_actions_per_step }) => `执行 ${max_actions_per_step} 个动作后仍未完成。`,
    time: ({ step_timeout_s }) => `工作 ${step_timeout_s} 秒后仍未完成。`,
    loop: () => '因反复执行相同动作而终止。',
  },
}

/** The result of a step: the reason of its last decision. null: the step has not ended. */
function resultOf({ plan }: DynamicState, index: number, recall: Recall): string | null {
  const row = endOf(plan, index)?.[1] ?? null
  if (row === null) return null
  const { locale, settings } = briefOf(recall)
  const cause = plan.causes[index] ?? null
  const prefix = cause === null ? '' : CAUSES[locale][cause](settings)
  return cut(`${prefix}${resultAt(recall, row)}`, SHOWN_CHARS)
}

/** The states and the results of the steps. */
function stepViews(state: DynamicState, recall: Recall, ended: ItemEnding | null): ItemViews {
  const total = briefOf(recall).settings.max_actions_per_step
  return {
    stateOf(index) {
      const status = statusOf(state, index, ended)
      const progress = status === 'running' ? { current: state.step.actions, total } : null
      return { status, result: resultOf(state, index, recall), progress }
    },
    goneResult: ([, row]) => (row === null ? null : cut(resultAt(recall, row), SHOWN_CHARS)),
  }
}

export function viewOf(state: DynamicState, { recall, ended, thought_row }: ViewContext): ModeView {
  const { plan } = state
  return {
    plan: planView(STEPS, plan, recall, phaseOf(plan, recall), stepViews(state, recall, ended)),
    thought: thought_row === null ? null : lastThought(state, recall, thought_row),
    question: openQuestion(state, recall),
    result: isCompleted(state) ? answerOf(state, recall) : null,
    verdict: isCompleted(state) ? verdictOf(state, recall) : null,
  }
}

/** Whether the task is completed. A step that failed by a limit stays the current one. */
const isCompleted = ({ phase, plan }: DynamicState): boolean => phase === 'ended' && plan.cursor === plan.items.length

/** The row that ended the last step. null: no step was left. */
const lastRow = ({ plan }: DynamicState): number | null => endOf(plan, plan.items.length - 1)?.[1] ?? null

/** The decision that completed the task. null: an action or an edit of the plan did. */
function lastDecision(state: DynamicState, recall: Recall): Decision | null {
  const row = lastRow(state)
  return row === null || recall(row).event.kind !== 'model_replied' ? null : decisionOf(recall, row)
}

/** The answer of the decision that completed the task, or else the result of the last step. */
function answerOf(state: DynamicState, recall: Recall): string {
  const answer = lastDecision(state, recall)?.answer ?? null
  const row = lastRow(state)
  return answer ?? (row === null ? NO_STEPS[briefOf(recall).locale] : resultAt(recall, row))
}

/** What the model says of the goal when it ends the last step. Its items tell how much of the goal was reached. */
function verdictOf(state: DynamicState, recall: Recall): ModeView['verdict'] {
  const decision = lastDecision(state, recall)
  if (decision === null || decision.achieved === null) return null
  return { outcome: decision.achieved ? 'done' : 'partial', reason: decision.reason }
}

/** The latest thought or decision, in its text for people (S3-16). */
function lastThought({ plan }: DynamicState, recall: Recall, row: number): ModeView['thought'] {
  const fact = recall(row)
  const at = rfc3339(fact.at)
  if (fact.effect?.phase === 'think')
    return { phase: 'think', decision: 'think', text: cut(thoughtOf(recall, row), SHOWN_CHARS), at }
  const { is_complete, reason } = decisionOf(recall, row)
  // A decision with an action goes on, although the success of the action finishes the step.
  const isEnd = is_complete && endedItems(plan).some(([, , , , end]) => end === row)
  return { phase: 'step_decision', decision: isEnd ? 'done' : 'continue', text: cut(reason, SHOWN_CHARS), at }
}

/** The result of a plan that was emptied by an edit before any step ran. */
const NO_STEPS: Record<Locale, string> = {
  en: 'No steps were left to work on.',
  zh: '没有需要执行的步骤。',
}

/** S0-33, O0-15: finished steps and the last successful actions, the open steps, and why the last step failed. */
export function progressOf(state: DynamicState, { recall }: { recall: Recall }): Progress {
  const { plan, observations } = state
  const rows = observations.filter((row) => isAction(recall, row))
  const progress = observedProgress(STEPS, plan, recall, stepViews(state, recall, null), { rows, observe })
  const failed = hasEnded(plan, plan.cursor, 'failed') ? currentItem(plan) : null
  if (failed === null) return progress
  const title = titleOf(STEPS, failed, recall)
  return { ...progress, last_failure: withResult(briefOf(recall).locale, title, resultOf(state, plan.cursor, recall)) }
}
