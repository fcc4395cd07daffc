/**
 * Reads the usage of a message. Its `input_tokens` are only what no cache had a part in. What came from the cache, and what went into it, stand
 * beside them, and the three add up to all input. What the model has thought is part of the output.
 */
import * as z from 'zod'
import type { Usage } from '../../../core/terms/values/usage.ts'

/** A count above what any call can use is not a report of usage. */
const Tokens = z.int().min(0).max(100_000_000)
/** A part that cannot be read counts as not reported. */
const Part = Tokens.catch(0)

export const MessageUsage = z
  .object({
    input_tokens: Tokens,
    output_tokens: Tokens,
    cache_read_input_tokens: Part,
    cache_creation_input_tokens: Part,
    output_tokens_details: z.object({ thinking_tokens: Part }).catch({ thinking_tokens: 0 }),
  })
  .transform((usage): Usage => {
    const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage
    const { thinking_tokens } = usage.output_tokens_details
    return {
      input_tokens: usage.input_tokens + read + written,
      output_tokens: usage.output_tokens,
      ...(read > 0 && { cache_read_tokens: read }),
      ...(written > 0 && { cache_write_tokens: written }),
      ...(thinking_tokens > 0 && { reasoning_tokens: thinking_tokens }),
    }
  })
