/**
 * Mode dynamic by the rules of the thought phase (S3-05): a step is complete when its item is. No question is asked there, so a missing detail
 * gets its usual value, or the step is left undone and its reason says so.
 */
import { momentNow, type DynamicContext, type PlanContext, type StepContext } from './context.ts'
import type { Locale } from '../../core/terms/locale.ts'
import { readRemarks, missingTitles, readGoal } from './goal/goal.ts'
import { TOTAL_MAX } from './replan.ts'
import { wordsOf } from './texts.ts'
import { thoughtReply, type RulesThoughtReply } from './thought.ts'

/** null: nothing is left to do for the step, so there is no action to choose. */
export function dynamicReply(context: DynamicContext): object | null {
  if (context.phase === 'plan') return { steps: stepsOf(firstTitles(context), context.locale) }
  const thought = thoughtReply({ ...context, phase: 'thought', must_not_act: false, may_ask: false })
  if (context.merged) {
    return { thought: thought.current_step, ...decisionOf(thought, context), action: actionOf(thought) }
  }
  switch (context.phase) {
    case 'think':
      return { thought: thought.current_step }
    case 'step_decision':
      return decisionOf(thought, context)
    case 'action':
      return actionOf(thought)
  }
}

function firstTitles({ goal, remarks, locale, local_time }: PlanContext): string[] {
  const now = momentNow(local_time)
  return missingTitles(readGoal(goal, remarks, now).intents, [], locale, now).slice(0, TOTAL_MAX)
}

const stepsOf = (titles: string[], locale: Locale) =>
  titles.map((name) => ({ name, description: '', expected_output: wordsOf(locale).expected }))

function decisionOf({ status, current_step, response }: RulesThoughtReply, context: StepContext) {
  const is_complete = status !== 'continue'
  const { added, unread } = stepsFromRemarks(context)
  const words = wordsOf(context.locale)
  const last = context.cursor >= context.plan.length - 1 && added.length === 0
  const said = is_complete && last ? unread.map((remark) => words.unread(remark)) : []
  const reason = [response ?? current_step, ...said].join('\n')
  return { is_complete, reason, add_steps: stepsOf(added, context.locale), remove_steps: [] }
}

/** The steps that remarks ask for and the plan lacks. The goal itself was planned before, and steps of it may have been removed since. */
function stepsFromRemarks(context: StepContext): { added: string[]; unread: string[] } {
  const { remarks, plan, completed, locale, local_time } = context
  const now = momentNow(local_time)
  const { intents, unread } = readRemarks(remarks, now)
  const listed = plan.map(({ title }) => title)
  const known = [...listed, ...completed.filter((title) => !listed.includes(title))]
  const room = Math.max(0, TOTAL_MAX - known.length)
  return { added: missingTitles(intents, known, locale, now).slice(0, room), unread }
}

const actionOf = ({ next_action }: RulesThoughtReply) =>
  next_action === null ? null : { ...next_action, save_as: null }
