/** What is wrong with a reply, in words for the model that has to do better; each is a contract failure. */
import { EMPTY_REPLY, isEmpty } from '../conversation/replies.ts'
import type { TaggedReply } from './replies.ts'
import type { AutonomousState } from './state.ts'
import { listError } from './tasks.ts'

const NO_REPORT = 'the end marker stands in a reply without a report: write the report, and the marker behind it'
const NO_PLAN = 'the plan has no <tasks> block with lines of the form "- [ ] name"'

/** null: nothing. */
export function replyError({ stage, idle }: Pick<AutonomousState, 'stage' | 'idle'>, said: TaggedReply): string | null {
  if (isEmpty(said)) return EMPTY_REPLY
  const flaw = listError(said)
  if (flaw !== null || said.calls.length > 0) return flaw
  if (stage === 'plan' && said.tasks === null) return NO_PLAN
  // What was said just before can be the report.
  const needsReport = stage === 'report' || (stage === 'free' && said.says_complete && idle === null)
  return needsReport && said.report === '' ? NO_REPORT : null
}
