/**
 * Puts the events of a streamed run together to its answer. Newer models stream chat completions, older ones the pieces of their own answer, and the
 * usage of both comes in an event of the older kind. So each event is made a chunk of a chat completion.
 */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import { collectCompletion } from '../chat/collect.ts'
import { endOfError } from '../event-stream.ts'
import type { Collector } from '../wire.ts'
import { namedErrorIn } from './errors.ts'

type Json = Record<string, unknown>
type End = ReturnType<Collector['end']>

export function collectWorkersAi(): Collector {
  const completion = collectCompletion()
  let stop: End | null = null
  let hasBegun = false
  let isChat = false
  let calls = 0
  return {
    add(data) {
      const event = jsonOrNull(data)
      if (!isRecord(event)) return completion.add(data)
      const error = namedErrorIn(event)
      if (error !== null) {
        stop = endOfError({ error }, hasBegun)
        return ''
      }
      hasBegun = true
      isChat ||= Array.isArray(event.choices)
      if (Array.isArray(event.choices) || event.error !== undefined) return completion.add(data)
      const made = callsIn(event, calls)
      calls += made.length
      return completion.add(JSON.stringify(chunkOf(event, made)))
    },
    progress: completion.progress,
    end(hasEnded = false) {
      const end = stop ?? completion.end(hasEnded)
      return end.kind === 'whole' && !isChat ? { kind: 'whole', answer: olderAnswer(end.answer) } : end
    },
  }
}

/** A chunk that says what an event of an older model says. */
function chunkOf({ response, finish_reason, usage }: Json, tool_calls: object[]): object {
  const delta = { content: pieceOf(response), tool_calls }
  return { choices: [{ index: 0, delta, finish_reason }], usage }
}

/** A piece that happens to be JSON, such as a number, comes as its value. */
function pieceOf(response: unknown): string | undefined {
  if (response === null || response === undefined) return undefined
  return typeof response === 'string' ? response : JSON.stringify(response)
}

/** The calls of an event. Those that come whole have no index, and some end with one that says nothing. `before`: how many calls came earlier. */
function callsIn({ tool_calls }: Json, before: number): object[] {
  const told = Array.isArray(tool_calls) ? tool_calls.filter(isRecord).map(calledFunction) : []
  return told
    .filter(({ id, function: called }) => Boolean(id || called.name || called.arguments))
    .map((call, at) => ({ ...call, index: call.index ?? `whole ${before + at}` }))
}

/** Older models name no function. */
function calledFunction(call: Json): { id: unknown; index: unknown; function: Json } {
  const { id, index, name, arguments: args } = call
  return { id, index, function: isRecord(call.function) ? call.function : { name, arguments: args } }
}

/** The answer of an older model. Those that say how it ended say it in the word of a completion. */
function olderAnswer(completion: object): object {
  const { choices, usage } = completion as Collected // of collectCompletion
  const [{ message, finish_reason }] = choices
  return finish_reason === null ? { response: message.content, tool_calls: message.tool_calls, usage } : completion
}
interface Collected {
  choices: [{ message: Json; finish_reason: unknown }]
  usage: unknown
}
