/** Reads accepted replies again, because the journal stores each text only once. A thought may be a native call of a tool. */
import type * as z from 'zod'
import type { Brief, EventOf, Recall } from '../../terms/effect.ts'
import { cut } from '../../terms/text.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { asksUser, questionIn } from '../../mode/ask-user.ts'
import { repairJson } from '../../mode/json-object.ts'
import { parseWellFormedJson } from '../../mode/json-text.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { readNativeCall, withoutCall } from '../../mode/native-tools.ts'
import { cutReason, replyOf, spokenText, type ReplyResult } from '../../mode/reply.ts'
import { planExecuteReader } from './reader.ts'
import { PlanReply, ReplanReply, StoredThought, ThoughtReply } from './contract.ts'

type ReplyEvent = EventOf<'model_replied'>
type CallEvent = ReplyEvent & { tool_calls: NonNullable<ReplyEvent['tool_calls']> }

const isCall = (event: ReplyEvent): event is CallEvent => event.tool_calls !== undefined

/** A thought, as JSON or as a native call. */
export const thoughtIn = (event: ReplyEvent, brief: Brief): ReplyResult<ThoughtReply> =>
  isCall(event) ? calledThought(event, brief) : replyOf(ThoughtReply, event, planExecuteReader(brief.settings))

export const planIn = (event: ReplyEvent, { settings }: Brief): ReplyResult<PlanReply> =>
  withoutCall(replyOf(PlanReply, event, planExecuteReader(settings)), event, 'plan')
export const replanIn = (event: ReplyEvent, { settings }: Brief): ReplyResult<ReplanReply> =>
  withoutCall(
    replyOf(ReplanReply, event, planExecuteReader(settings)),
    event,
    'replan',
    ({ status }) => status === 'done',
  )

function readAgain<T>(contract: z.ZodType<T>, recall: Recall, row: number): T {
  const event = expectEvent(recall(row), 'model_replied')
  return accepted(replyOf(contract, event, planExecuteReader(briefOf(recall).settings)), row)
}

function accepted<T>(result: ReplyResult<T>, row: number): T {
  if (!result.ok) throw unreadable(`row ${row} no longer satisfies its contract: ${result.reason}`)
  return result.value
}

export function thoughtOf(recall: Recall, row: number): ThoughtReply {
  const event = expectEvent(recall(row), 'model_replied')
  return isCall(event) ? accepted(calledThought(event, briefOf(recall)), row) : readAgain(StoredThought, recall, row)
}
export const planOf = (recall: Recall, row: number): PlanReply => readAgain(PlanReply, recall, row)
export const replanOf = (recall: Recall, row: number): ReplanReply => readAgain(ReplanReply, recall, row)

/** The names of the calls of a reply that are not made, because one thought makes one call. */
export const leftOutCalls = (event: ReplyEvent): string[] => (event.tool_calls ?? []).slice(1).map(({ name }) => name)

/** Characters of a reply that stands beside a call, in place of a missing reason. */
const REASON_CHARS = 500
const GIVEN_CHARS = 200

/** What is wrong with a reply that calls a tool. null: nothing, or it calls none. */
export function replyErrorOf(
  { phase }: { phase: string },
  event: ReplyEvent,
  { brief }: { brief: Brief },
): string | null {
  if (!isCall(event)) return null
  const reply =
    phase === 'planning'
      ? planIn(event, brief)
      : phase === 'replanning'
        ? replanIn(event, brief)
        : calledThought(event, brief)
  return reply.ok ? null : reply.reason
}

/** The first call of a reply as a thought. */
function calledThought(event: CallEvent, brief: Pick<Brief, 'tools'>): ReplyResult<ThoughtReply> {
  const { text, tool_calls } = event
  const [call] = tool_calls
  const cut_off = cutReason(event)
  if (cut_off !== null) return { ok: false, reason: cut_off }
  if (call === undefined) return { ok: false, reason: 'the reply has no call' }
  const { name } = call
  const args = mendedArguments(call.arguments)
  if (args === null) {
    const reason = `the arguments of the call ${name} are not a JSON object (given: ${cut(call.arguments, GIVEN_CHARS)})`
    return { ok: false, reason }
  }
  const { tool, input, why, ends_item } = readNativeCall({ ...call, arguments: args }, brief.tools)
  const current_step = why ?? (cut(spokenText(text), REASON_CHARS) || name)
  const empty = { question: null, response: null, achieved: null, choices: null, response_schema: null }
  if (!asksUser(tool)) {
    // Of several calls only the first is made, and the item may need the others.
    const next_action = { tool, input, ends_item: ends_item && tool_calls.length === 1 }
    return { ok: true, value: { ...empty, status: 'continue', current_step, next_action } }
  }
  const asked = questionIn(input)
  if (!asked.ok) return asked
  const { question, choices, response_schema } = asked.value
  const form = { choices, response_schema: response_schema === null ? null : JSON.stringify(response_schema) }
  return { ok: true, value: { ...empty, ...form, status: 'ask_user', current_step, next_action: null, question } }
}

/** The arguments as JSON, or as the text that a tool with one text may get. null: they were meant as JSON and cannot be read. */
function mendedArguments(text: string): string | null {
  const args = text.trim()
  if (args === '') return '{}'
  if (!args.startsWith('{') || parseWellFormedJson(args) !== undefined) return args
  const mended = repairJson(args)
  return mended === undefined ? null : JSON.stringify(mended)
}
