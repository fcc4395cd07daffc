/** The window of a conversation as messages: every call of a reply is answered right behind it; what was said meanwhile comes after that (S1-05). */
import type { Message } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { type Entry, type EntryOf, type Reading, wordsIn } from './entry.ts'
import type { Conversation } from './window.ts'

/** Of a call that is still to be made, when something is asked in between. */
const NOT_YET: Record<Locale, string> = { en: 'not made yet: the task is paused', zh: '尚未执行：任务已暂停' }

/** A reply whose calls are not all answered yet, and what came behind it in the meantime. */
interface Open {
  row: number
  ids: readonly string[]
  answers: Map<number, string>
  behind: Message[]
}

export function messagesOf(state: Conversation, entryOf: EntryOf, reading: Reading): Message[] {
  const messages: Message[] = []
  let open: Open | null = null
  const close = () => {
    if (open !== null) messages.push(...answersOf(open, NOT_YET[reading.brief.locale]), ...open.behind)
    open = null
  }
  for (const [row, entry] of entriesOf(state, entryOf, reading)) {
    if (entry.kind === 'tool') {
      // The reply of one that is left over may be left out already.
      if (open === null || entry.by !== open.row) continue
      open.answers.set(entry.call, entry.text)
      if (entry.words !== undefined) open.behind.push({ role: 'user', content: entry.words })
      if (open.answers.size === open.ids.length) close()
    } else if (entry.kind === 'assistant' && entry.calls.length > 0) {
      close()
      messages.push({ role: 'assistant', content: entry.text, tool_calls: [...entry.calls] })
      open = { row, ids: entry.calls.map(({ id }) => id), answers: new Map(), behind: [] }
    } else {
      const target: Message[] = open === null ? messages : open.behind
      target.push({ role: entry.kind, content: entry.text })
    }
  }
  close()
  return messages
}

const answersOf = ({ ids, answers }: Open, missing: string): Message[] =>
  ids.map((id, call) => ({ role: 'tool', tool_call_id: id, content: answers.get(call) ?? missing }))

/** Characters of what was said since the latest reply, the newest first: nobody has left anything out of that. */
export const UNHEARD_CHARS_MAX = 100_000

function entriesOf({ window }: Conversation, entryOf: EntryOf, reading: Reading): [number, Entry][] {
  const { first, last, reply } = window
  const entries: [number, Entry][] = []
  let unheard = 0
  for (let row = last; row >= first; row--) {
    const entry = entryOf(row, reading)
    if (entry === null) continue
    unheard += row > (reply ?? 0) ? (wordsIn(entry)?.length ?? 0) : 0
    if (unheard <= UNHEARD_CHARS_MAX || wordsIn(entry) === null) entries.push([row, entry])
    // A call has its result, whatever was said with it.
    else if (entry.kind === 'tool') entries.push([row, { ...entry, words: undefined }])
  }
  return entries.toReversed()
}
