/**
 * The prompts of plan_execute, in the language of the goal. They are pure functions of the state, tested by snapshots. What stays
 * the same stands first and what changes last, so that most of a request is the beginning of the next one.
 */
import type { Locale } from '../../terms/locale.ts'
import type { Prompt, PromptContext } from '../../mode/mode.ts'
import { withAskUser } from '../../mode/ask-user.ts'
import { callsOfPlan, nativeTools } from '../../mode/native-tools.ts'
import { repeatedTimes } from '../../mode/repeat-guard.ts'
import { functionsText, toolsContext } from '../../mode/tools-context.ts'
import type { ToolCard } from '../../mode/tools.ts'
import { shownTime } from '../../workspace/zones.ts'
import { itemId, listItems, titlesOf, type ItemText } from '../plan/items.ts'
import { currentItem, endedItems, endOf, isEdited } from '../plan/plan.ts'
import { changeContext, remarksOf } from '../plan/remarks.ts'
import { clarificationsOf, correctionFor, finishedItems, observationsOf } from './prompt-history.ts'
import { CALLS_OF_PLAN } from '../../mode/tools-context.ts'
import { ASKING, EDITED, LEFT_OUT, NOTES, REPEATED, systemText } from './prompt-words.ts'
import { leftOutCalls, thoughtOf } from './replies.ts'
import { ITEMS, type PlanExecuteState } from './state.ts'
import { statusOf } from './view.ts'

type PhaseName = 'plan' | 'thought' | 'replan'

/** Raise when the wording of any prompt changes. */
const VERSION = 9

export function promptFor(state: PlanExecuteState, phase: string, context: PromptContext): Prompt {
  const name = phase as PhaseName // next() wants no other phases
  const { brief, tools } = context
  const { locale, settings } = brief
  const isFew = settings.calls === 'few'
  const cards = withAskUser(tools)
  const system = systemText(locale, settings, isFew ? functionsText(cards, locale) : toolsText(tools, locale))
  // A first plan knows no actions, and a changed one shows none.
  const actions = name === 'plan' ? NO_OBSERVATIONS : observationsOf(state, context.recall, brief)
  const shown = actions.images.length === 0 ? {} : { images: actions.images }
  return {
    version: `plan_execute/${name}@${VERSION}`,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: JSON.stringify(contextFor(state, name, { ...context, actions })), ...shown },
    ],
    // In every phase, so that the requests of a task begin alike.
    ...(isFew ? { tools: nativeTools(cards, locale), one_call: true } : {}),
  }
}

function toolsText(cards: readonly ToolCard[], locale: Locale): string {
  const { tools, units, arguments: note = '' } = { arguments: '', ...toolsContext(cards, locale) }
  const lines = tools.map(({ name, description, parameters }) =>
    [`- ${name}: ${description}`, ...(parameters === undefined ? [] : [`  ${shownParameters(parameters)}`])].join('\n'),
  )
  return [...lines, ASKING[locale], units, ...(note === '' ? [] : [note])].join('\n')
}

const shownParameters = (parameters: object | string): string =>
  typeof parameters === 'string' ? parameters : JSON.stringify(parameters)

/** The context of a prompt with the actions that it shows. */
type ContextWithActions = PromptContext & { actions: ReturnType<typeof observationsOf> }
const NO_OBSERVATIONS: ContextWithActions['actions'] = { observations: [], images: [] }

function contextFor(state: PlanExecuteState, phase: PhaseName, context: ContextWithActions): Record<string, unknown> {
  const { brief, head, recall, wall_ms } = context
  const correction = correctionFor(state, phase, recall)
  return {
    goal: brief.goal,
    locale: brief.locale,
    timezone: brief.timezone,
    completed: finishedItems(state, recall),
    clarifications: clarificationsOf(state, recall),
    remarks: remarksOf(state, recall),
    ...PHASES[phase](state, context),
    step_count: head.budget.steps.used,
    max_steps: head.budget.steps.max,
    local_time: shownTime(wall_ms, brief.timezone, brief.locale),
    phase,
    ...(correction === null ? {} : { correction }),
  }
}

