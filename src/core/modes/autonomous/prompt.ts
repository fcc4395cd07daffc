/**
 * The prompt of mode autonomous: one system message, one user message, then replies and results (S1-02, S1-05, S1-33). Later texts
 * of the user stand in that one user message. In a staged run the program's instruction for the stage comes last.
 */
import { omittedText } from '../conversation/omitted-rounds.ts'
import { messagesOf } from '../conversation/messages.ts'
import type { Message, Recall } from '../../terms/effect.ts'
import type { Prompt, PromptContext, ToolSpec } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { shownDate } from '../../workspace/zones.ts'
import { asJson, entryOf } from './entries.ts'
import { programMessages } from './program-messages.ts'
import { withAskUser } from '../../mode/ask-user.ts'
import { WORDS } from '../../mode/autonomous-words.ts'
import { separateReplies } from '../../mode/correction.ts'
import { editedText } from '../plan/items.ts'
import { currentItem, endOf, isEdited, type Plan } from '../plan/plan.ts'
import { remarksOf, REMARKS_CHARS_MAX } from '../plan/remarks.ts'
import { TASKS } from './replies.ts'
import type { AutonomousState } from './state.ts'
import { titlesOfEnded } from './tasks.ts'
import { windowBytes } from '../conversation/entry.ts'
import { CHAR_BYTES, IMAGES_BYTES } from '../../mode/prompt-bytes.ts'
import type { Settings } from '../../terms/settings.ts'

/** Raise when the wording of any prompt changes. */
const VERSION = 8

export function promptFor(state: AutonomousState, _phase: string, context: PromptContext): Prompt {
  const { brief, recall, tools } = context
  const conversation = [
    ...messagesOf(state, entryOf, { recall, brief }),
    ...programMessages(state, state.stage === 'free' ? [] : [stageText(state, context)], context),
  ]
  const messages: Message[] = [
    { role: 'system', content: systemText(state, context) },
    { role: 'user', content: userText(state, context) },
    ...separateReplies(conversation, brief.locale),
  ]
  const offeredTools = withAskUser(tools).map((card): ToolSpec => {
    const { name, description, parameters } = card
    return { name, description: description[brief.locale], parameters }
  })
  const kind = state.stage === 'free' ? 'turn' : 'stage'
  return { version: `autonomous/${kind}@${VERSION}`, messages, tools: offeredTools }
}

/** It is the same from the first turn to the last of a day, so that an endpoint reads it once. */
function systemText({ stage }: AutonomousState, { brief, wall_ms }: PromptContext): string {
  const { locale, timezone } = brief
  const words = WORDS[locale]
  const role = stage === 'free' ? words.autonomous(brief.code_language) : words.staged
  return [role, words.date(shownDate(wall_ms, timezone, locale), timezone)].join('\n\n')
}

function userText(state: AutonomousState, { brief, recall }: PromptContext): string {
  const words = WORDS[brief.locale]
  const { settings, goal } = brief
  const remarks = remarksOf(state, recall)
  return [
    ...(settings.dataset === null ? [] : [words.dataset(settings.dataset)]),
    ...(state.explored === null
      ? []
      : [words.look(datasetSummaryAt(recall, state.explored, settings.observation_char_limit))]),
    words.request(goal),
    ...(state.left_out.turns === 0
      ? []
      : [omittedText(state.left_out, titlesOfEnded(state.plan, 'completed', recall), recall, brief.locale)]),
    ...(remarks.length === 0 ? [] : [[words.remarks, ...remarks.map((text) => `- ${text}`)].join('\n')]),
    ...(state.stage === 'free' && isEdited(state.plan, recall)
      ? [[words.edited, ...taskLines(state.plan, recall)].join('\n')]
      : []),
  ].join('\n\n')
}

function datasetSummaryAt(recall: Recall, row: number, room: number): string {
  const { event } = recall(row)
  return event.kind === 'tool_returned' ? asJson('read_dataset', event, room) : ''
}

const taskLines = (plan: Plan, recall: Recall): string[] =>
  plan.items.flatMap((item, index) => {
    const { title, description, expected_output } = TASKS.textOf(item, recall)
    const notes = [description, expected_output ?? ''].filter((text) => text !== '').map((text) => `  ${text}`)
    return [`- [${endOf(plan, index) === null ? ' ' : 'x'}] ${title}`, ...notes]
  })

const TITLES_CHARS_MAX = 8_000

function stageText(state: AutonomousState, { brief, recall }: PromptContext): string {
  const words = WORDS[brief.locale]
  const { plan, stage } = state
  if (stage === 'plan') return words.plan
  const titles = (how: 'completed' | 'failed') => cut(titlesOfEnded(plan, how, recall).join('; '), TITLES_CHARS_MAX)
  if (stage === 'report' || plan.row === null) return words.report(titles('completed'), titles('failed'))
  const item = currentItem(plan)
  const { title, description, expected_output } = item === null ? editedText() : TASKS.textOf(item, recall)
  const details = [description, expected_output ?? ''].filter((text) => text !== '')
  return [
    words.execute(plan.cursor + 1, plan.items.length, title, details),
    words.code[brief.code_language],
    ...(state.stuck ? [words.recover] : []),
  ].join('\n')
}

/** Instructions and the tools of the mode, in bytes. */
const FIXED_BYTES = 60_000
const GOAL_CHARS = 8_000
/** A list of tasks with the texts that a person wrote about them. */
const LIST_CHARS = 100 * 5_000
/** The summary of omitted rounds. */
const LEFT_OUT_CHARS = 40_000

export function promptBytes(settings: Settings): number {
  const { observation_char_limit } = settings
  const chars = GOAL_CHARS + LIST_CHARS + LEFT_OUT_CHARS + REMARKS_CHARS_MAX + observation_char_limit
  return FIXED_BYTES + IMAGES_BYTES + CHAR_BYTES * chars + windowBytes(settings)
}
