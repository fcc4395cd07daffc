/**
 * What the program tells the model at the end of a request: the instruction of the stage, why its last reply was not used, and what has
 * happened since (ruling 33). It is gone with the next reply that is accepted, so the conversation before it stays the same.
 */
import type { Message, Recall } from '../../terms/effect.ts'
import { WORDS } from '../../mode/autonomous-words.ts'
import { correctionMessages, correctionOf, PROGRAM, refusedReply } from '../../mode/correction.ts'
import { briefOf, expectEvent, type PromptContext } from '../../mode/mode.ts'
import { repeatedTimes } from '../../mode/repeat-guard.ts'
import type { Locale } from '../../terms/locale.ts'
import { cut } from '../../terms/text.ts'
import { callAt } from '../conversation/calls.ts'
import { arrivedName } from '../files/waits.ts'
import { entryOf } from './entries.ts'
import { errorOf } from './reply-errors.ts'
import { replyAt, toolCalledByText, type TaggedReply } from './replies.ts'
import type { AutonomousState } from './state.ts'
import { openTasks } from './tasks.ts'

/** Characters of the open tasks that a correction names. */
const OPEN_CHARS_MAX = 4_000

/** `instructions` stand before everything else in the one message. */
export function programMessages(state: AutonomousState, instructions: string[], context: PromptContext): Message[] {
  const { brief } = context
  const refused = refusedMessages(state, context)
  const correction = refused.at(-1)
  const told = newsFor(state, context.recall, brief.locale, correction !== undefined)
  const texts = [
    ...instructions,
    ...(correction === undefined ? [] : [correction.content]),
    ...told.map((text) => `${PROGRAM[brief.locale]} ${text}`),
  ]
  return [
    ...refused.slice(0, -1),
    ...(texts.length === 0 ? [] : [{ role: 'user' as const, content: texts.join('\n\n') }]),
  ]
}

/** The refused reply, unless the conversation ends with it, and what was wrong with it. Empty: no reply was refused. */
function refusedMessages(state: AutonomousState, { head, recall, brief }: PromptContext): Message[] {
  const refused = refusedReply(head, recall)
  const problem = refused === null ? null : errorOf(state, refused.event, { brief, recall })
  if (refused === null || problem === null) return []
  const messages = correctionMessages(correctionOf(refused.event, problem), brief.locale)
  return entryOf(refused.row, { recall, brief }) === null ? messages : messages.slice(-1)
}

function newsFor(state: AutonomousState, recall: Recall, locale: Locale, isCorrected: boolean): string[] {
  const words = WORDS[locale]
  const times = repeatedTimes(state.seen)
  const { tool } = state.by === null || times === null ? { tool: '' } : callAt(recall, state.by, state.calls - 1)
  return [
    ...(state.idle === null || isCorrected ? [] : [idleText(state, state.idle, recall, locale)]),
    ...(times === null ? [] : [words.repeated(cut(tool, 100), times)]),
    ...(state.arrived === null ? [] : [words.arrived(arrivedName(recall, state.arrived))]),
  ]
}

/** What is said to a reply that neither called a tool nor ended the run. */
function idleText(state: AutonomousState, row: number, recall: Recall, locale: Locale): string {
  const words = WORDS[locale]
  const tool = toolCalledByText(expectEvent(recall(row), 'model_replied'), briefOf(recall))
  if (tool !== null) return words.writtenCall(tool)
  const reply = replyAt(recall, row)
  const code = hasCode(reply) ? words.fencedCode : ''
  const open = openTasks(state.plan, recall)
  if (state.kept === null || state.stage !== 'free' || open.length === 0) return `${words.idle}${code}`
  return words.openEnd(cutList(open), open.length, reply.tasks !== null)
}

/** The languages of a fence that is no code to be run. */
const TEXTS = ['markdown', 'md', 'text', 'txt', 'json', 'csv', 'html']

/** Whether the text outside the blocks has code in a fence, which nobody runs. */
function hasCode({ report }: TaggedReply): boolean {
  const fences = report.split('\n').filter((line) => line.trimStart().startsWith('```'))
  const languages = fences.filter((_, index) => index % 2 === 0).map((line) => line.trim().slice(3).toLowerCase())
  return languages.some((language) => !TEXTS.includes(language))
}

function cutList(titles: readonly string[]): string[] {
  let chars = 0
  return titles.filter((title) => (chars += title.length) <= OPEN_CHARS_MAX)
}
