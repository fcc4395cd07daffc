/** Reads a reply that stands for thought, decision and action: in the JSON form, or as native calls with the setting `calls: few`. */
import { contractOf, type Brief, type EventOf, type Fact, type StoredEffect } from '../../terms/effect.ts'
import { asksUser, properToolName, questionIn } from '../../mode/ask-user.ts'
import { readNativeCall } from '../../mode/native-tools.ts'
import { cutReason, objectReader, replyOf, spokenText, type ReplyResult } from '../../mode/reply.ts'
import { ACTION_OF_FAILED_STEP, FewMoveReply, MoveReply, NO_ACTION, type Action, type Decision } from './contract.ts'

/** The contracts that replace think, step_decision and action. */
export const MOVE = 'move'
export const FEW = 'few'

type ReplyEvent = EventOf<'model_replied'>

export interface MoveAction extends Action {
  /** The step is finished if the action succeeds. */
  ends_item: boolean
}
export interface Move extends Decision {
  thought: string
  /** null: none was chosen. An action beside `is_complete` is still to be made, and its success finishes the step. */
  action: MoveAction | null
  /** How many calls the reply has. Only the first is made. */
  calls: number
}

type Reader = Pick<Brief, 'settings' | 'tools'>

/** Which of the two contracts a row has. null: it is another call. */
export const moveContractOf = ({ effect }: Pick<Fact, 'effect'>): typeof MOVE | typeof FEW | null =>
  effect?.kind !== 'call_model' ? null : moveContractIn(effect)
const moveContractIn = (effect: Extract<StoredEffect, { kind: 'call_model' }>) => {
  const name = contractOf(effect)
  return name === MOVE || name === FEW ? name : null
}

export function readMove(event: ReplyEvent, contract: typeof MOVE | typeof FEW, reader: Reader): ReplyResult<Move> {
  const jsonReader = objectReader(reader.settings)
  if (contract === FEW && event.tool_calls !== undefined) return readNativeMove(event, event.tool_calls, reader)
  const reply = contract === MOVE ? replyOf(MoveReply, event, jsonReader) : replyOf(FewMoveReply, event, jsonReader)
  if (!reply.ok) return reply
  const { action, ...move } = reply.value
  if (action === null) return { ok: true, value: { ...move, action: null, calls: 0 } }
  const ends_item = move.is_complete || ('ends_item' in action && action.ends_item === true)
  return { ok: true, value: { ...move, action: { ...action, ends_item }, calls: 1 } }
}

/** The decision of a move before its action: the step goes on, because the action is still to be made. */
export const decisionBefore = (action: MoveAction | null, decision: Decision): Decision =>
  action === null ? decision : { ...decision, is_complete: false }

/** The text beside the calls is the thought. It may be written in the JSON form, which then may change the plan, too. */
function readNativeMove(
  event: ReplyEvent,
  [first, ...others]: NonNullable<ReplyEvent['tool_calls']>,
  { settings, tools }: Reader,
): ReplyResult<Move> {
  const cut_off = cutReason(event)
  if (cut_off !== null) return { ok: false, reason: cut_off }
  if (first === undefined) return { ok: false, reason: NO_ACTION }
  const { why, ...call } = readNativeCall(first, tools)
  const json = replyOf(FewMoveReply, event, objectReader(settings))
  const words = json.ok ? json.value.thought : spokenText(event.text)
  const reason = why ?? (words === '' ? call.tool : words)
  const { add_steps, remove_steps } = json.ok ? json.value : { add_steps: [], remove_steps: [] }
  const move = { is_complete: false, achieved: null, answer: null, add_steps, remove_steps }
  // Of several calls only the first is made, and the step may need the others.
  const action = { ...call, ends_item: call.ends_item && others.length === 0, save_as: null }
  return {
    ok: true,
    value: { thought: words === '' ? reason : words, reason, ...move, action, calls: 1 + others.length },
  }
}

/** Whether an action asks the user. A tool of the client with that name is a tool like any other. */
export const asksQuestion = ({ tool }: Pick<Action, 'tool'>, { tools }: Pick<Brief, 'tools'>): boolean =>
  asksUser(properToolName(tools, tool)) && !tools.some(({ name }) => asksUser(name))

/** What is wrong with an action before it is judged: its question cannot be asked. null: nothing. */
export function actionError(action: Action, brief: Pick<Brief, 'tools'>): string | null {
  if (!asksQuestion(action, brief)) return null
  const question = questionIn(action.input)
  return question.ok ? null : question.reason
}

/** What is wrong with a move whose step has actions left. null: nothing. */
export function moveError({ action, is_complete, achieved }: Move, brief: Pick<Brief, 'tools'>): string | null {
  if (action === null) return is_complete ? null : NO_ACTION
  return is_complete && achieved === false ? ACTION_OF_FAILED_STEP : actionError(action, brief)
}
