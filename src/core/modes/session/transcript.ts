/** The conversation as the model sees it (S1-05): the goal, the summary of omitted rounds, then the window. */
import type { Entry, EntryContext } from '../conversation/entry.ts'
import { omittedText } from '../conversation/omitted-rounds.ts'
import { messagesOf } from '../conversation/messages.ts'
import type { Message } from '../../terms/effect.ts'
import { cut } from '../../terms/text.ts'
import { entryOf } from './entries.ts'
import { stepTitles } from './plan.ts'
import { planOf, type SessionState } from './state.ts'
import { summaryAt } from './summary.ts'

/** The message of the user when the session is continued without a text. A conversation must not end with the model. */
const GO_ON = { en: 'continue', zh: '继续' }

export function transcript(state: SessionState, context: EntryContext): Message[] {
  const { recall, brief } = context
  const goal: Message = { role: 'user', content: brief.goal }
  const messages = messagesOf(state, (row) => entryWithProgress(row, state, context), context)
  if (state.left_out.turns === 0) return [goal, ...messages]
  const steps = stepsCompletedBefore(state, context)
  return [goal, { role: 'user', content: omittedText(state.left_out, steps, recall, brief.locale) }, ...messages]
}

function stepsCompletedBefore(state: SessionState, { recall }: EntryContext): string[] {
  const plan = planOf(state)
  if (plan === null) return []
  const count = plan.ends.filter((end) => (end?.[1] ?? Infinity) < state.window.first).length
  return stepTitles(plan, recall).slice(0, count)
}

/** The message of a row. A row that continues the session also contains the progress of the plan at that time (S4-19). */
function entryWithProgress(row: number, state: SessionState, context: EntryContext): Entry | null {
  const entry = entryOf(row, context)
  const continued = state.continued.find(([at]) => at === row)
  if (continued === undefined) return entry
  const { recall, brief } = context
  const text = entry?.kind === 'user' ? entry.text : GO_ON[brief.locale]
  const plan = planOf(state)
  // An earlier plan, or the list before an edit, is no longer known.
  if (plan === null || (plan.row ?? 0) > row) return { kind: 'user', text }
  // At three bytes per character this is less than the window may hold.
  const summary = cut(summaryAt(plan, continued, recall, brief), brief.settings.transcript_token_limit)
  return { kind: 'user', text: `${text}\n\n${summary}` }
}
