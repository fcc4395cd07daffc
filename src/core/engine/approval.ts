/**
 * Approvals (U15): with `approve: plan` the first plan, with `approve: actions` each action waits for a person. The gate stands in
 * the engine, between what a mode wants and what is begun; a mode only says how it goes on without what was not approved.
 */
import type { Event, EventOf, Note, Recall } from '../terms/effect.ts'
import type { Approval, Head } from '../terms/head.ts'
import type { Settings } from '../terms/settings.ts'
import { briefOf, type Context } from '../mode/mode.ts'
import type { AnyMode } from '../modes/index.ts'
import { tell, type ModeTransition } from './apply-event-to-mode.ts'
import { approvalQuestion } from '../terms/text.ts'

/** On a task whose plan was rejected. */
const ABORTED = 'aborted'

/** The action under approval, as it would be run. */
export interface ProposedAction {
  tool: string
  input: string
  item_id: string | null
}

export const approvalId = ({ row }: Approval) => `approval_${row}`

/** What waits for a person's word; null: nothing does. */
export function openApproval({ approval }: Pick<Head, 'approval'>): Approval | null {
  return approval === null || (approval.kind === 'action' && approval.given) ? null : approval
}

const APPROVES: ReadonlySet<string> = new Set(['approve', 'yes', 'ok', '同意', '批准'])
const REJECTS: ReadonlySet<string> = new Set(['reject', 'no', '拒绝'])

/** One word decides, whatever its case and the dot behind it; any other text says what is to be changed. */
function verdictOf(text: string): 'approved' | 'rejected' | 'changes' {
  const word = text
    .trim()
    .replace(/(?<![.。!！])[.。!！]+$/, '')
    .trimEnd()
    .toLowerCase()
  if (APPROVES.has(word)) return 'approved'
  return REJECTS.has(word) ? 'rejected' : 'changes'
}

/** What a text means for the approval that is open. */
export function approvalAnswer(approval: Approval, text: string): Event {
  const action = approval.kind === 'plan' ? null : { by: approval.by, call: approval.call }
  return { kind: 'approval_answered', request: approval.row, verdict: verdictOf(text), text, action }
}

/** The action a task would run next; null: none. */
function nextAction({ state }: Head, mode: AnyMode, recall: Recall) {
  const next = mode.next(state, recall)
  return next.kind === 'run' && next.effect.kind === 'run_tool' ? next.effect : null
}

/** Whether the plan is still to be made. */
const isPlanning = (state: Head['state'], mode: AnyMode): boolean =>
  mode.planning.has(state.phase) || mode.makesPlan?.(state) === true

/** What has to be approved after row `seq`, whose event took the task from `before` to `after`. */
export function approvalAfter(
  before: Head,
  after: Head,
  mode: AnyMode,
  { event, seq, approve, recall }: { event: Event; seq: number; approve: Settings['approve']; recall: Recall },
): Approval | null {
  if (after.end !== null || approve === 'none') return null
  const { approval } = after
  if (approve === 'plan') {
    // A plan that was edited meanwhile is another one.
    if (approval !== null) return event.kind === 'plan_edited' ? { kind: 'plan', row: seq } : approval
    const isMade = isPlanning(before.state, mode) && !isPlanning(after.state, mode)
    return isMade ? { kind: 'plan', row: seq } : null
  }
  const action = nextAction(after, mode, recall)
  if (action === null) return null
  const { by, call } = action
  const isKnown = approval?.kind === 'action' && approval.by === by && approval.call === call
  return isKnown ? approval : { kind: 'action', row: seq, by, call, given: false }
}

/** The action that waits for its approval, with its input; null for a plan. */
export function proposedAction(head: Head, mode: AnyMode, recall: Recall): ProposedAction | null {
  const action = head.approval?.kind === 'action' ? nextAction(head, mode, recall) : null
  return action === null ? null : { tool: action.tool, input: action.input, item_id: action.item_id }
}

/** Asks once per request. An action that has to be approved has not started yet. */
export function approvalNotes(before: Head, after: Head, mode: AnyMode, notes: Note[], recall: Recall): Note[] {
  const asked = openApproval(after)
  if (asked === null || asked.row === before.approval?.row) return notes
  const action = proposedAction(after, mode, recall)
  const { locale } = briefOf(recall)
  const payload = { request_id: approvalId(asked), question: approvalQuestion(locale, action), action }
  const told = action === null ? notes : notes.filter(({ type }) => type !== 'action_started')
  return [...told, { type: 'clarification_requested', payload }]
}

/** A word that comes too late for its request changes nothing. A rejected plan is the end of the task (U15). */
export function answerApproval(
  head: Head,
  mode: AnyMode,
  event: EventOf<'approval_answered'>,
  context: Context,
): ModeTransition {
  const open = openApproval(head)
  const { state } = head
  if (open === null || open.row !== event.request) return { state, notes: [], head: {} }
  const payload = { request_id: approvalId(open), answer: event.text }
  const answered: Note = { type: 'clarification_answered', payload }
  const aborted = { state, notes: [answered], head: {}, stop: { status: 'failed' as const, reason: ABORTED } }
  const canGoOn = mode.transitions[state.phase]?.approval_answered !== undefined
  if (event.verdict === 'rejected' && (open.kind === 'plan' || !canGoOn)) return aborted
  // Where a mode has no way past an action, what is said to it is a remark, and it is asked again.
  const said: EventOf<'user_remarked'> = { kind: 'user_remarked', text: event.text }
  const turn = tell(mode, state, event.verdict === 'changes' && !canGoOn ? said : event, context)
  const begun = event.verdict === 'approved' ? proposedAction(head, mode, context.recall) : null
  const started: Note[] = begun === null ? [] : [{ type: 'action_started', payload: { ...begun } }]
  return { ...turn, notes: [answered, ...started, ...turn.notes], head: { approval: settled() } }

  function settled(): Approval | null {
    if (open?.kind === 'action') return event.verdict === 'approved' ? { ...open, given: true } : null
    // Whatever a mode does about a change, nothing is acted on before a plan was approved.
    const isOver = event.verdict === 'approved' || isPlanning(turn.state, mode)
    return isOver ? null : { kind: 'plan', row: context.seq }
  }
}
