/**
 * The prompt of a model that drives itself: one system message, one user message, then its replies and the results (S1-02, S1-05, S1-33).
 * What the user says later stands in that one message. In the staged variant the program's word for the stage comes last.
 */
import { leftOutText } from '../conversation/left-out.ts'
import { wordsAt } from '../conversation/reading.ts'
import { messagesOf } from '../conversation/messages.ts'
import type { Message, Recall } from '../../terms/effect.ts'
import type { Prompt, PromptContext, ToolSpec } from '../../mode/mode.ts'
import { newestWithin } from '../../terms/values/bounded-list.ts'
import { cut } from '../../terms/text.ts'
import { localTime } from '../../workspace/zones.ts'
import { asJson, entryOf } from './entries.ts'
import { flawIn } from './flaws.ts'
import { WORDS, type Words } from './prompt-words.ts'
import { detailsOf, saidIn, titleOf } from './said.ts'
import { cursorOf, type AutonomousState, type Tasks } from './state.ts'
import { titlesOf } from './tasks.ts'

/** Raise when the wording of any prompt changes. */
const VERSION = 1

/** Characters of what the user said on the way, the newest first. */
export const REMARKS_CHARS_MAX = 100_000

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
  const reason = event.kind === 'model_replied' ? flawIn(state, saidIn(event)) : null
  return reason === null ? [] : [words.broken(reason)]
}

function userText(state: AutonomousState, { brief, recall }: PromptContext): string {
  const words = WORDS[brief.locale]
  const { settings, goal } = brief
  const said = newestWithin(
    state.remarks,
    (row) => wordsAt(recall, row),
    (text) => text.length,
    REMARKS_CHARS_MAX,
  )
  return [
    ...(settings.dataset === null ? [] : [words.dataset(settings.dataset)]),
    ...(state.explored === null ? [] : [words.look(lookAt(recall, state.explored, settings.observation_char_limit))]),
    words.request(goal),
    ...(state.left_out.turns === 0
      ? []
      : [leftOutText(state.left_out, titlesOf(state.tasks, 'done', recall), recall, brief.locale)]),
    ...(said.length === 0 ? [] : [[words.remarks, ...said.map((text) => `- ${text}`)].join('\n')]),
    ...(isByHand(state, recall) ? [[words.edited, ...taskLines(state.tasks, recall)].join('\n')] : []),
  ].join('\n\n')
}

function lookAt(recall: Recall, row: number, room: number): string {
  const { event } = recall(row)
  return event.kind === 'tool_returned' ? asJson('read_dataset', event, room) : ''
}

const isByHand = ({ tasks, stage }: AutonomousState, recall: Recall) =>
  stage === 'free' && tasks !== null && recall(tasks.row).event.kind === 'plan_edited'

const taskLines = (tasks: Tasks | null, recall: Recall): string[] =>
  (tasks?.items ?? []).flatMap((item) => {
    const { title, description, expected_output } = detailsOf(item, recall)
    const notes = [description, expected_output ?? ''].filter((text) => text !== '').map((text) => `  ${text}`)
    return [`- [${item[3] === 'open' ? ' ' : 'x'}] ${title}`, ...notes]
  })

const TITLES_CHARS_MAX = 8_000

function stageText(state: AutonomousState, { brief, recall }: PromptContext): string {
  const words = WORDS[brief.locale]
  const { tasks, stage } = state
  if (stage === 'plan') return words.plan
  const titles = (is: 'done' | 'failed') => cut(titlesOf(tasks, is, recall).join('; '), TITLES_CHARS_MAX)
  if (stage === 'report' || tasks === null) return words.report(titles('done'), titles('failed'))
  const cursor = cursorOf(tasks)
  const item = tasks.items[cursor]
  const { description = '', expected_output = null } = item === undefined ? {} : detailsOf(item, recall)
  const details = [description, expected_output ?? ''].filter((text) => text !== '')
  const title = item === undefined ? '' : titleOf(item, recall)
  return [
    words.execute(cursor + 1, tasks.items.length, title, details),
    words.code[brief.code_language],
    ...(state.stuck ? [words.recover] : []),
  ].join('\n')
}
