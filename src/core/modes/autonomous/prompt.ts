/**
 * The prompt of a model that drives itself: one system message, one user message, then its replies and the results (S1-02, S1-05, S1-33).
 * What the user says later stands in that one message. In the staged variant the program's word for the stage comes last.
 */
import { leftOutText } from '../conversation/omitted-rounds.ts'
import { messagesOf } from '../conversation/messages.ts'
import type { Message, Recall } from '../../terms/effect.ts'
import type { Prompt, PromptContext, ToolSpec } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { localTime } from '../../workspace/zones.ts'
import { asJson, entryOf } from './entries.ts'
import { replyError } from './reply-errors.ts'
import { WORDS, type Words } from './prompt-words.ts'
import { editedText } from '../plan/items.ts'
import { currentItem, endOf, isEdited, type Plan } from '../plan/plan.ts'
import { remarksOf, REMARKS_CHARS_MAX } from '../plan/remarks.ts'
import { replyIn, TASKS } from './replies.ts'
import type { AutonomousState } from './state.ts'
import { titlesOfEnded } from './tasks.ts'
import { windowBytes } from '../conversation/entry.ts'
import { CHAR_BYTES } from '../../mode/prompt-bytes.ts'
import type { Settings } from '../../terms/settings.ts'

/** Raise when the wording of any prompt changes. */
const VERSION = 1

export function promptFor(state: AutonomousState, _phase: string, context: PromptContext): Prompt {
  const { brief, recall, tools } = context
  const user: Message = { role: 'user', content: userText(state, context) }
  const messages = [
    { role: 'system' as const, content: systemText(state, context) },
    user,
    ...messagesOf(state, entryOf, { recall, brief }),
    ...(state.stage === 'free' ? [] : [{ role: 'user' as const, content: stageText(state, context) }]),
  ]
  const offered = tools.map(({ name, description, python, parameters }): ToolSpec => {
    const said = brief.code_language === 'python' && python !== undefined ? python : description
    return { name, description: said[brief.locale], parameters }
  })
  const kind = state.stage === 'free' ? 'turn' : 'stage'
  return { version: `autonomous/${kind}@${VERSION}`, messages, tools: offered }
}

function systemText(state: AutonomousState, { head, brief, recall, wall_ms }: PromptContext): string {
  const words = WORDS[brief.locale]
  return [
    state.stage === 'free' ? words.autonomous(brief.code_language) : words.staged,
    words.time(localTime(wall_ms, brief.timezone), brief.timezone),
    ...(state.idle === null ? [] : [words.idle]),
    ...(head.streak.count > 0 && head.failed_row !== null ? brokenWords(words, recall, head.failed_row, state) : []),
  ].join('\n\n')
}

/** Nothing of a reply that broke its contract is in the conversation: it has to be told of. */
function brokenWords(words: Words, recall: Recall, row: number, state: AutonomousState): string[] {
  const { event } = recall(row)
  const reason = event.kind === 'model_replied' ? replyError(state, replyIn(event)) : null
  return reason === null ? [] : [words.broken(reason)]
}

function userText(state: AutonomousState, { brief, recall }: PromptContext): string {
  const words = WORDS[brief.locale]
  const { settings, goal } = brief
  const said = remarksOf(state, recall)
  return [
    ...(settings.dataset === null ? [] : [words.dataset(settings.dataset)]),
    ...(state.explored === null ? [] : [words.look(lookAt(recall, state.explored, settings.observation_char_limit))]),
    words.request(goal),
    ...(state.left_out.turns === 0
      ? []
      : [leftOutText(state.left_out, titlesOfEnded(state.plan, 'completed', recall), recall, brief.locale)]),
    ...(said.length === 0 ? [] : [[words.remarks, ...said.map((text) => `- ${text}`)].join('\n')]),
    ...(state.stage === 'free' && isEdited(state.plan, recall)
      ? [[words.edited, ...taskLines(state.plan, recall)].join('\n')]
      : []),
  ].join('\n\n')
}

function lookAt(recall: Recall, row: number, room: number): string {
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
/** Of a list of tasks with what was written of them by hand. */
const LIST_CHARS = 100 * 5_000
/** Of what stands in the place of earlier rounds. */
const LEFT_OUT_CHARS = 40_000

export function promptBytes(settings: Settings): number {
  const { observation_char_limit } = settings
  const around = GOAL_CHARS + LIST_CHARS + LEFT_OUT_CHARS + REMARKS_CHARS_MAX + observation_char_limit
  return FIXED_BYTES + CHAR_BYTES * around + windowBytes(settings)
}