const PHASES: Record<PhaseName, (state: PlanExecuteState, context: ContextWithActions) => object> = {
  plan: (state, context) => changeContext(state.change, () => titlesOf(ITEMS, state.plan, context.recall), context),
  thought: (state, context) => ({ ...listContext(state, context), ...itemContext(state, context) }),
  replan: (state, context) => ({ ...listContext(state, context), ...replanContext(state, context) }),
}

function listContext(state: PlanExecuteState, { recall, actions: { observations } }: ContextWithActions) {
  const items = listItems(ITEMS, state.plan.items, recall)
  const statuses = items.map((item, index) => ({ ...item, status: statusOf(state, index) }))
  return {
    observations,
    // Steps that have ended stand in `completed`, so the position in this list is that of its first step.
    plan: statuses.filter((_, index) => endOf(state.plan, index) === null),
    cursor: 0,
  }
}

function itemContext(state: PlanExecuteState, { brief, recall }: PromptContext) {
  const item = currentItem(state.plan)
  return {
    current_item:
      item === null ? { id: null, title: '' } : { id: itemId(ITEMS, item[0]), ...describe(ITEMS.textOf(item, recall)) },
    must_not_act: state.action_failures >= brief.settings.failure_limit,
    note: actionNote(state, brief.locale, recall),
  }
}

/** What the program says of the latest action. null: nothing. */
function actionNote(state: PlanExecuteState, locale: Locale, recall: PromptContext['recall']): string | null {
  const times = repeatedTimes(state.seen)
  const row = state.observations.at(-1) ?? endedItems(state.plan).at(-1)?.[4] ?? null
  const effect = row === null ? null : recall(row).effect
  const chosen = effect?.kind === 'run_tool' ? recall(effect.by).event : null
  const left_out = chosen?.kind === 'model_replied' ? leftOutCalls(chosen) : []
  const notes = [
    ...planCallNotes(state, locale, recall),
    ...(times === null ? [] : [REPEATED[locale](times)]),
    ...(left_out.length === 0 ? [] : [LEFT_OUT[locale](left_out.join(', '))]),
  ]
  return notes.length === 0 ? null : notes.join(' ')
}

/** Says in the first thought behind a plan that its calls were not made. */
function planCallNotes({ plan, observations }: PlanExecuteState, locale: Locale, recall: PromptContext['recall']) {
  const latest = Math.max(observations.at(-1) ?? 0, endedItems(plan).at(-1)?.[4] ?? 0)
  const calls = plan.row === null || plan.row < latest ? [] : callsOfPlan(plan, recall)
  return calls.length === 0 ? [] : [CALLS_OF_PLAN[locale](calls.join(', '))]
}

/** The texts that a person wrote about an item, without its title. */
function describe({ title, description, expected_output }: ItemText) {
  return {
    title,
    ...(description === '' ? {} : { description }),
    ...(expected_output === null ? {} : { expected_output }),
  }
}

/** The latest conclusion, unless it stands whole in `completed` as the result of the newest item. */
function pendingAnswer(state: PlanExecuteState, recall: PromptContext['recall']): string | null {
  const conclusion = state.conclusion === null ? null : thoughtOf(recall, state.conclusion).response
  const isTold = finishedItems(state, recall).at(-1)?.result === conclusion
  return isTold ? null : conclusion
}

function replanContext(state: PlanExecuteState, { brief, recall }: PromptContext) {
  return {
    pending_answer: pendingAnswer(state, recall),
    note:
      state.warning !== null
        ? NOTES[state.warning][brief.locale]
        : isEdited(state.plan, recall)
          ? EDITED[brief.locale]
          : null,
  }
}
