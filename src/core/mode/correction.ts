/** What the next attempt is shown of a reply that was refused: the reply itself, and exactly what was wrong (ruling 33). */
import type { EventOf, Message, Recall } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import type { Locale } from '../terms/locale.ts'
import { cut } from '../terms/text.ts'

type ReplyEvent = EventOf<'model_replied'>

export interface Correction {
  your_reply: string
  problem: string
}

/** Characters of a refused reply, and of what was wrong with it. */
const REPLY_CHARS = 2_000
const PROBLEM_CHARS = 1_000
export const CORRECTION_CHARS = REPLY_CHARS + PROBLEM_CHARS

/** The latest reply, if it was refused and none was accepted since. null: there is nothing to correct. */
export function refusedReply(
  { streak, failed_row }: Pick<Head, 'failed_row'> & { streak: Pick<Head['streak'], 'count'> },
  recall: Recall,
): { row: number; event: ReplyEvent } | null {
  if (streak.count === 0 || failed_row === null) return null
  const { event } = recall(failed_row)
  return event.kind === 'model_replied' ? { row: failed_row, event } : null
}

/** A reply with calls is shown with their names and arguments. */
export function correctionOf({ text, tool_calls = [] }: ReplyEvent, problem: string): Correction {
  const calls = tool_calls.map(({ name, arguments: args }) => `${name} ${args}`)
  const your_reply = cut([text, ...calls].filter((part) => part !== '').join('\n'), REPLY_CHARS)
  return { your_reply, problem: cut(problem, PROBLEM_CHARS) }
}

/** Marks a message of the user's role that the program has written. */
export const PROGRAM: Record<Locale, string> = { en: '[Program]', zh: '【程序】' }

const CORRECTION: Record<Locale, (problem: string) => string> = {
  en: (problem) => `Your last reply was not used: ${problem}. Reply again.`,
  zh: (problem) => `你的上一条回复未被采用：${problem}。请重新回复。`,
}

/** The correction in a conversation: the refused reply, and a message of the program. */
export function correctionMessages({ your_reply, problem }: Correction, locale: Locale): Message[] {
  const reply: Message[] = your_reply === '' ? [] : [{ role: 'assistant', content: your_reply }]
  return [...reply, { role: 'user', content: `${PROGRAM[locale]} ${CORRECTION[locale](problem)}` }]
}

const NEXT_TURN: Record<Locale, string> = { en: `${PROGRAM.en} Go on.`, zh: `${PROGRAM.zh}继续。` }

/** Whether a message only separates two replies. */
export const isNextTurn = ({ role, content }: Message): boolean =>
  role === 'user' && Object.values(NEXT_TURN).includes(content)

/** Puts a message of the program between two replies and behind the last one, because some providers refuse replies in a row. */
export function separateReplies(messages: readonly Message[], locale: Locale): Message[] {
  const next: Message = { role: 'user', content: NEXT_TURN[locale] }
  return messages.flatMap((message, index) => {
    const isEnd = index === messages.length - 1 || messages[index + 1]?.role === 'assistant'
    return message.role === 'assistant' && isEnd ? [message, next] : [message]
  })
}
