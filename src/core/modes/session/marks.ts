/** The marks of a reply beside the plan: models repeat marks of steps that have ended, and these say nothing new. */
import { marksOfLines } from '../../mode/markup.ts'
import type { Recall } from '../../terms/effect.ts'
import { stepTitles } from './plan.ts'
import { replyAt, type MarkedReply } from './replies.ts'
import { planOf, type SessionState } from './state.ts'

/** The state before a reply has ended steps. */
export function beforeReply(state: SessionState, row: number): SessionState {
  const { plan } = state
  if (plan === null) return state
  const ended = plan.ends.filter((end) => end?.[1] === row).length
  return { ...state, plan: { ...plan, cursor: plan.cursor - ended } }
}

/** The reply of a row without marks on lines that begin with the title of a step which had ended before, and of no other. */
export function replyWithNews(state: SessionState, row: number, recall: Recall): MarkedReply {
  const reply = replyAt(recall, row)
  const plan = planOf(beforeReply(state, row))
  if (plan === null || plan.cursor === 0 || reply.marked_lines.length === 0) return reply
  const titles = stepTitles(plan, recall).map(bareTitle)
  const [ended, open] = [titles.slice(0, plan.cursor), titles.slice(plan.cursor)]
  const lines = reply.marked_lines.filter(({ text }) => {
    const names = (title: string) => isNamed(bareTitle(text), title)
    return !ended.some(names) || open.some(names)
  })
  return { ...reply, ...marksOfLines(lines) }
}

/** A title without what stands before it in a list: a bullet, a number, `Step 1:`. */
function bareTitle(text: string): string {
  const title = fromLetter(text)
  return (/^(?:step|步骤)\s?\d/iu.test(title) ? fromLetter(title.slice(title.search(/\d/))) : title)
    .toLowerCase()
    .trim()
}

function fromLetter(text: string): string {
  const at = text.search(/\p{L}/u)
  return at === -1 ? '' : text.slice(at)
}

/** Whether a line begins with a title, and not with a longer word. */
const isNamed = (line: string, title: string): boolean =>
  title !== '' && line.startsWith(title) && !/^[a-z0-9]{2}/.test(`${title.at(-1) ?? ''}${line[title.length] ?? ''}`)
