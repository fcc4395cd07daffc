/** The window of a conversation as messages. The results of a reply's calls follow it directly, and later remarks follow the results (S1-05). */
import type { Message } from '../../terms/effect.ts'
import type { ImageRef } from '../../terms/files/images.ts'
import type { Locale } from '../../terms/locale.ts'
import { withNewestImages } from '../files/shown-images.ts'
import { type Entry, type EntryOf, type EntryContext, wordsIn } from './entry.ts'
import type { Conversation } from './window.ts'

/** The result of a call that is not made yet, when a side turn comes in between. */
const NOT_YET: Record<Locale, string> = { en: 'not made yet: the task is paused', zh: '尚未执行：任务已暂停' }

/** The result of a call, with the images beside it. */
interface Answer {
  text: string
  images?: readonly ImageRef[] | undefined
}

/** A reply whose calls are not all answered yet, and the messages that came behind it meanwhile. */
interface OpenReply {
  row: number
  ids: readonly string[]
  answers: Map<number, Answer>
  behind: Message[]
}

export function messagesOf(state: Conversation, entryOf: EntryOf, context: EntryContext): Message[] {
  const messages: Message[] = []
  let open: OpenReply | null = null
  const close = () => {
    if (open !== null) messages.push(...answersOf(open, NOT_YET[context.brief.locale]), ...open.behind)
    open = null
  }
  for (const [row, entry] of entriesOf(state, entryOf, context)) {
    if (entry.kind === 'tool') {
      // The reply of this call may be omitted already.
      if (open === null || entry.by !== open.row) continue
      open.answers.set(entry.call, entry)
      if (entry.words !== undefined) open.behind.push({ role: 'user', content: entry.words })
      if (open.answers.size === open.ids.length) close()
    } else if (entry.kind === 'assistant' && entry.calls.length > 0) {
      close()
      messages.push({ ...assistantMessage(entry), tool_calls: [...entry.calls] })
      open = { row, ids: entry.calls.map(({ id }) => id), answers: new Map(), behind: [] }
    } else {
      const target: Message[] = open === null ? messages : open.behind
      target.push(entry.kind === 'user' ? { role: 'user', content: entry.text } : assistantMessage(entry))
    }
  }
  close()
  return withNewestImages(messages, context.brief.locale)
}

const assistantMessage = ({ text, reasoning }: Extract<Entry, { kind: 'assistant' }>) => ({
  role: 'assistant' as const,
  content: text,
  ...(reasoning === undefined ? {} : { reasoning }),
})

const answersOf = ({ ids, answers }: OpenReply, placeholder: string): Message[] =>
  ids.map((id, call) => {
    const { text, images = [] } = answers.get(call) ?? { text: placeholder }
    const answer = { role: 'tool' as const, tool_call_id: id, content: text }
    return images.length === 0 ? answer : { ...answer, images: [...images] }
  })

/** The most characters of user texts since the latest reply, the newest first. The window does not bound these. */
export const UNANSWERED_CHARS_MAX = 100_000

function entriesOf({ window }: Conversation, entryOf: EntryOf, context: EntryContext): [number, Entry][] {
  const { first, last, reply } = window
  const entries: [number, Entry][] = []
  let unanswered_chars = 0
  for (let row = last; row >= first; row--) {
    const entry = entryOf(row, context)
    if (entry === null) continue
    unanswered_chars += row > (reply ?? 0) ? (wordsIn(entry)?.length ?? 0) : 0
    if (unanswered_chars <= UNANSWERED_CHARS_MAX || wordsIn(entry) === null) entries.push([row, entry])
    // A call keeps its result, also without the user's text.
    else if (entry.kind === 'tool') entries.push([row, { ...entry, words: undefined }])
  }
  return entries.toReversed()
}
