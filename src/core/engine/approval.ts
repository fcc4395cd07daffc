/**
 * Approvals (U15). With `approve: plan` the first plan waits for a person, with `approve: actions` each action does, and with a list
 * of tools the calls of those. The engine checks this between what a mode wants and what is begun. A mode only decides how it goes on
 * without approval.
 */
import type { Event, EventOf, Note, Recall } from '../terms/effect.ts'
import type { Approval, Head } from '../terms/head.ts'
import type { Settings } from '../terms/settings.ts'
import { briefOf, type HandlerContext } from '../mode/mode.ts'
import { BUILT_IN_TOOLS } from '../mode/tools.ts'
import { looseName, type ClientTool } from '../terms/tools/client-tools.ts'
import type { AnyMode } from '../modes/index.ts'
import { findClientTool } from './tools/offered-tools.ts'
import { applyToMode, type ModeTransition } from './apply-event-to-mode.ts'
import { approvalQuestion } from '../terms/text.ts'

/** The stop reason of a task whose plan was rejected. */
const ABORTED = 'aborted'

/** The action that waits for approval. */
interface ProposedAction {
  tool: string
  input: string
  item_id: string | null
}

export const approvalId = ({ row }: Approval) => `approval_${row}`

/** The approval that a person has not given yet. null: there is none. */
export function openApproval({ approval }: Pick<Head, 'approval'>): Approval | null {
  return approval === null || (approval.kind === 'action' && approval.given) ? null : approval
}

const APPROVING_WORDS: ReadonlySet<string> = new Set(['approve', 'yes', 'ok', '同意', '批准'])
const REJECTING_WORDS: ReadonlySet<string> = new Set(['reject', 'no', '拒绝'])

/** One word in any case, with or without a full stop, approves or rejects. Any other text says what to change. */
function verdictOf(text: string): 'approved' | 'rejected' | 'changes' {
  const word = text
    .trim()
    .replace(/(?<![.。!！])[.。!！]+$/, '')
    .trimEnd()
    .toLowerCase()
  if (APPROVING_WORDS.has(word)) return 'approved'
  return REJECTING_WORDS.has(word) ? 'rejected' : 'changes'
}

/** The event for a text that answers an open approval. */
export function approvalAnswer(approval: Approval, text: string): Event {
  const action = approval.kind === 'plan' ? null : { by: approval.by, call: approval.call }
  return { kind: 'approval_answered', request: approval.row, verdict: verdictOf(text), text, action }
}

/** The action that a task would run next. null: it would run none. A call that the mode refuses is not made, so nobody approves it. */
function nextAction({ state }: Head, mode: AnyMode, recall: Recall) {
  const next = mode.next(state, recall)
  return next.kind === 'run' && next.effect.kind === 'run_tool' && next.effect.refused === undefined
    ? next.effect
    : null
}

/** Whether the plan is not made yet. */
const isPlanning = (state: Head['state'], mode: AnyMode): boolean =>
  mode.planning.has(state.phase) || mode.makesPlan?.(state) === true

/** The approval that is needed after row `seq`, whose event changed the head from `before` to `after`. */
export function approvalAfter(
  before: Head,
  after: Head,
  mode: AnyMode,
  { event, seq, approve, recall }: { event: Event; seq: number; approve: Settings['approve']; recall: Recall },
): Approval | null {
  if (after.end !== null || approve === 'none') return null
  const { approval } = after
  if (approve === 'plan') {
    // An edited plan is another plan, which needs an approval of its own.
    if (approval !== null) return event.kind === 'plan_edited' ? { kind: 'plan', row: seq } : approval
    const isMade = isPlanning(before.state, mode) && !isPlanning(after.state, mode)
    return isMade ? { kind: 'plan', row: seq } : null
  }
  const action = nextAction(after, mode, recall)
  if (action === null || !mustApprove(approve, action.tool, recall)) return null
  const { by, call } = action
  const isSameAction = approval?.kind === 'action' && approval.by === by && approval.call === call
  return isSameAction ? approval : { kind: 'action', row: seq, by, call, given: false }
}

/** Whether a person has to approve the call of a tool. */
function mustApprove(approve: Settings['approve'], tool: string, recall: Recall): boolean {
  if (typeof approve === 'string') return approve === 'actions'
  const own = findClientTool(briefOf(recall), tool)
  return approve.tools.some((pattern) => matches(pattern, tool, own))
}

