/** What is wrong with a reply, as text for the model. Each error is a contract failure. */
import { EMPTY_REPLY, isEmpty } from '../conversation/replies.ts'
import type { Brief, EventOf } from '../../terms/effect.ts'
import { CUT_REPLY } from '../../mode/reply.ts'
import { replyIn, type TaggedReply } from './replies.ts'
import type { AutonomousState } from './state.ts'
import { listError } from './tasks.ts'

const NO_REPORT = 'the end marker stands in a reply without a report: write the report, and the marker behind it'
const NO_PLAN = 'the plan has no <tasks> block with lines of the form "- [ ] name"'

/** The error of a reply. null: there is none. */
export const errorOf = (
  state: Pick<AutonomousState, 'stage' | 'idle'>,
  event: EventOf<'model_replied'>,
  brief: Brief,
) => (event.finish === 'length' ? CUT_REPLY : replyError(state, replyIn(event, brief)))

function replyError({ stage, idle }: Pick<AutonomousState, 'stage' | 'idle'>, reply: TaggedReply): string | null {
  if (isEmpty(reply)) return EMPTY_REPLY
  const error = listError(reply)
  if (error !== null || reply.calls.length > 0) return error
  if (stage === 'plan' && reply.tasks === null) return NO_PLAN
  // The reply before, which called no tool, can be the report.
  const needsReport = stage === 'report' || (stage === 'free' && reply.says_complete && idle === null)
  return needsReport && reply.report === '' ? NO_REPORT : null
}
