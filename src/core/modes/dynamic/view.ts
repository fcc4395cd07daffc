/** What a dynamic task shows: its steps with their states and results, the last thought, the result, the progress. */
import type { Fact, Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { briefOf, type ItemEnding, type ViewContext, type ModeView, type Progress } from '../../mode/mode.ts'
import type { Settings } from '../../terms/settings.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import type { ItemStatus, PlanItem } from '../../terms/view.ts'
import { observe } from './prompt-history.ts'
import { decisionOf, nameOf, stepOf, thoughtOf } from './replies.ts'
import { itemId, type Cause, type DynamicState } from './state.ts'

/** Actions named in the completed part of a handover (O0-15). */
const ACTIONS_SHOWN = 3
/** Results and thoughts in an answer; the journal has them whole. */
const SHOWN_CHARS = 2_000

const causeOf = ({ plan }: DynamicState, index: number): Cause | null =>
  plan.failed.find(([id]) => id === plan.items[index]?.[0])?.[1] ?? null

export function itemStatus(state: DynamicState, index: number, ended: ItemEnding | null = null): ItemStatus {
  const { plan } = state
  if (causeOf(state, index) !== null) return 'failed'
  if (index < plan.cursor) return 'completed'
  if (ended !== null) return index === plan.cursor ? ended.current : ended.later
  return index === plan.cursor && state.step.begun ? 'running' : 'pending'
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
function resultOf(state: DynamicState, index: number, recall: Recall): string | null {
  const row = state.plan.ends[index]
  if (row === undefined) return null
  const { locale, settings } = briefOf(recall)
  const cause = causeOf(state, index)
  const before = cause === null ? '' : CAUSES[locale][cause](settings)
  return cut(`${before}${decisionOf(recall, row).reason}`, SHOWN_CHARS)
}

export function viewOf(state: DynamicState, { recall, ended, thought_row }: ViewContext): ModeView {
  const { revision, cursor, row } = state.plan
  const source = row === null ? 'plan' : sourceOf(recall(row))
  return {
    plan: {
      revision,
      cursor,
      source,
      items: state.plan.items.map((_, index) => shownItem(state, index, recall, ended)),
    },
    thought: thought_row === null ? null : lastThought(recall, thought_row),
    question: null,
    result: state.phase === 'ended' && state.plan.cursor === state.plan.items.length ? summaryOf(state, recall) : null,
  }
}

const sourceOf = ({ effect, event }: Fact) => (event.kind === 'plan_edited' ? 'edit' : (effect?.phase ?? 'plan'))

function shownItem(state: DynamicState, index: number, recall: Recall, ended: ItemEnding | null): PlanItem {
  const item = state.plan.items[index]
  if (item === undefined) throw new Error(`there is no step ${index}`)
  const { name, description, expected_output } = stepOf(recall, item)
  const status = itemStatus(state, index, ended)
  const total = briefOf(recall).settings.max_actions_per_step
  return {
    id: itemId(item[0]),
    title: name,
    description,
    expected_output: expected_output === '' ? null : expected_output,
    status,
    result: resultOf(state, index, recall),
    progress: status === 'running' ? { current: state.step.actions, total } : null,
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
    const failed = causeOf(state, index) === null ? '' : locale === 'en' ? ' (failed)' : '（失败）'
    return `${index + 1}. ${nameOf(recall, item)}${failed}${colon(locale)}${resultOf(state, index, recall) ?? ''}`
  })
  return lines.length === 0 ? NO_STEPS[locale] : lines.join('\n')
}

/** S0-33, O0-15: finished steps and the last successful actions; the open steps; why the last one failed. */
export function progressOf(state: DynamicState, { recall }: { recall: Recall }): Progress {
  const { plan } = state
  const seen = state.observations.map((row) => observe(recall, row))
  const actions = seen.filter((one) => one.ok).slice(-ACTIONS_SHOWN)
  const completed = plan.items.filter((_, index) => itemStatus(state, index) === 'completed')
  const at = plan.items[plan.cursor]
  const over = at === undefined || causeOf(state, plan.cursor) === null ? null : at
  return {
    completed: [
      ...completed.map((item) => nameOf(recall, item)),
      ...actions.map((action) => cut(`${action.tool}: ${action.input}`, SHOWN_CHARS)),
    ],
    finished_count: plan.left + completed.length,
    remaining: plan.items.slice(plan.cursor).map((item) => nameOf(recall, item)),
    last_failure:
      over === null
        ? (seen.filter((one) => !one.ok).at(-1)?.result ?? null)
        : `${nameOf(recall, over)}${colon(briefOf(recall).locale)}${resultOf(state, plan.cursor, recall) ?? ''}`,
  }
}
