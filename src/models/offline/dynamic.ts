/**
 * Mode dynamic by the rules of the thought phase (S3-05): a step is complete when its item is, and one that cannot be done is said to be so.
 * No question is asked there, so a missing detail gets its usual value, or the step is left undone and its reason says so.
 */
import { momentNow, type PlanContext } from './context.ts'
import type { DynamicContext, StepContext } from './dynamic-context.ts'
import type { Locale } from '../../core/terms/locale.ts'
import { intentOfTitle, readRemarks, missingTitles, readGoal } from './goal/goal.ts'
import type { IntentMove } from './moves/item.ts'
import { moveFor } from './moves/next-move.ts'
import { TOTAL_MAX } from './replan.ts'
import { wordsOf } from './texts.ts'

/** null: nothing is left to do for the step, so there is no action to choose. */
export function dynamicReply(context: DynamicContext): object | null {
  if (context.phase === 'plan') return { steps: stepsOf(firstTitles(context), context.locale) }
  const move = moveOf(context)
  switch (context.phase) {
    case 'think':
      return { thought: thoughtOf(move, context) }
    case 'step_decision':
      return decisionOf(move, context)
    case 'action':
      return actionOf(move)
    case 'move':
      return { thought: thoughtOf(move, context), ...decisionOf(move, context), action: actionOf(move) }
  }
}

function moveOf({ locale, local_time, current_item, actions, clarifications }: StepContext): IntentMove {
  const title = current_item.title.trim()
  if (title === '') return { kind: 'end', ok: true, line: wordsOf(locale).nothing }
  const now = momentNow(local_time)
  const observations = actions.filter(({ item_id }) => item_id !== null && item_id === current_item.id)
  return moveFor(intentOfTitle(title, now), { title, locale, now, observations, clarifications, refuses: () => true })
}

function thoughtOf(move: IntentMove, { locale, current_item }: StepContext): string {
  const words = wordsOf(locale)
  const title = current_item.title.trim()
  if (title === '') return words.nothing
  return move.kind === 'act' ? words.acting(title) : words.ending(title)
}

function firstTitles({ goal, remarks, locale, local_time }: PlanContext): string[] {
  const now = momentNow(local_time)
  return missingTitles(readGoal(goal, remarks, now).intents, [], locale, now).slice(0, TOTAL_MAX)
}

const stepsOf = (titles: string[], locale: Locale) =>
  titles.map((name) => ({ name, description: '', expected_output: wordsOf(locale).expected }))

function decisionOf(move: IntentMove, context: StepContext) {
  const is_complete = move.kind !== 'act'
  const { added, unread } = stepsFromRemarks(context)
  const words = wordsOf(context.locale)
  const isLast = is_complete && context.plan.length <= 1 && added.length === 0
  const remark_lines = isLast ? unread.map((remark) => words.unread(remark)) : []
  const result = move.kind === 'end' ? move.line : thoughtOf(move, context)
  return {
    reason: [result, ...remark_lines].join('\n'),
    is_complete,
    achieved: move.kind === 'end' && !move.ok ? false : null,
    answer: isLast ? answerOf(context, [result, ...remark_lines]) : null,
    add_steps: stepsOf(added, context.locale),
    remove_steps: [],
  }
}

/** The results of all steps, each on lines of its own. */
const answerOf = ({ completed }: StepContext, last: string[]): string =>
  [...completed.map(({ title, result }) => (result === '' ? title : result)), ...last].join('\n')

/** The steps that remarks ask for and the plan lacks. The goal itself was planned before, and steps of it may have been removed since. */
function stepsFromRemarks(context: StepContext): { added: string[]; unread: string[] } {
  const { remarks, plan, completed, locale, local_time } = context
  const now = momentNow(local_time)
  const { intents, unread } = readRemarks(remarks, now)
  const known = [...completed, ...plan].map(({ title }) => title)
  const room = Math.max(0, TOTAL_MAX - known.length)
  return { added: missingTitles(intents, known, locale, now).slice(0, room), unread }
}

const actionOf = (move: IntentMove) =>
  move.kind === 'act' ? { tool: move.tool, input: move.input, save_as: null } : null
