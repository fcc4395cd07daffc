/**
 * The conversation as the model is shown it (S1-05): the goal, what was left out in short, then the window. Every call of a reply is
 * answered right behind it; what was said meanwhile comes after that.
 */
import type { Message } from '../../effect.ts'
import { cut } from '../../text.ts'
import { entryOf, wordsIn, type Entry, type Reading } from './entries.ts'
import { leftOutText } from './left-out.ts'
import { titlesOf } from './plan.ts'
import { planOf, type State } from './state.ts'
import { summaryAt } from './summary.ts'

/** Going on without a word of anybody's: a conversation must not end with the model. */
const GO_ON = { en: 'continue', zh: '继续' }
/** Of a call that is still to be made, when something is asked in between. */
const NOT_YET = { en: 'not made yet: the task is paused', zh: '尚未执行：任务已暂停' }

export function transcript(state: State, reading: Reading): Message[] {
  const { recall, brief } = reading
  const goal: Message = { role: 'user', content: brief.goal }
  const shown = messagesOf(state, reading)
  if (state.left_out.turns === 0) return [goal, ...shown]
  const steps = completedBefore(state, reading)
  return [goal, { role: 'user', content: leftOutText(state.left_out, steps, recall, brief.locale) }, ...shown]
}

function completedBefore(state: State, { recall, brief }: Reading): string[] {
  const plan = planOf(state)
  if (plan === null) return []
  const before = plan.done.filter(([row]) => row < state.window.first).length
  return titlesOf(plan, recall, brief).slice(0, before)
}

/** A reply whose calls are not all answered yet, and what came behind it in the meantime. */
interface Open {
  row: number
  ids: readonly string[]
  answers: Map<number, string>
  behind: Message[]
}

function messagesOf(state: State, reading: Reading): Message[] {
  const messages: Message[] = []
  let open: Open | null = null
  const close = () => {
    if (open !== null) messages.push(...answersOf(open, NOT_YET[reading.brief.locale]), ...open.behind)
    open = null
  }
  for (const [row, entry] of entriesOf(state, reading)) {
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
const UNHEARD_CHARS_MAX = 100_000

function entriesOf(state: State, reading: Reading): [number, Entry][] {
  const { first, last, reply } = state.window
  const entries: [number, Entry][] = []
  let unheard = 0
  for (let row = last; row >= first; row--) {
    const entry = spokenOf(row, state, reading)
    if (entry === null) continue
    unheard += row > (reply ?? 0) ? (wordsIn(entry)?.length ?? 0) : 0
    if (unheard <= UNHEARD_CHARS_MAX || wordsIn(entry) === null) entries.push([row, entry])
    // A call has its result, whatever was said with it.
    else if (entry.kind === 'tool') entries.push([row, { ...entry, words: undefined }])
  }
  return entries.toReversed()
}

/** Going on says so in a word, and brings the progress of a plan along as it was then (S4-19). */
function spokenOf(row: number, state: State, reading: Reading): Entry | null {
  const entry = entryOf(row, reading)
  const continued = state.continued.find(([at]) => at === row)
  if (continued === undefined) return entry
  const { recall, brief } = reading
  const said = entry?.kind === 'user' ? entry.text : GO_ON[brief.locale]
  const plan = planOf(state)
  // An earlier plan, or the list before an edit, is not known any more.
  if (plan === null || plan.row > row || (plan.edited?.row ?? 0) > row) return { kind: 'user', text: said }
  // At three bytes a character it is less than the window may hold.
  const summary = cut(summaryAt(plan, continued, recall, brief), brief.settings.transcript_token_limit)
  return { kind: 'user', text: `${said}\n\n${summary}` }
}
