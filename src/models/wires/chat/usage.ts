/**
 * Reads the usage of a chat completion. Endpoints agree on two totals and differ in the rest. OpenAI counts cached tokens inside the input and
 * reasoning inside the output, and says so in `…_details`. DeepSeek names what came from its cache. xAI and Gemini count reasoning only in the
 * sum of all tokens. Some proxies count cached tokens beside the input.
 */
import * as z from 'zod'
import type { Usage } from '../../../core/terms/values/usage.ts'

/** A count above what any call can use is not a report of usage. */
const Tokens = z.int().min(0).max(100_000_000)
/** A part that cannot be read counts as not reported. */
const Part = Tokens.optional().catch(undefined)
const parts = <T extends z.ZodRawShape>(shape: T) => z.object(shape).nullish().catch(null)

export const ChatUsage = z
  .object({
    prompt_tokens: Tokens,
    completion_tokens: Tokens,
    total_tokens: Part,
    prompt_cache_hit_tokens: Part,
    prompt_tokens_details: parts({ cached_tokens: Part, cache_write_tokens: Part, image_tokens: Part }),
    completion_tokens_details: parts({ reasoning_tokens: Part }),
  })
  .transform((usage): Usage => {
    const { prompt_tokens, completion_tokens, total_tokens = 0, prompt_tokens_details: of_prompt } = usage
    const cache_read = of_prompt?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0
    const cache_write = of_prompt?.cache_write_tokens ?? 0
    // Cached tokens that are more than the input are counted beside it.
    const cached_beside = cache_read + cache_write > prompt_tokens ? cache_read + cache_write : 0
    const input_tokens = prompt_tokens + cached_beside
    // What the sum has beyond the two totals is reasoning, which is billed as output.
    const unsaid = Math.max(0, total_tokens - input_tokens - completion_tokens)
    const reasoning = Math.max(usage.completion_tokens_details?.reasoning_tokens ?? 0, unsaid)
    return {
      input_tokens,
      output_tokens: completion_tokens + unsaid,
      ...(cache_read > 0 && { cache_read_tokens: cache_read }),
      ...(cache_write > 0 && { cache_write_tokens: cache_write }),
      ...(of_prompt?.image_tokens !== undefined &&
        of_prompt.image_tokens > 0 && { image_tokens: of_prompt.image_tokens }),
      ...(reasoning > 0 && { reasoning_tokens: reasoning }),
    }
  })
