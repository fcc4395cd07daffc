/** What a dynamic task shows: its steps with their states and results, the last thought, the result, the progress. */
import type { Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { briefOf, type ItemEnding, type ViewContext, type ModeView, type Progress } from '../../mode/mode.ts'
import type { Settings } from '../../terms/settings.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import type { ItemStatus } from '../../terms/view.ts'
import { observe } from './prompt-history.ts'
import { actionProgress } from '../plan/actions.ts'
import { titleOf } from '../plan/items.ts'
import { currentItem, endOf, hasEnded } from '../plan/plan.ts'
import { itemStatus, phaseOf, planProgress, planView } from '../plan/view.ts'
import { decisionOf, STEPS, thoughtOf } from './replies.ts'
import type { Cause, DynamicState } from './state.ts'

/** Results and thoughts in an answer; the journal has them whole. */
const SHOWN_CHARS = 2_000

export function statusOf({ plan, step }: DynamicState, index: number, ended: ItemEnding | null = null): ItemStatus {
  return itemStatus(plan, index, step.begun ? plan.cursor : null, ended)
}

/** What a step that failed had used up, before the reason of its last decision. */
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

/** Why a step ended: the reason of its last decision; null while it has not. */
function resultOf({ plan }: DynamicState, index: number, recall: Recall): string | null {
  const row = endOf(plan, index)?.[1] ?? null
  if (row === null) return null
  const { locale, settings } = briefOf(recall)
  const cause = plan.causes[index] ?? null
  const before = cause === null ? '' : CAUSES[locale][cause](settings)
  return cut(`${before}${decisionOf(recall, row).reason}`, SHOWN_CHARS)
}

export function viewOf(state: DynamicState, { recall, ended, thought_row }: ViewContext): ModeView {
  const { plan, step, phase } = state
  const total = briefOf(recall).settings.max_actions_per_step
  return {
    plan: planView(STEPS, plan, recall, phaseOf(plan, recall), (index) => {
      const status = statusOf(state, index, ended)
      const progress = status === 'running' ? { current: step.actions, total } : null
      return { status, result: resultOf(state, index, recall), progress }
    }),
    thought: thought_row === null ? null : lastThought(recall, thought_row),
    question: null,
    result: phase === 'ended' && plan.cursor === plan.items.length ? summaryOf(state, recall) : null,
  }
}

/** What was thought or decided last, in the words meant for people (S3-16). */
function lastThought(recall: Recall, row: number): ModeView['thought'] {
  const fact = recall(row)
  const at = rfc3339(fact.at)
  if (fact.effect?.phase === 'think')
    return { phase: 'think', decision: 'think', text: cut(thoughtOf(recall, row), SHOWN_CHARS), at }
  const { is_complete, reason } = decisionOf(recall, row)
  return { phase: 'step_decision', decision: is_complete ? 'done' : 'continue', text: cut(reason, SHOWN_CHARS), at }
}

/** A name and what is said of it. */
const colon = (locale: Locale) => (locale === 'en' ? ': ' : '：')

/** Of a plan that someone has emptied before anything was done. */
const NO_STEPS: Record<Locale, string> = {
  en: 'No steps were left to work on.',
  zh: '没有需要执行的步骤。',
}

/** One line a step: what it was, and why it ended. */
function summaryOf(state: DynamicState, recall: Recall): string {
  const { locale } = briefOf(recall)
  const lines = state.plan.items.map((item, index) => {
    const failed = !hasEnded(state.plan, index, 'failed') ? '' : locale === 'en' ? ' (failed)' : '（失败）'
    return `${index + 1}. ${titleOf(STEPS, item, recall)}${failed}${colon(locale)}${resultOf(state, index, recall) ?? ''}`
  })
  return lines.length === 0 ? NO_STEPS[locale] : lines.join('\n')
}

/** S0-33, O0-15: finished steps and the last successful actions; the open steps; why the last one failed. */
export function progressOf(state: DynamicState, { recall }: { recall: Recall }): Progress {
  const { plan, observations } = state
  const { actions, failure } = actionProgress(observations.map((row) => observe(recall, row)))
  const progress = planProgress(STEPS, plan, recall)
  const failed = hasEnded(plan, plan.cursor, 'failed') ? currentItem(plan) : null
  return {
    ...progress,
    completed: [...progress.completed, ...actions],
    last_failure:
      failed === null
        ? failure
        : `${titleOf(STEPS, failed, recall)}${colon(briefOf(recall).locale)}${resultOf(state, plan.cursor, recall) ?? ''}`,
  }
}
