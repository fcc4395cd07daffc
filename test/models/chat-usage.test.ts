/** How endpoints report what a chat completion has used. */
import { expect, it } from 'vitest'
import { ChatUsage } from '../../src/models/wires/chat/usage.ts'

it.each([
  ['two totals', { prompt_tokens: 12, completion_tokens: 5 }, { input_tokens: 12, output_tokens: 5 }],
  [
    'OpenAI: cached tokens inside the input, reasoning inside the output',
    {
      prompt_tokens: 1_200,
      completion_tokens: 300,
      total_tokens: 1_500,
      prompt_tokens_details: { cached_tokens: 1_024, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 256, accepted_prediction_tokens: 0 },
    },
    { input_tokens: 1_200, output_tokens: 300, cache_read_tokens: 1_024, reasoning_tokens: 256 },
  ],
  [
    'DeepSeek: what came from the cache and what did not',
    {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_cache_hit_tokens: 64,
      prompt_cache_miss_tokens: 36,
    },
    { input_tokens: 100, output_tokens: 20, cache_read_tokens: 64 },
  ],
  [
    'xAI: reasoning only in the sum, and in its details',
    {
      prompt_tokens: 30,
      completion_tokens: 10,
      total_tokens: 140,
      completion_tokens_details: { reasoning_tokens: 100 },
    },
    { input_tokens: 30, output_tokens: 110, reasoning_tokens: 100 },
  ],
  [
    'Gemini: reasoning only in the sum',
    { prompt_tokens: 30, completion_tokens: 10, total_tokens: 90 },
    { input_tokens: 30, output_tokens: 60, reasoning_tokens: 50 },
  ],
  [
    'OpenRouter: what was written to the cache',
    {
      prompt_tokens: 500,
      completion_tokens: 1,
      total_tokens: 501,
      prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 300 },
    },
    { input_tokens: 500, output_tokens: 1, cache_read_tokens: 100, cache_write_tokens: 300 },
  ],
  [
    'a proxy that counts cached tokens beside the input',
    {
      prompt_tokens: 40,
      completion_tokens: 10,
      total_tokens: 950,
      prompt_tokens_details: { cached_tokens: 900 },
    },
    { input_tokens: 940, output_tokens: 10, cache_read_tokens: 900 },
  ],
  [
    'parts that cannot be read count as not reported',
    {
      prompt_tokens: 12,
      completion_tokens: 5,
      total_tokens: 'many',
      prompt_tokens_details: { cached_tokens: -3 },
      completion_tokens_details: 'none',
    },
    { input_tokens: 12, output_tokens: 5 },
  ],
])('%s', (_name, reported, usage) => {
  expect(ChatUsage.parse(reported)).toEqual(usage)
})

it.each([[{ prompt_tokens: 12 }], [{ prompt_tokens: -1, completion_tokens: 5 }], ['none']])(
  'without two totals there is no usage: %j',
  (reported) => {
    expect(ChatUsage.safeParse(reported).success).toBe(false)
  },
)
