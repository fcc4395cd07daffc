/**
 * The prompts of dynamic, in the language of the goal. The system message is the same for the whole task. In the user message that
 * which only grows comes first and that which changes last, so that a request begins like the one before it (S3-07, S3-09, S3-18).
 */
import { contractOf, type Recall } from '../../terms/effect.ts'
import { withAskUser } from '../../mode/ask-user.ts'
import { correctionOf, refusedReply, type Correction } from '../../mode/correction.ts'
import type { Prompt, PromptContext } from '../../mode/mode.ts'
import { nativeTools } from '../../mode/native-tools.ts'
import { shownTime } from '../../workspace/zones.ts'
import { EDITED, warningOf } from './prompt-hints.ts'
import type { PromptName } from './prompt-sections.ts'
import { systemText } from './prompt-words.ts'
import { itemId } from '../plan/items.ts'
import { currentItem, isEdited } from '../plan/plan.ts'
import { changeContext, remarksOf } from '../plan/remarks.ts'
import { actionsOf, completedOf, decisionsOf, NO_ACTIONS } from './prompt-history.ts'
import { clarificationsOf } from './questions.ts'
import { contractErrorOf, STEPS, stepOf, thoughtOf } from './replies.ts'
import type { DynamicState } from './state.ts'
import { statusOf } from './view.ts'

/** Raise when the wording of any prompt changes. */
const VERSION = 9

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
  const cards = withAskUser(context.tools)
  // A first plan knows no actions, and a changed one shows none.
  const { actions, images } = name === 'plan' ? NO_ACTIONS : actionsOf(state, context.recall, context.brief)
  const content = JSON.stringify(contextFor(state, { name, actions }, context))
  const shown = images.length === 0 ? {} : { images }
  const prompt: Prompt = {
    version: `dynamic/${name}@${VERSION}`,
    messages: [
      { role: 'system', content: systemText(cards, locale, settings) },
      { role: 'user', content, ...shown },
    ],
  }
  // In every phase, so that the requests of a task begin alike.
  return settings.calls === 'few' ? { ...prompt, tools: nativeTools(cards, locale), one_call: true } : prompt
}

/** What is asked, and the actions that the prompt shows. */
interface Asked {
  name: PromptName
  actions: object[]
}

function contextFor(state: DynamicState, asked: Asked, context: PromptContext): Record<string, unknown> {
  const { name } = asked
  const { brief, head, recall, wall_ms } = context
  const { goal, locale, timezone } = brief
  const steps = () => state.plan.items.map((item) => stepOf(recall, item))
  const correction = correctionFor(context, name)
  return {
    goal,
    locale,
    timezone,
    remarks: remarksOf(state, recall),
    ...(name === 'plan' ? changeContext(state.change, steps, context) : workContext(state, asked, context)),
    step_count: head.budget.steps.used,
    max_steps: head.budget.steps.max,
    local_time: shownTime(wall_ms, timezone, locale),
    phase: name,
    ...(correction === null ? {} : { correction }),
  }
}

/** The strategy, which is the plan with its results so far (S3-01), and the tactics, which is the current step. */
function workContext(state: DynamicState, { name, actions }: Asked, context: PromptContext) {
  const { brief, recall } = context
  const { items, cursor } = state.plan
  const item = currentItem(state.plan)
  if (item === null) throw new Error('no step is being worked on')
  const warning = warningOf(state, context)
  const { name: title, description, expected_output } = stepOf(recall, item)
  const open = items.slice(cursor).map((open_item, index) => {
    const { name: open_title, ...details } = stepOf(recall, open_item)
    const status = statusOf(state, cursor + index)
    // What is to be done in the current step stands in current_item.
    return { id: itemId(STEPS, open_item[0]), title: open_title, ...(index === 0 ? {} : details), status }
  })
  return {
    clarifications: clarificationsOf(state, recall),
    completed: completedOf(state, recall),
    actions,
    decisions: decisionsOf(state, recall),
    plan: open,
    ...(isEdited(state.plan, recall) ? { note: EDITED[brief.locale] } : {}),
    current_item: { id: itemId(STEPS, item[0]), title, description, expected_output },
    step_goal: [expected_output, description, title].find((text) => text !== '') ?? title,
    ...thoughtContext(state, name, recall),
    ...(warning === null ? {} : { warning }),
    actions_left: Math.max(0, brief.settings.max_actions_per_step - state.step.actions),
  }
}

/** The thought of this round. One of an earlier round knows less than the actions say, so it is not shown before a new one. */
function thoughtContext({ step }: DynamicState, name: PromptName, recall: Recall): { thought?: string } {
  const isOfRound = name === 'step_decision' || name === 'action'
  return isOfRound && step.thought !== null ? { thought: thoughtOf(recall, step.thought) } : {}
}

/** What was wrong with the last reply to the same request. null: it was accepted, or nothing was asked in this phase before. */
function correctionFor({ head, brief, recall }: PromptContext, name: PromptName): Correction | null {
  const refused = refusedReply(head, recall)
  if (refused === null || !isReplyTo(recall, refused.row, name)) return null
  return correctionOf(refused.event, contractErrorOf(recall, refused.row, brief))
}

function isReplyTo(recall: Recall, row: number, name: PromptName): boolean {
  const { effect } = recall(row)
  if (effect?.kind !== 'call_model') return false
  const contract = contractOf(effect)
  return contract === name || (name === 'move' && effect.contract !== undefined)
}
