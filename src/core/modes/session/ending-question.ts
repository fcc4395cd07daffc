/** Whether an answer is a question to the user, so that the next text goes on with its run. */
import type { HandlerContext } from '../../mode/mode.ts'
import { currentItem } from '../plan/plan.ts'
import type { MarkedReply } from './replies.ts'
import { planOf, type SessionState } from './state.ts'

/** Whether an answer asks the user for something that its run needs. A finished plan needs nothing more. */
export function endsWithQuestion(
  state: SessionState,
  reply: MarkedReply,
  { brief }: Pick<HandlerContext, 'brief'>,
): boolean {
  if (brief.settings.strict_replies || reply.says_done || reply.says_reached || reply.verdict !== null) return false
  const plan = planOf(state)
  return (plan === null || currentItem(plan) !== null) && asksSomething(reply.visible_text)
}

/** A question whether the user wants more ends the run, as a full stop does. */
const COURTESY =
  /anything else|something else|help you|help with|else I can|would you like|还有(?:什么|其他|别的)|其他(?:问题|需要)|需要我|还需要/i

function asksSomething(text: string): boolean {
  const end = text.trimEnd()
  if (!['?', '？'].includes(end.at(-1) ?? '')) return false
  const sentence =
    end
      .slice(0, -1)
      .split(/[.!?。！？\n]/)
      .at(-1) ?? ''
  return !COURTESY.test(sentence)
}
