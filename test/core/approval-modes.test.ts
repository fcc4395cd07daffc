/** The gate of approvals with modes that know nothing of it: nothing they want is done without a word (U15). */
import { describe, expect, it } from 'vitest'
import { answerApproval, approvalAfter, openApproval } from '../../src/core/engine/approval.ts'
import type { EventOf } from '../../src/core/terms/effect.ts'
import type { Approval, Head } from '../../src/core/terms/head.ts'
import type { HandlerContext } from '../../src/core/mode/mode.ts'
import { modeOf, type AnyMode } from '../../src/core/modes/index.ts'
import { head, thinking, ticket, replied, value } from '../support/held.ts'
import { act } from '../support/scripted.ts'

type Verdict = EventOf<'approval_answered'>['verdict']

/** plan_execute without its own ways past an approval. */
const plain = modeOf('plan_execute')
const deaf: AnyMode = {
  ...plain,
  transitions: Object.fromEntries(
    Object.entries(plain.transitions).map(([phase, table]) => [phase, { ...table, approval_answered: undefined }]),
  ),
}

function waiting(approve: 'plan' | 'actions', approval: Approval) {
  const one = thinking({ approve: 'none' })
  if (approve === 'actions') value(one.task.commit(3, replied(act()), ticket('s1', 'nothing')))
  const { recall } = one.rows
  const before: Head = { ...head(one), approval }
  const answer = (verdict: Verdict, mode = deaf, request = approval.row) => {
    const event = { kind: 'approval_answered' as const, request, verdict, text: 'so', action: null }
    const context: HandlerContext = {
      task: before.id,
      seq: 9,
      brief: briefIn(one),
      recall,
      elapsed_ms: 0,
      awaits: approval.kind,
    }
    const turn = answerApproval(before, mode, event, context)
    const after: Head = { ...before, ...turn.head, state: turn.state }
    const gated = approvalAfter(before, after, mode, { event, seq: 9, approve, recall })
    return { turn, open: openApproval({ approval: gated }), gated }
  }
  return { answer }
}
function briefIn({ rows }: ReturnType<typeof thinking>) {
  const { event } = rows.recall(1)
  if (event.kind !== 'task_created') throw new Error('no brief')
  return event.brief
}

const PLAN: Approval = { kind: 'plan', row: 2 }
const ACTION: Approval = { kind: 'action', row: 3, by: 3, call: 0, given: false }
const ABORTED = { status: 'failed', reason: 'aborted' }

describe('a mode without a way past an approval', () => {
  it.each([PLAN, ACTION])('U15 a rejection ends the task: $kind', (approval) => {
    const { turn } = waiting(approval.kind === 'plan' ? 'plan' : 'actions', approval).answer('rejected')
    expect(turn.stop).toEqual(ABORTED)
  })

  it.each([PLAN, ACTION])('U15 a change is a remark, and it is asked again: $kind', (approval) => {
    const { turn, open } = waiting(approval.kind === 'plan' ? 'plan' : 'actions', approval).answer('changes')
    expect([turn.stop, open?.kind, open?.row]).toEqual([undefined, approval.kind, 9])
    // What is said while an action is chosen is looked at behind it.
    expect(turn.state).toMatchObject({ remarks: [9] })
  })

  it('U15 what is approved goes on', () => {
    expect(waiting('plan', PLAN).answer('approved').gated).toBeNull()
    expect(waiting('actions', ACTION).answer('approved').gated).toEqual({ ...ACTION, given: true })
  })
})

describe('a word for another request', () => {
  it.each(['approved', 'rejected', 'changes'] as const)('U15 changes nothing (%s)', (verdict) => {
    for (const mode of [plain, deaf]) {
      const { turn, open } = waiting('actions', ACTION).answer(verdict, mode, 2)
      expect([turn.notes, turn.stop, open]).toEqual([[], undefined, ACTION])
    }
  })
})
