/**
 * Reads the usage of a response. It has the parts of the usage of a chat completion under names of its own: cached tokens are inside the input,
 * and reasoning is inside the output.
 */
import * as z from 'zod'
import { ChatUsage } from '../chat/usage.ts'

const MAYBE = z.unknown().optional()
const Reported = z.object({
  input_tokens: MAYBE,
  output_tokens: MAYBE,
  total_tokens: MAYBE,
  input_tokens_details: MAYBE,
  output_tokens_details: MAYBE,
})

export const ResponsesUsage = z.preprocess((usage) => {
  const { success, data } = Reported.safeParse(usage)
  if (!success) return null
  return {
    prompt_tokens: data.input_tokens,
    completion_tokens: data.output_tokens,
    total_tokens: data.total_tokens,
    prompt_tokens_details: data.input_tokens_details,
    completion_tokens_details: data.output_tokens_details,
  }
}, ChatUsage)
