/**
 * What a request costs at `/v1/messages`: the endpoint keeps what it has read up to each marked block, looks for it from the marks of a later
 * request on at most twenty blocks backwards, and bills apart what it read from its cache, what it put there, and the rest.
 * Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
import { createHash } from 'node:crypto'
import { recordsIn, turnsIn, type Json } from './messages-asked.ts'

const LOOKBACK = 20
const CHARS_PER_TOKEN = 4

export interface Bill {
  input_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
}

interface Place {
  /** Names everything from the beginning to here. */
  hash: string
  /** Tokens from the beginning to here. */
  tokens: number
  isMarked: boolean
}

export const tokensIn = (value: unknown): number => Math.ceil(JSON.stringify(value).length / CHARS_PER_TOKEN)

export function cacheBook({ tokens_min }: { tokens_min: number }) {
  const kept = new Set<string>()
  return (body: Json): Bill => {
    const places = placesIn(body)
    const marks = places.flatMap(({ isMarked, tokens }, at) => (isMarked && tokens >= tokens_min ? [at] : []))
    const read = Math.max(0, ...marks.map((at) => keptBefore(places, at, kept)))
    const whole = places.at(-1)?.tokens ?? 0
    const written = Math.max(read, ...marks.map((at) => places[at]?.tokens ?? 0))
    for (const at of marks) kept.add(places[at]?.hash ?? '')
    return {
      input_tokens: whole - written,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written - read,
    }
  }
}

/** The tokens of the longest kept part that a mark reaches. */
function keptBefore(places: readonly Place[], at: number, kept: ReadonlySet<string>): number {
  const reached = places.slice(Math.max(0, at - LOOKBACK + 1), at + 1)
  return reached.findLast(({ hash }) => kept.has(hash))?.tokens ?? 0
}

/** Tools come first, then the system, then the messages. The form and the way of thinking are part of what is read. */
function placesIn({ model, output_config, thinking, tool_choice, tools, system, ...body }: Json): Place[] {
  const blocks = [
    { format: output_config, model },
    ...recordsIn(tools),
    ...recordsIn(system),
    { thinking, tool_choice },
    ...turnsIn(body).flatMap(({ role, blocks: said }) => said.map((block) => ({ ...block, role }))),
  ]
  const places: Place[] = []
  for (const { cache_control, ...block } of blocks as Json[]) {
    const before = places.at(-1)
    const text = JSON.stringify(block)
    places.push({
      hash: createHash('sha256')
        .update((before?.hash ?? '') + text)
        .digest('hex'),
      tokens: (before?.tokens ?? 0) + tokensIn(block),
      isMarked: cache_control !== undefined,
    })
  }
  return places
}