/** A tool that is called by a signed POST is one of `http:POST`. What nobody has said to be read-only may act. */
function matches(pattern: string, name: string, own: ClientTool | null): boolean {
  const [kind, value = ''] = pattern.split(':')
  if (kind === 'hint' && value !== '') {
    if (own === null) return value === 'acts' && actsByNature(name)
    return value === 'acts' ? own.read_only !== true : own.destructive === true
  }
  if (kind === 'http' && value !== '') {
    const method = own?.call === undefined ? 'POST' : own.call.kind === 'http' ? own.call.method : null
    return own !== null && method !== null && (value === '*' || value === method)
  }
  // A call is understood by the same loose comparison, so no spelling of a name gets around an approval.
  return fitsName(pattern.split('*').map(looseName), looseName(name))
}

/** Of the patterns that name one tool, those that fit none of these names. What a source lists is known later. */
export const idlePatterns = (
  approve: Settings['approve'],
  names: readonly string[],
  sources: readonly string[],
): string[] =>
  typeof approve === 'string'
    ? []
    : approve.tools.filter((pattern) => {
        if (/[*:]/.test(pattern)) return false
        const loose = looseName(pattern)
        return (
          !names.some((name) => looseName(name) === loose) && !sources.some((name) => loose.startsWith(looseName(name)))
        )
      })

/** Whether a built-in tool changes something. What runs in the sandbox does not. */
const actsByNature = (name: string): boolean =>
  BUILT_IN_TOOLS.some((card) => card.name === name && (card.nature === 'acts' || card.nature === 'slash_command'))

/** Whether a name has these parts in this order, the first at its beginning and the last at its end. */
function fitsName([first = '', ...others]: string[], name: string): boolean {
  const last = others.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - at >= last.length && name.endsWith(last)
}

/** The action that waits for approval, with its input. null: the plan waits. */
export function proposedAction(head: Head, mode: AnyMode, recall: Recall): ProposedAction | null {
  const action = head.approval?.kind === 'action' ? nextAction(head, mode, recall) : null
  return action === null ? null : { tool: action.tool, input: action.input, item_id: action.item_id }
}

/** Adds the question to the notes, once per approval. The start of an action is removed, because it has not started yet. */
export function approvalNotes(before: Head, after: Head, mode: AnyMode, notes: Note[], recall: Recall): Note[] {
  const approval = openApproval(after)
  if (approval === null || approval.row === before.approval?.row) return notes
  const action = proposedAction(after, mode, recall)
  const { locale } = briefOf(recall)
  const payload = { request_id: approvalId(approval), question: approvalQuestion(locale, action), action }
  const others = action === null ? notes : notes.filter(({ type }) => type !== 'action_started')
  return [...others, { type: 'clarification_requested', payload }]
}

/** The approval after its answer. Until a plan is approved nothing may run, so a changed plan needs a new approval. */
function approvalOnceAnswered(
  open: Approval,
  { verdict }: EventOf<'approval_answered'>,
  planning: boolean,
  seq: number,
): Approval | null {
  if (open.kind === 'action') return verdict === 'approved' ? { ...open, given: true } : null
  return verdict === 'approved' || planning ? null : { kind: 'plan', row: seq }
}

/** Applies the answer to an approval. A late answer changes nothing. A rejected plan ends the task (U15). */
export function answerApproval(
  head: Head,
  mode: AnyMode,
  event: EventOf<'approval_answered'>,
  context: HandlerContext,
): ModeTransition {
  const open = openApproval(head)
  const { state } = head
  if (open === null || open.row !== event.request) return { state, notes: [], head: {} }
  const answered: Note = {
    type: 'clarification_answered',
    payload: { request_id: approvalId(open), answer: event.text },
  }
  const handlesAnswer = mode.transitions[state.phase]?.approval_answered !== undefined
  if (event.verdict === 'rejected' && (open.kind === 'plan' || !handlesAnswer))
    return { state, notes: [answered], head: {}, stop: { status: 'failed', reason: ABORTED } }
  // A mode without a handler cannot avoid the action. It takes the text as a remark, and the person is asked again.
  const remark: EventOf<'user_remarked'> = { kind: 'user_remarked', text: event.text }
  const result = applyToMode(mode, state, event.verdict === 'changes' && !handlesAnswer ? remark : event, context)
  const action = event.verdict === 'approved' ? proposedAction(head, mode, context.recall) : null
  const started: Note[] = action === null ? [] : [{ type: 'action_started', payload: { ...action } }]
  const approval = approvalOnceAnswered(open, event, isPlanning(result.state, mode), context.seq)
  return { ...result, notes: [answered, ...started, ...result.notes], head: { approval } }
}
