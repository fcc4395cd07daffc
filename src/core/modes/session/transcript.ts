/** The conversation as the model is shown it (S1-05): the goal, what was left out in short, then the window. */
import type { Entry, Reading } from '../conversation/entry.ts'
import { leftOutText } from '../conversation/omitted-rounds.ts'
import { messagesOf } from '../conversation/messages.ts'
import type { Message } from '../../terms/effect.ts'
import { cut } from '../../terms/text.ts'
import { entryOf } from './entries.ts'
import { stepTitles } from './plan.ts'
import { planOf, type SessionState } from './state.ts'
import { summaryAt } from './summary.ts'

/** Going on without a word of anybody's: a conversation must not end with the model. */
const GO_ON = { en: 'continue', zh: '继续' }

export function transcript(state: SessionState, reading: Reading): Message[] {
  const { recall, brief } = reading
  const goal: Message = { role: 'user', content: brief.goal }
  const shown = messagesOf(state, (row) => spokenOf(row, state, reading), reading)
  if (state.left_out.turns === 0) return [goal, ...shown]
  const steps = completedBefore(state, reading)
  return [goal, { role: 'user', content: leftOutText(state.left_out, steps, recall, brief.locale) }, ...shown]
}

function completedBefore(state: SessionState, { recall }: Reading): string[] {
  const plan = planOf(state)
  if (plan === null) return []
  const before = plan.ends.filter((end) => (end?.[1] ?? Infinity) < state.window.first).length
  return stepTitles(plan, recall).slice(0, before)
}

/** Going on says so in a word, and brings the progress of a plan along as it was then (S4-19). */
function spokenOf(row: number, state: SessionState, reading: Reading): Entry | null {
  const entry = entryOf(row, reading)
  const continued = state.continued.find(([at]) => at === row)
  if (continued === undefined) return entry
  const { recall, brief } = reading
  const said = entry?.kind === 'user' ? entry.text : GO_ON[brief.locale]
  const plan = planOf(state)
  // An earlier plan, or the list before an edit, is not known any more.
  if (plan === null || (plan.row ?? 0) > row) return { kind: 'user', text: said }
  // At three bytes a character it is less than the window may hold.
  const summary = cut(summaryAt(plan, continued, recall, brief), brief.settings.transcript_token_limit)
  return { kind: 'user', text: `${said}\n\n${summary}` }
}
