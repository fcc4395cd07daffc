/**
 * The prompt of a session, in the language of the goal: one system message that never changes, the conversation, and last one message
 * of the program with the plan as it stands (S4-21, S4-22), the time, and what was wrong. So a request begins as the one before it.
 */
import {
  correctionMessages,
  correctionOf,
  CORRECTION_CHARS,
  PROGRAM,
  refusedReply,
  separateReplies,
} from '../../mode/correction.ts'
import { withAskUser } from '../../mode/ask-user.ts'
import { repeatedTimes } from '../../mode/repeat-guard.ts'
import type { Message } from '../../terms/effect.ts'
import type { Prompt, PromptContext, ToolSpec } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { shownTime } from '../../workspace/zones.ts'
import { arrivedName } from '../files/waits.ts'
import { currentItem } from '../plan/plan.ts'
import { isThink } from './entries.ts'
import { stepsOf, stepTitles, STEPS_MAX } from './plan.ts'
import { toldProblem } from './problems.ts'
import { PROMPT_WORDS, type Words } from './prompt-words.ts'
import { requestAt, ASIDE } from './replies.ts'
import { planOf, type SessionPlan, type SessionState } from './state.ts'
import { stepLines } from './summary.ts'
import { transcript } from './transcript.ts'
import { windowBytes } from '../conversation/entry.ts'
import { wordsAt } from '../conversation/replies.ts'
import { UNANSWERED_CHARS_MAX } from '../conversation/messages.ts'
import { CHAR_BYTES, IMAGES_BYTES } from '../../mode/prompt-bytes.ts'
import type { Recall } from '../../terms/effect.ts'
import type { Settings } from '../../terms/settings.ts'

/** Raise when the wording of any prompt changes. */
const VERSION = 8

export function promptFor(state: SessionState, _phase: string, context: PromptContext): Prompt {
  const { brief, recall } = context
  const conversation = [...transcript(state, { recall, brief }), ...programMessages(state, context)]
  const messages: Message[] = [
    { role: 'system', content: systemText(context) },
    ...separateReplies(conversation, brief.locale),
  ]
  if (state.phase === 'aside') return { version: `${ASIDE}@${VERSION}`, messages }
  return { version: `session/turn@${VERSION}`, messages, tools: offeredTools(context) }
}

const mayAsk = ({ max_clarifications }: Settings): boolean => max_clarifications > 0

function offeredTools({ brief, tools }: PromptContext): ToolSpec[] {
  const { locale, settings } = brief
  const cards = mayAsk(settings) ? withAskUser(tools) : tools
  return cards.map(({ name, description, parameters }) => ({
    name,
    description: isThink(name, brief) ? PROMPT_WORDS[locale].think : description[locale],
    parameters,
  }))
}

function systemText({ brief }: PromptContext): string {
  const words = PROMPT_WORDS[brief.locale]
  const ask = mayAsk(brief.settings) ? words.ask : words.ask_in_text
  return [words.role, ask, words.rules, words.control].join('\n\n')
}

/** The refused reply, if the conversation does not have it, and the message of the program. */
function programMessages(state: SessionState, context: PromptContext): Message[] {
  const { brief, recall, wall_ms } = context
  const words = PROMPT_WORDS[brief.locale]
  const correction = state.phase === 'turning' ? correctionFor(state, context) : []
  const problems = correction.filter(({ role }) => role === 'user').map(({ content }) => content)
  const times = repeatedTimes(state.seen)
  const content = [
    `${PROGRAM[brief.locale]}\n${planText(state, context)}`,
    words.time(shownTime(wall_ms, brief.timezone, brief.locale), brief.timezone),
    ...(state.phase === 'aside' ? [words.aside] : []),
    ...(state.phase === 'turning' && times !== null ? [words.repeated(times)] : []),
    ...(state.phase === 'turning' && state.arrived !== null ? [words.arrived(arrivedName(recall, state.arrived))] : []),
    ...openSteps(state, context),
    ...problems,
  ]
  return [...correction.filter(({ role }) => role === 'assistant'), { role: 'user', content: content.join('\n\n') }]
}

/** What is said to a reply that did not end the run, because steps were open. */
function openSteps(state: SessionState, { brief, recall }: PromptContext): string[] {
  const plan = planOf(state)
  const isLatest = state.kept !== null && state.kept === state.window.reply
  if (state.phase !== 'turning' || !isLatest || plan === null) return []
  const titles = stepTitles(plan, recall).slice(plan.cursor)
  return [PROMPT_WORDS[brief.locale].open_steps(titles.map((title) => cut(title, TITLE_CHARS)))]
}
/** Characters of an open step, as in the lines of the plan. */
const TITLE_CHARS = 120

function correctionFor(state: SessionState, { head, brief, recall }: PromptContext): Message[] {
  const refused = refusedReply(head, recall)
  if (refused === null) return []
  const { text, inConversation } = toldProblem(state, refused.event, { brief, recall })
  const messages = correctionMessages(correctionOf(refused.event, text), brief.locale)
  return inConversation ? messages.filter(({ role }) => role === 'user') : messages
}

/** The part about the plan. It is written again before every turn (S4-18). */
function planText(state: SessionState, { brief, recall }: PromptContext): string {
  const words = PROMPT_WORDS[brief.locale]
  const plan = planOf(state)
  const titles = plan === null ? [] : stepTitles(plan, recall)
  const cursor = plan === null ? 0 : plan.cursor
  const current = titles[cursor]
  const state_lines =
    titles.length === 0
      ? [words.declare]
      : current === undefined
        ? [...stepLines(titles, cursor), words.all_done]
        : [
            words.current(cursor + 1, titles.length, current),
            ...(plan === null ? [] : detailLines(plan, words, recall)),
            ...stepLines(titles, cursor),
          ]
  const answer = state.answering === null ? [] : [words.answering(wordsAt(recall, state.answering))]
  return [
    ...(plan === null ? [] : [words.plan]),
    words.goal(requestAt(recall, state.asked)),
    ...answer,
    ...state_lines,
  ].join('\n')
}

function detailLines(plan: SessionPlan, words: Words, recall: Recall): string[] {
  const item = currentItem(plan)
  if (item === null) return []
  const { description, expected_output } = stepsOf(plan).textOf(item, recall)
  return words.details(description, expected_output ?? '')
}

/** Instructions and the tools of the mode, in bytes. */
const FIXED_BYTES = 50_000
/** The request of the run, and the answer to a question that ended it. */
const ASKED_CHARS = 16_000
/** The lines of a plan with the details of its current step. */
const LINES_CHARS = STEPS_MAX * 130 + 1_200
/** The summary of omitted rounds. */
const LEFT_OUT_CHARS = 40_000
/** Times the lines of the plan stand in the conversation. */
const CONTINUED_MAX = 8

export function promptBytes(settings: Settings): number {
  const around =
    2 * ASKED_CHARS +
    CORRECTION_CHARS +
    LINES_CHARS +
    LEFT_OUT_CHARS +
    UNANSWERED_CHARS_MAX +
    CONTINUED_MAX * LINES_CHARS
  return FIXED_BYTES + IMAGES_BYTES + CHAR_BYTES * around + windowBytes(settings)
}
