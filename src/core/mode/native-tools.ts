/**
 * Tools that are offered natively beside the JSON form of a reply (setting `calls: few`). Each takes two more arguments, which are
 * for the program and are removed before the tool is called: why it is called, and whether its success finishes the item. A question
 * finishes no item.
 */
import type { ClientTool } from '../terms/tools/client-tools.ts'
import type { EventOf, Recall, ToolCall } from '../terms/effect.ts'
import type { Locale } from '../terms/locale.ts'
import { isRecord } from '../terms/plain/is-record.ts'
import type { JsonSchema } from '../terms/schema/json-schema.ts'
import { isAskUserCard, properToolName } from './ask-user.ts'
import { cut } from '../terms/text.ts'
import { parseWellFormedJson } from './json-text.ts'
import type { ToolSpec } from './mode.ts'
import type { ReplyResult } from './reply.ts'
import { BUILT_IN_TOOLS, toolInputOf, type ToolCard } from './tools.ts'
import { yesOrNo } from './json/yes-no.ts'

const WHY = 'why'
const ENDS_ITEM = 'ends_item'

const OWN_ARGUMENTS: Record<Locale, Record<typeof WHY | typeof ENDS_ITEM, JsonSchema>> = {
  en: {
    [WHY]: { type: 'string', description: 'What you do and why, in one sentence for the user.' },
    [ENDS_ITEM]: { type: 'boolean', description: 'true: the current item is finished if this call succeeds.' },
  },
  zh: {
    [WHY]: { type: 'string', description: '用一句话告诉用户做什么、为什么。' },
    [ENDS_ITEM]: { type: 'boolean', description: 'true：此次调用成功即完成当前项。' },
  },
}

const propertiesOf = ({ properties }: JsonSchema) => (isRecord(properties) ? properties : {})

/** A tool that has an argument of the same name keeps its own. */
export const nativeTools = (cards: readonly ToolCard[], locale: Locale): ToolSpec[] =>
  cards.map((card) => ({
    name: card.name,
    description: card.description[locale],
    parameters: { ...card.parameters, properties: { ...ownArguments(card, locale), ...propertiesOf(card.parameters) } },
  }))

function ownArguments(card: ToolCard, locale: Locale): Record<string, JsonSchema> {
  const { [WHY]: why, ...others } = OWN_ARGUMENTS[locale]
  return isAskUserCard(card) ? { [WHY]: why } : { [WHY]: why, ...others }
}

/** A native call as the program understands it. */
interface NativeCall {
  tool: string
  input: string
  why: string | null
  ends_item: boolean
}

/** Reads a call. A tool of the client replaces a built-in tool with the same name. */
export function readNativeCall({ name, arguments: args }: ToolCall, tools: readonly ClientTool[]): NativeCall {
  const proper_name = properToolName(tools, name)
  const client_tool = tools.find((tool) => tool.name === proper_name)
  if (client_tool !== undefined) {
    const { input, ...own } = splitArguments(args, propertiesOf(client_tool.parameters ?? {}))
    return { tool: proper_name, input, ...own }
  }
  const card = BUILT_IN_TOOLS.find((tool) => tool.name === proper_name)
  const { input, ...own } = splitArguments(args, propertiesOf(card?.parameters ?? {}))
  return { tool: proper_name, input: toolInputOf(card, input), ...own }
}

/** Characters of the name of a tool in the reason against its call. */
const NAME_CHARS = 100

/**
 * A reply in a phase that calls no tool. Tools are offered there too, because a provider puts them before the messages, and a request
 * that offers others shares nothing with the one before it. The text of the reply counts, and a call without it is told. A reply that
 * ends the task is told as well, because nobody would make its call any more.
 */
export function withoutCall<T>(
  reply: ReplyResult<T>,
  { tool_calls, finish }: EventOf<'model_replied'>,
  phase: string,
  endsTask: (value: T) => boolean = () => false,
): ReplyResult<T> {
  const [call] = tool_calls ?? []
  if (call === undefined || finish === 'length' || (reply.ok && !endsTask(reply.value))) return reply
  const instead = reply.ok
    ? 'name it as a step of the plan if it is needed, or reply without it'
    : 'reply with its JSON object'
  const name = cut(call.name, NAME_CHARS)
  return { ok: false, reason: `${name} was not called, because phase ${phase} calls no tool: ${instead}` }
}

/** The names of the calls in a plan, which are not made. */
export const callsOfPlan = ({ row }: { row: number | null }, recall: Recall): string[] => {
  const event = row === null ? null : recall(row).event
  return event?.kind === 'model_replied' ? (event.tool_calls ?? []).map(({ name }) => cut(name, NAME_CHARS)) : []
}

/** Takes the arguments for the program out. Arguments that are no JSON object go to the tool as they are. */
function splitArguments(args: string, declared: object): Omit<NativeCall, 'tool'> {
  const value = parseWellFormedJson(args)
  if (!isRecord(value)) return { input: args, why: null, ends_item: false }
  const isOwn = (name: string) => (name === WHY || name === ENDS_ITEM) && !Object.hasOwn(declared, name)
  const members = Object.entries(value)
  if (!members.some(([name]) => isOwn(name))) return { input: args, why: null, ends_item: false }
  const own = new Map(members.filter(([name]) => isOwn(name)))
  const why = own.get(WHY)
  return {
    input: JSON.stringify(Object.fromEntries(members.filter(([name]) => !isOwn(name)))),
    why: typeof why === 'string' && why.trim() !== '' ? why.trim() : null,
    ends_item: yesOrNo(own.get(ENDS_ITEM)) === true,
  }
}
