/** The calls of a reply, as the tools receive them. */
import type { Brief, EventOf, Recall, ToolCall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { isRecord } from '../../terms/plain/is-record.ts'
import { cut } from '../../terms/text.ts'
import { parseJson } from '../../terms/values/parse-json.ts'
import { ASK_USER, asksUser, properToolName } from '../../mode/ask-user.ts'
import { findObject, type FoundObject } from '../../mode/json/json-object.ts'
import { readTags } from '../../mode/tags.ts'
import { hasOnlyMarkup } from '../../mode/markup.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { BUILT_IN_TOOLS, toolInputOf, type ToolCard } from '../../mode/tools.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { textOfReply } from './replies.ts'
import { writtenCalls, type WrittenCalls } from './written-calls.ts'

type ReplyEvent = EventOf<'model_replied'>

const NO_CALLS: WrittenCalls = { calls: [], rest: '' }
const written_by_event = new WeakMap<ReplyEvent, WrittenCalls>()

/** The calls that a reply has written as text, and the rest of its text. With `strict_replies` a text is no call. */
export function writtenIn(event: ReplyEvent, { tools, settings }: Pick<Brief, 'tools' | 'settings'>): WrittenCalls {
  if (settings.strict_replies || event.tool_calls !== undefined || event.finish === 'length') return NO_CALLS
  const names = () => [...tools, ...BUILT_IN_TOOLS].map(({ name }) => name)
  const written = written_by_event.get(event) ?? writtenCalls(textOfReply(event), [...names(), ASK_USER])
  written_by_event.set(event, written)
  return written
}

/** The calls of a reply: those that it has made natively, or else those that it has written and nothing beside them. */
export function callsOf(event: ReplyEvent, brief: Pick<Brief, 'tools' | 'settings'>): readonly ToolCall[] {
  if (event.tool_calls !== undefined) return event.tool_calls
  const { calls, rest } = writtenIn(event, brief)
  // Any other text beside a written call may make it an example.
  return hasOnlyMarkup(readTags(rest).report) ? calls : NO_CALLS.calls
}

/** The calls of a row whose calls are made. What stands beside them is not judged again, because an earlier release took more. */
export function callsAt(recall: Recall, row: number): readonly ToolCall[] {
  const event = expectEvent(recall(row), 'model_replied')
  return event.tool_calls ?? writtenIn(event, briefOf(recall)).calls
}

interface CallInput {
  tool: string
  input: string
  /** What is wrong with its arguments. null: they can be read. */
  mistake: string | null
}

export function callAt(recall: Recall, row: number, index: number): CallInput {
  const call = callsAt(recall, row)[index]
  if (call === undefined) throw unreadable(`row ${row} has no call ${index}`)
  const brief = briefOf(recall)
  const proper_name = properToolName(brief.tools, call.name)
  if (brief.tools.some(({ name }) => name === proper_name)) return inputOf(call, proper_name, undefined, brief)
  const card = BUILT_IN_TOOLS.find(({ name }) => name === proper_name)
  return inputOf(call, proper_name, card, brief)
}

function inputOf(call: ToolCall, tool: string, card: ToolCard | undefined, brief: Brief): CallInput {
  const { arguments: given } = call
  // A question reads its own arguments.
  const isExact = brief.settings.strict_replies || asksUser(tool)
  if (isExact || isRecord(parseJson(given))) return { tool, input: toolInputOf(card, given), mistake: null }
  if (given.trim() === '') return { tool, input: toolInputOf(card, '{}'), mistake: null }
  // Some models write the object once more as a JSON text.
  const inner = parseJson(given)
  if (typeof inner === 'string' && isRecord(parseJson(inner)))
    return { tool, input: toolInputOf(card, inner), mistake: null }
  const isText = card !== undefined && card.text !== null && !/^(?:\{|```)/.test(given.trim())
  if (isText) return { tool, input: toolInputOf(card, given), mistake: null }
  const found = objectIn(call)
  if (found.ok) return { tool, input: toolInputOf(card, JSON.stringify(found.value)), mistake: null }
  return { tool, input: given, mistake: MISTAKE[brief.locale](found.reason, cut(given, GIVEN_CHARS)) }
}

const objects_by_call = new WeakMap<ToolCall, FoundObject>()

/** The object in the arguments of a call. It is looked for once while the call is in memory, because views and prompts read it often. */
function objectIn(call: ToolCall): FoundObject {
  const found = objects_by_call.get(call) ?? findObject(call.arguments.trim())
  objects_by_call.set(call, found)
  return found
}

/** Characters of unreadable arguments that are shown to the model again. */
const GIVEN_CHARS = 1_000

const MISTAKE: Record<Locale, (reason: string, given: string) => string> = {
  en: (reason, given) => `not called: the arguments must be one JSON object (${reason}); you gave: ${given}`,
  zh: (reason, given) => `未调用：参数必须是一个 JSON 对象（${reason}）；你给出的是：${given}`,
}
