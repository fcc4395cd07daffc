/**
 * Reads the usage of a chat completion. Endpoints agree on two totals and differ in the rest. OpenAI counts cached tokens inside the input and
 * reasoning inside the output, and says so in `…_details`. DeepSeek names what came from its cache, and Kimi names it beside the totals. Qwen says in
 * other words what it has put into its cache. xAI and Gemini count reasoning beside the output. Some proxies count cached tokens beside the input.
 */
import * as z from 'zod'
import type { Usage } from '../../../core/terms/values/usage.ts'

/** A count above what any call can use is not a report of usage. */
const Tokens = z.int().min(0).max(100_000_000)
/** A part that cannot be read counts as not reported. */
const Part = Tokens.optional().catch(undefined)
const parts = <T extends z.ZodRawShape>(shape: T) => z.object(shape).nullish().catch(null)

const Reported = z.object({
  prompt_tokens: Tokens,
  completion_tokens: Tokens,
  total_tokens: Part,
  cached_tokens: Part,
  prompt_cache_hit_tokens: Part,
  reasoning_tokens: Part,
  prompt_tokens_details: parts({
    cached_tokens: Part,
    cache_write_tokens: Part,
    cache_creation_input_tokens: Part,
    image_tokens: Part,
  }),
  completion_tokens_details: parts({ reasoning_tokens: Part }),
})
type Reported = z.infer<typeof Reported>

export const ChatUsage = Reported.transform((usage): Usage => {
  const { completion_tokens } = usage
  const cache_read = cacheRead(usage)
  const cache_write = cacheWrite(usage)
  const thought = usage.completion_tokens_details?.reasoning_tokens ?? usage.reasoning_tokens ?? 0
  const input_tokens = usage.prompt_tokens + cachedBeside(usage, cache_read + cache_write, thought)
  const beside = reasoningBeside(usage, input_tokens, thought)
  const reasoning = Math.max(thought, beside)
  const image = usage.prompt_tokens_details?.image_tokens ?? 0
  return {
    input_tokens,
    output_tokens: completion_tokens + beside,
    ...(cache_read > 0 && { cache_read_tokens: cache_read }),
    ...(cache_write > 0 && { cache_write_tokens: cache_write }),
    ...(image > 0 && { image_tokens: image }),
    ...(reasoning > 0 && { reasoning_tokens: reasoning }),
  }
})

/** The cached tokens that are no part of the input. They are beside it where they are more than it, or what the sum has beyond the two totals. */
function cachedBeside(usage: Reported, cached: number, thought: number): number {
  const beyond = beyondTotals(usage, usage.prompt_tokens)
  return cached > usage.prompt_tokens || (cached === beyond && thought !== beyond) ? cached : 0
}

/** The reasoning that is no part of the output. It is billed as output. Without a sum, more reasoning than output is beside it. */
function reasoningBeside(usage: Reported, input_tokens: number, thought: number): number {
  if (usage.total_tokens === undefined && thought > usage.completion_tokens) return thought
  return beyondTotals(usage, input_tokens)
}

const beyondTotals = ({ total_tokens = 0, completion_tokens }: Reported, input_tokens: number): number =>
  Math.max(0, total_tokens - input_tokens - completion_tokens)

const cacheRead = ({ prompt_tokens_details, cached_tokens, prompt_cache_hit_tokens }: Reported): number =>
  prompt_tokens_details?.cached_tokens ?? cached_tokens ?? prompt_cache_hit_tokens ?? 0

const cacheWrite = ({ prompt_tokens_details }: Reported): number =>
  prompt_tokens_details?.cache_write_tokens ?? prompt_tokens_details?.cache_creation_input_tokens ?? 0
