/** The prompts of dynamic: one per phase, in the language of the goal; pure functions of the state, kept as snapshots (S3-07, S3-09, S3-18). */
import { toolsContext } from '../../mode/tools-context.ts'
import { remarkAt, type Prompt, type PromptContext } from '../../mode/mode.ts'
import { localTime } from '../../workspace/zones.ts'
import { isFixed } from './adjust.ts'
import { availableData } from './data.ts'
import { CHANGED, EDITED, LAST_LOOK, REPEATING, roleOf, SHARED, type PromptName } from './prompt-words.ts'
import { itemId } from '../plan/items.ts'
import { currentItem, isEdited } from '../plan/plan.ts'
import { remarksOf } from '../plan/remarks.ts'
import { completedActions, decisionsOf, lastResult, observationsOf } from './prompt-history.ts'
import { STEPS, stepOf, thoughtOf } from './replies.ts'
import { isRepeating, judge } from './repeat.ts'
import { spentBy, type DynamicState } from './state.ts'
import { statusOf } from './view.ts'

/** Raise when the wording of any prompt changes. */
const VERSION = 1

const NAMES: Partial<Record<DynamicState['phase'], PromptName>> = {
  planning: 'plan',
  thinking: 'think',
  deciding: 'step_decision',
  choosing: 'action',
  moving: 'move',
}

export function promptFor(state: DynamicState, context: PromptContext): Prompt {
  const name = NAMES[state.phase]
  if (name === undefined) throw new Error(`nothing is asked while ${state.phase}`)
  const { locale, settings } = context.brief
  const role = roleOf(name, locale, isFixed(state.plan, settings))
  return {
    version: `dynamic/${name}@${VERSION}`,
    messages: [
      { role: 'system', content: `${SHARED[locale]}\n\n${role}` },
      { role: 'user', content: JSON.stringify(contextFor(state, name, context)) },
    ],
  }
}

function contextFor(state: DynamicState, name: PromptName, context: PromptContext): Record<string, unknown> {
  const { brief, head, recall, tools } = context
  const { locale } = brief
  const shared = {
    ...(name === 'move' ? { phase: 'step_decision', merged: true } : { phase: name }),
    goal: brief.goal,
    locale,
    local_time: localTime(context.wall_ms, brief.timezone),
    timezone: brief.timezone,
    step_count: head.budget.steps.used,
    max_steps: head.budget.steps.max,
    remarks: remarksOf(state, recall),
  }
  const offered = toolsContext(tools, locale)
  if (name === 'plan') return { ...shared, ...changeContext(state, context), ...offered }
  const acts = name === 'action' || name === 'move' ? offered : {}
  return { ...shared, ...planContext(state, context), ...stepContext(state, name, context), ...acts }
}

/** The strategy: the whole plan and what came of it so far (S3-01). */
function planContext(state: DynamicState, { brief, recall }: PromptContext) {
  const { items, cursor } = state.plan
  const shown = items.map((item, index) => {
    const { name, ...step } = stepOf(recall, item)
    return { id: itemId(STEPS, item[0]), title: name, ...step, status: statusOf(state, index) }
  })
  return {
    completed: shown.filter(({ status }) => status === 'completed').map(({ title }) => title),
    plan: shown,
    cursor,
    observations: observationsOf(state, recall, brief.settings),
    decisions: decisionsOf(state, recall),
    ...(isEdited(state.plan, recall) ? { note: EDITED[brief.locale] } : {}),
  }
}

/** While the plan is made again: how it stands, and what the user wants changed about it. */
function changeContext({ plan, change }: DynamicState, { brief, recall }: PromptContext) {
  if (change === null) return {}
  const steps = plan.items.map((item) => stepOf(recall, item))
  return { plan: steps, requested_change: remarkAt(recall, change), note: CHANGED[brief.locale] }
}

/** The tactics: the current step, what it is to bring, and what it has brought. */
function stepContext(state: DynamicState, name: PromptName, { brief, recall }: PromptContext) {
  const item = currentItem(state.plan)
  if (item === null) throw new Error('no step is being worked on')
  const { name: title, description, expected_output } = stepOf(recall, item)
  const { step } = state
  return {
    current_item: { id: itemId(STEPS, item[0]), title, description, expected_output },
    step_goal: [expected_output, description, title].find((text) => text !== '') ?? title,
    actions_left: Math.max(0, brief.settings.max_actions_per_step - step.actions),
    completed_actions: completedActions(state, recall),
    last_result: lastResult(state, recall, brief.settings),
    available_data: availableData(state, recall),
    thought: name === 'move' || step.thought === null ? null : thoughtOf(recall, step.thought),
    warning: warningOf(state, brief),
  }
}

/** What must not be overlooked; null: nothing. */
function warningOf(state: DynamicState, { locale, settings }: PromptContext['brief']): string | null {
  const spent = spentBy(state, settings)
  const { repeat } = state.step
  const limit = settings.repeat_action_limit
  const warnings = [
    ...(spent === null ? [] : [LAST_LOOK[spent][locale]]),
    ...(isRepeating(repeat, limit) ? [REPEATING[locale](judge(repeat, limit).times)] : []),
  ]
  return warnings.length === 0 ? null : warnings.join(' ')
}
