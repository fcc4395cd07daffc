/** The body of one request for a message. Tools and the system come before the conversation, so that the endpoint can read both from its cache. */
import type { Message } from '../../../core/terms/effect.ts'
import type { ToolSpec } from '../../../core/mode/mode.ts'
import type { ReasoningEffort } from '../../../core/terms/settings.ts'
import type { ModelRequest } from '../../../shell/ports.ts'
import type { WireCall } from '../wire.ts'
import { textBlocks, type Block } from './blocks.ts'
import { turnsOf, withCacheMark, type MessageTurn } from './conversation.ts'
import { isThinking } from './thinking.ts'

/** The body of the request. The dialect leaves out what the endpoint has refused before. */
export function messagesBody(call: WireCall) {
  const { request, model, dialect } = call
  const { messages, max_output_tokens, temperature } = request
  const spoken = messages.filter(({ role }) => role !== 'system')
  const turns = turnsOf(spoken, stableCount(spoken, request), call)
  const system = systemBlocks(call)
  const thinking = thinkingFor(call, turns)
  const output_config = outputConfig(call)
  const isAsked = thinking?.type === 'adaptive' || thinking?.type === 'enabled'
  return {
    model,
    max_tokens: max_output_tokens,
    ...toolMembers(request, turns),
    ...(system.length === 0 ? {} : { system }),
    messages: turns.map(messageOf),
    ...(thinking === null ? {} : { thinking }),
    // The highest temperature is 1. A model that thinks has its own.
    ...(dialect.temperature && !isAsked ? { temperature: Math.min(1, temperature) } : {}),
    ...(output_config === null ? {} : { output_config }),
    ...(dialect.stream ? { stream: true } : {}),
  }
}

/**
 * How many messages the next request will have, too. In a conversation all but the last one, if that is a note of the program, which is written
 * anew for each request. Where a contract is set, the one message of the user is written anew.
 */
function stableCount(messages: readonly Message[], { contract }: ModelRequest): number {
  if (contract !== null) return 0
  return messages.length > 1 && messages.at(-1)?.role === 'user' ? messages.length - 1 : messages.length
}

/** No API of this wire asks for any JSON object, so the model is told. */
const JSON_ONLY = 'Reply with one JSON object and nothing else.'

function systemBlocks({ request: { messages, contract }, dialect }: WireCall): Block[] {
  const texts = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : []))
  if (contract !== null && dialect.form === 'json_object') texts.push(JSON_ONLY)
  const blocks: Block[] = texts.flatMap(textBlocks)
  const last = blocks.pop()
  return last === undefined ? [] : [...blocks, withCacheMark(last)]
}

/** A message with one text is sent in its short form, so that a long conversation takes no more bytes than were reserved for it. */
function messageOf({ role, blocks }: MessageTurn) {
  const [first] = blocks
  const isPlain = blocks.length === 1 && first?.type === 'text' && first.cache_control === undefined
  return { role, content: isPlain && typeof first.text === 'string' ? first.text : blocks }
}

/** A conversation with calls is refused where no tool is offered. So one is named that must not be called. */
const NO_TOOL = {
  tools: [{ name: 'no_tool', input_schema: { type: 'object' } }],
  tool_choice: { type: 'none' as const },
}

function toolMembers({ tools }: ModelRequest, turns: readonly MessageTurn[]) {
  if (tools.length > 0) return { tools: tools.map(toolOf) }
  return turns.some(({ blocks }) => blocks.some(({ type }) => type === 'tool_use')) ? NO_TOOL : {}
}

/** Alternatives at the top of a schema are refused. A tool checks its arguments itself. */
function toolOf({ name, description, parameters }: ToolSpec) {
  const { anyOf: _any, oneOf: _one, allOf: _all, ...input_schema } = parameters
  return { name, ...(description.trim() === '' ? {} : { description }), input_schema }
}

/** An endpoint takes at least so many tokens as a budget. */
const BUDGET_MIN = 1_024
const BUDGETS = { minimal: 1_024, low: 2_048, medium: 8_192, high: 24_576 }

/** How the model is asked to think. null: as the endpoint has it. Half of the output is left for the reply. */
function thinkingFor({ request, dialect }: WireCall, turns: readonly MessageTurn[]) {
  const { reasoning_effort, max_output_tokens } = request
  if (reasoning_effort === null || dialect.thinking === 'fixed') return null
  if (reasoning_effort === 'none') return { type: 'disabled' as const }
  if (dialect.thinking === 'adaptive') return { type: 'adaptive' as const }
  const budget_tokens = Math.min(BUDGETS[reasoning_effort], Math.floor(max_output_tokens / 2))
  return budget_tokens < BUDGET_MIN || !mayThink(turns) ? null : { type: 'enabled' as const, budget_tokens }
}

/** With a budget the last reply has to begin with what the model has thought. It may be missing, such as after another model's reply. */
function mayThink(turns: readonly MessageTurn[]): boolean {
  const reply = turns.findLast(({ role }) => role === 'assistant')
  return reply === undefined || isThinking(reply.blocks[0]?.type)
}

/** A model that thinks always can only be asked for little of it. */
const EFFORTS: Record<ReasoningEffort, string> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
}

function outputConfig({ request: { contract, reasoning_effort }, dialect }: WireCall) {
  const format =
    contract !== null && dialect.form === 'json_schema'
      ? { type: 'json_schema' as const, schema: contract.schema }
      : null
  const isNamed = reasoning_effort !== null && (reasoning_effort !== 'none' || dialect.thinking === 'fixed')
  const effort = isNamed && dialect.effort ? EFFORTS[reasoning_effort] : null
  if (format === null && effort === null) return null
  return { ...(format === null ? {} : { format }), ...(effort === null ? {} : { effort }) }
}
