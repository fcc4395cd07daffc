/**
 * The messages of a request as this wire wants them: the system apart, turns of the user and of the model that alternate and begin and end with
 * the user, and the results of calls at the beginning of the user's next turn.
 */
import type { Message, ToolCall } from '../../../core/terms/effect.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { reasoningFor, sentName } from '../common.ts'
import type { WireCall } from '../wire.ts'
import { labelOf, splitImages, type ShownImage } from '../images.ts'
import { imageBlock, textBlocks, type Block, type CallBlock, type ResultBlock } from './blocks.ts'
import { blocksOf } from './thinking.ts'

export interface MessageTurn {
  role: 'user' | 'assistant'
  blocks: Block[]
}

/** Stands where the user has to speak and says nothing. */
const GO_ON = 'Go on.'

const CACHED = { type: 'ephemeral' as const }
/** The endpoint remembers what it has read up to this block, and reads it cheaply when a later request begins alike. */
export const withCacheMark = (block: Block): Block => ({ ...block, cache_control: CACHED })

/** The turns of the conversation. `stable`: how many of its messages the next request will have, too. */
export function turnsOf(messages: readonly Message[], stable: number, call: WireCall): MessageTurn[] {
  const turns: MessageTurn[] = []
  const write = writerOf(turns, call)
  for (const message of messages.slice(0, stable)) write(message)
  markEnds(turns)
  for (const message of messages.slice(stable)) write(message)
  if (turns.at(-1)?.role !== 'user') addBlocks(turns, 'user', textBlocks(GO_ON))
  return turns
}

/**
 * Marks what this request has read, and what the one before it had read. The endpoint looks for an earlier mark only a few blocks back, and one
 * reply may make more calls than that.
 */
function markEnds(turns: MessageTurn[]): void {
  const last_reply = turns.findLastIndex(({ role }) => role === 'assistant')
  for (const turn of new Set([turns[last_reply - 1], turns.at(-1)])) {
    const block = turn?.blocks.pop()
    if (block !== undefined) turn?.blocks.push(withCacheMark(block))
  }
}

/** Adds messages to turns. The answers to calls find the ids that the calls were sent with. */
function writerOf(turns: MessageTurn[], call: WireCall): (message: Message) => void {
  const newId = idsOf()
  let open = new Map<string, string>()
  return (given) => {
    const { message, shown } = splitImages(given, call)
    switch (message.role) {
      case 'assistant': {
        const calls = message.tool_calls ?? []
        open = new Map(calls.map(({ id }) => [id, newId(id)]))
        const made = calls.map((one) => callBlock(one, open.get(one.id) ?? one.id))
        return addBlocks(turns, 'assistant', blocksOf(reasoningFor(message, call), message.content, made))
      }
      case 'tool': {
        const id = open.get(message.tool_call_id)
        return id === undefined ? undefined : addBlocks(turns, 'user', [resultBlock(id, message.content, shown)])
      }
      default:
        return addBlocks(turns, 'user', [...textBlocks(message.content), ...shown.flatMap(labelledImage)])
    }
  }
}

/** Two messages of one role are one turn. */
function addBlocks(turns: MessageTurn[], role: MessageTurn['role'], blocks: readonly Block[]): void {
  if (blocks.length === 0) return
  if (turns.length === 0 && role === 'assistant') turns.push({ role: 'user', blocks: textBlocks(GO_ON) })
  const last = turns.at(-1)
  if (last?.role === role) last.blocks.push(...blocks)
  else turns.push({ role, blocks: [...blocks] })
}

const SENT_ID = /^[a-zA-Z0-9_-]{1,64}$/

/** Ids are unique in the conversation, while ours are unique in their reply. The same conversation gets the same ids. */
function idsOf(): (id: string) => string {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return (id) => {
    const base = SENT_ID.test(id) ? id : 'call'
    let count = counts.get(base) ?? 1
    let own = base
    for (; taken.has(own); own = `${base}_${count}`) count += 1
    counts.set(base, count)
    taken.add(own)
    return own
  }
}

function callBlock({ name, arguments: args }: ToolCall, id: string): CallBlock {
  const input = jsonOrNull(args)
  return { type: 'tool_use', id, name: sentName(name), input: isRecord(input) ? input : {} }
}

/** The text of a result names its images, so they need no names of their own. */
const resultBlock = (tool_use_id: string, text: string, shown: readonly ShownImage[]): ResultBlock => {
  const content = shown.length === 0 ? text : [...textBlocks(text), ...shown.map(imageBlock)]
  return { type: 'tool_result', tool_use_id, ...(text.trim() === '' && shown.length === 0 ? {} : { content }) }
}

const labelledImage = (image: ShownImage): Block[] => [...textBlocks(labelOf(image)), imageBlock(image)]
