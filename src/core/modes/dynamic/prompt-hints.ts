/** What the program tells the model beside what is known: guards, refusals, and names that it did not know. */
import type { Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { cut } from '../../terms/text.ts'
import { callsOfPlan } from '../../mode/native-tools.ts'
import { repeatedTimes } from '../../mode/repeat-guard.ts'
import { CALLS_OF_PLAN } from '../../mode/tools-context.ts'
import type { PromptContext } from '../../mode/mode.ts'
import { arrivedName } from '../files/waits.ts'
import { isFixed } from './adjust.ts'
import { actionOf, decisionOf } from './replies.ts'
import { isRepeating, judge } from './repeat.ts'
import { spentBy, type Cause, type DynamicState, type Hint } from './state.ts'

/** Characters of a name or of an action in a hint. */
const NAME_CHARS = 100
/** Characters of all hints of one prompt. */
export const WARNING_CHARS = 4_000

type Texts = Record<Locale, string>

const LAST_LOOK: Record<Exclude<Cause, 'loop'>, Texts> = {
  actions: {
    en: 'This step has used up its actions: this is its last look. Say that it is complete, or add steps to go on with; else it fails.',
    zh: '本步骤的动作次数已用完，这是最后一次判断。请判定完成，或添加后续步骤；否则该步骤失败。',
  },
  time: {
    en: 'This step has used up its time: this is its last look. Say that it is complete, or add steps to go on with; else it fails.',
    zh: '本步骤的时间已用完，这是最后一次判断。请判定完成，或添加后续步骤；否则该步骤失败。',
  },
}

/** With `calls: few`: the last step is asked for once more, because the goal is to be answered. */
const FINISHED: Texts = {
  en: 'The latest action has succeeded and finishes this last step: say is_complete true with its result as reason, and give answer.',
  zh: '最近的动作已成功并完成了这最后一步：请给出 is_complete true，以其结果为 reason，并给出 answer。',
}

const REPEATING: Record<Locale, (times: number) => string> = {
  en: (times) =>
    `The same actions came ${times} times in a row. Do something else: the next one of them is not run, the one after it ends the step.`,
  zh: (times) => `相同动作已连续出现 ${times} 次。请换一种做法：再次出现将不被执行，之后再出现则终止该步骤。`,
}

const SAME_RESULT: Record<Locale, (times: number) => string> = {
  en: (times) =>
    `The latest action has brought the same result ${times} times. It is not run again: do something else.`,
  zh: (times) => `最近的动作已 ${times} 次得到相同结果，不会再次执行：请换一种做法。`,
}

const ARRIVED: Record<Locale, (name: string) => string> = {
  en: (name) => `The file ${name} is here now. Go on with it.`,
  zh: (name) => `文件 ${name} 已上传。请继续使用它。`,
}

/** `what`: the action that found the file missing. */
const WITHOUT_FILE: Record<Locale, (what: string) => string> = {
  en: (what) =>
    `The latest of remarks is the answer to the request for a file that is missing: ${what}. Go on without the file, and do not ask for it again.`,
  zh: (what) => `remarks 的最后一条是用户对所缺文件的答复：${what}。请在没有该文件的情况下继续，不要再次索取。`,
}

const FIXED: Texts = {
  en: 'The plan cannot be changed any more: add_steps and remove_steps are [].',
  zh: '计划不能再改动：add_steps 与 remove_steps 均为 []。',
}

/** `what`: the refused action or question, or the unknown names. */
const HINTS: Record<Hint['kind'], Record<Locale, (what: string) => string>> = {
  unknown_steps: {
    en: (what) => `remove_steps named no later step of plan: ${what}. Give ids or titles of steps behind current_item.`,
    zh: (what) => `remove_steps 中没有对应的后续步骤：${what}。请使用 plan 中 current_item 之后步骤的 id 或 title。`,
  },
  plan_fixed: {
    en: () => 'The plan was not changed, because it has been changed as often as is allowed.',
    zh: () => '计划未改动，因为改动次数已达上限。',
  },
  plan_full: {
    en: () => 'Not all steps were added, because the plan is full.',
    zh: () => '并非所有步骤都已添加，因为计划已满。',
  },
  no_answer: {
    en: () =>
      'Your last reply ends the last step and has no answer, so it was not used. Reply once more, with answer: the answer to goal for the user, in full.',
    zh: () =>
      '上一条回复结束了最后一步，却没有 answer，因此未被采用。请再次回复，并在 answer 中给出对 goal 的完整答复。',
  },
  repeated: {
    en: (what) => `Not run, because it came too often in a row: ${what}`,
    zh: (what) => `未执行，因为连续出现次数过多：${what}`,
  },
  same_result: {
    en: (what) => `Not run, because it has brought the same result twice, which stands in actions: ${what}`,
    zh: (what) => `未执行，因为已两次得到相同结果（见 actions）：${what}`,
  },
  repeated_question: {
    en: (what) => `Not asked, because clarifications has its answer: ${what}`,
    zh: (what) => `未提问，因为 clarifications 中已有回答：${what}`,
  },
  max_clarifications: {
    en: (what) => `Not asked, because no more questions may be asked in this task: ${what}. Decide with what is known.`,
    zh: (what) => `未提问，因为本任务不能再提问：${what}。请根据已知信息决定。`,
  },
  one_call: {
    en: () => 'Only the first call of your last reply was made. Make one call in each reply.',
    zh: () => '上一条回复中只执行了第一个调用。每次回复只调用一个。',
  },
}

function textOfHint({ kind, row, indexes }: Hint, locale: Locale, recall: Recall): string {
  return HINTS[kind][locale](kind === 'unknown_steps' ? namesOf(row, indexes, recall) : shownAction(row, recall))
}

function namesOf(row: number, indexes: readonly number[], recall: Recall): string {
  const { remove_steps } = decisionOf(recall, row)
  return indexes.map((index) => `"${cut(remove_steps[index] ?? '', NAME_CHARS)}"`).join(', ')
}

function shownAction(row: number, recall: Recall): string {
  const { event, effect } = recall(row)
  const isChoice = event.kind === 'model_replied' && (effect?.phase === 'action' || effect?.phase === 'step_decision')
  const action = isChoice ? chosenAt(row, recall) : null
  return action === null ? '' : cut(`${action.tool} ${action.input}`, NAME_CHARS)
}

/** A decision alone chooses no action. */
const chosenAt = (row: number, recall: Recall) => {
  const { effect } = recall(row)
  const isDecision = effect?.kind === 'call_model' && effect.phase === 'step_decision' && effect.contract === undefined
  return isDecision ? null : actionOf(recall, row)
}

/** Whether the latest action was to finish the last step and has succeeded, and nothing was decided since. */
function hasFinishedLastStep({ plan, step, observations }: DynamicState, recall: Recall): boolean {
  const row = observations.at(-1) ?? 0
  if (plan.cursor !== plan.items.length - 1 || row <= (step.decision ?? row)) return false
  const { effect, event } = recall(row)
  if (effect?.kind !== 'run_tool' || event.kind !== 'tool_returned' || !event.ok) return false
  return actionOf(recall, effect.by)?.ends_item === true
}

/** The warning of a prompt. null: there is none. */
export function warningOf(state: DynamicState, { brief, recall }: PromptContext): string | null {
  const { locale, settings } = brief
  const spent = spentBy(state, settings)
  const { repeat, seen } = state.step
  const limit = settings.repeat_action_limit
  const times = repeatedTimes(seen)
  const calls = state.decisions.length === 0 ? callsOfPlan(state.plan, recall) : []
  const warnings = [
    ...(calls.length === 0 ? [] : [CALLS_OF_PLAN[locale](calls.join(', '))]),
    ...(spent === null ? [] : [LAST_LOOK[spent][locale]]),
    ...(hasFinishedLastStep(state, recall) ? [FINISHED[locale]] : []),
    ...(isRepeating(repeat, limit) ? [REPEATING[locale](judge(repeat, limit).times)] : []),
    ...(times === null ? [] : [SAME_RESULT[locale](times)]),
    ...(state.arrived === null ? [] : [ARRIVED[locale](arrivedName(recall, state.arrived))]),
    ...withoutFile(state, locale, recall),
    ...(settings.dynamic_planning && isFixed(state.plan, settings) ? [FIXED[locale]] : []),
    ...state.hints.map((hint) => textOfHint(hint, locale, recall)),
  ]
  return warnings.length === 0 ? null : cut(warnings.join(' '), WARNING_CHARS)
}

/** What is said of a text in place of a file, until the user says something else. */
function withoutFile({ remarks }: DynamicState, locale: Locale, recall: Recall): string[] {
  const latest = remarks.at(-1)
  const event = latest === undefined ? undefined : recall(latest).event
  if (event?.kind !== 'user_answered' || event.missing === undefined) return []
  const { effect } = recall(event.missing)
  return effect?.kind === 'run_tool' ? [WITHOUT_FILE[locale](shownAction(effect.by, recall))] : []
}

/** The note of a plan that a person has edited. */
export const EDITED: Texts = {
  en: 'The user has edited the plan by hand. Keep it as it is unless what was found leaves no other way.',
  zh: '用户已亲自修改计划。除非已有发现使其无法执行，否则请保持原样。',
}
