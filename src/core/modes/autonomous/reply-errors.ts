/** What is wrong with a reply, as text for the model. Each error is a contract failure. */
import { EMPTY_REPLY, isEmpty } from '../conversation/replies.ts'
import type { Brief, EventOf, Recall } from '../../terms/effect.ts'
import { cutReason } from '../../mode/reply.ts'
import { reportRow } from './report.ts'
import { replyIn, type TaggedReply } from './replies.ts'
import type { AutonomousState } from './state.ts'
import { listError } from './tasks.ts'

const NO_REPORT = 'the end marker stands in a reply without a report: write the report, and the marker behind it'
const NO_PLAN = 'the plan has no <tasks> block with lines of the form "- [ ] name"'

/** The error of a reply. null: there is none. */
export const errorOf = (
  state: ReportState,
  event: EventOf<'model_replied'>,
  { brief, recall }: { brief: Brief; recall: Recall },
): string | null => cutReason(event) ?? replyError(state, replyIn(event, brief), recall)

type ReportState = Pick<AutonomousState, 'stage' | 'idle' | 'kept'>

function replyError(state: ReportState, reply: TaggedReply, recall: Recall): string | null {
  if (isEmpty(reply)) return EMPTY_REPLY
  const error = listError(reply)
  if (error !== null || reply.calls.length > 0) return error
  const { stage } = state
  if (stage === 'plan' && reply.tasks === null) return NO_PLAN
  if (reply.report !== '') return null
  // An earlier reply, which called no tool, can be the report.
  const isWithout = stage === 'free' && reply.says_complete && reportRow(state, reply, recall) === null
  return stage === 'report' || isWithout ? NO_REPORT : null
}
