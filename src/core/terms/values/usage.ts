/**
 * The tokens of a call as its endpoint reports them. `input_tokens` and `output_tokens` are all tokens of the input and of the output. The other
 * members say which part of them is of a kind with a price of its own. A part that is absent was not reported.
 */
import * as z from 'zod'

const count = z.int().min(0)

export const Usage = z.object({
  input_tokens: count,
  output_tokens: count,
  /** Input that the provider had in its cache. */
  cache_read_tokens: count.optional(),
  /** Input that the provider has put into its cache. */
  cache_write_tokens: count.optional(),
  image_tokens: count.optional(),
  /** Output that the model has thought and not said. */
  reasoning_tokens: count.optional(),
})
export type Usage = z.infer<typeof Usage>

/** The kinds that tokens are divided into. Each token is of one kind. `input` and `output` hold what no other kind has. */
export const TokenKinds = z.object({
  input: count,
  cache_read: count,
  cache_write: count,
  image: count,
  output: count,
  reasoning: count,
})
export type TokenKinds = z.infer<typeof TokenKinds>

export const NO_TOKENS: TokenKinds = { input: 0, cache_read: 0, cache_write: 0, image: 0, output: 0, reasoning: 0 }

/** Divides a usage into kinds. Parts that are more than their whole take what the parts before them leave. */
export function tokenKinds(usage: Usage): TokenKinds {
  const [cache_read, uncached] = take(usage.cache_read_tokens, usage.input_tokens)
  const [cache_write, unwritten] = take(usage.cache_write_tokens, uncached)
  const [image, input] = take(usage.image_tokens, unwritten)
  const [reasoning, output] = take(usage.reasoning_tokens, usage.output_tokens)
  return { input, cache_read, cache_write, image, output, reasoning }
}

function take(part = 0, whole: number): [part: number, rest: number] {
  const taken = Math.min(part, whole)
  return [taken, whole - taken]
}

const KINDS = ['input', 'cache_read', 'cache_write', 'image', 'output', 'reasoning'] as const

/** Adds tokens kind by kind. No count grows beyond `max`. */
export function addTokens(one: TokenKinds, other: TokenKinds, max: number): TokenKinds {
  const sum = { ...one }
  for (const kind of KINDS) sum[kind] = Math.min(max, one[kind] + other[kind])
  return sum
}
