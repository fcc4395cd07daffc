/** How endpoints report what a chat completion has used. */
import { expect, it } from 'vitest'
import { tokenKinds } from '../../src/core/terms/values/usage.ts'
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

/** One report of each provider, in the shape of its documents, and what it says. */
const PROVIDERS: [provider: string, reported: object, usage: object][] = [
  [
    'OpenAI, whose newer models count what they put into the cache',
    {
      prompt_tokens: 2_006,
      completion_tokens: 300,
      total_tokens: 2_306,
      prompt_tokens_details: { cached_tokens: 1_920, cache_write_tokens: 64, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 128,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    {
      input_tokens: 2_006,
      output_tokens: 300,
      cache_read_tokens: 1_920,
      cache_write_tokens: 64,
      reasoning_tokens: 128,
    },
  ],
  [
    'DeepSeek, in both of its ways at once',
    {
      prompt_tokens: 339,
      completion_tokens: 92,
      total_tokens: 431,
      prompt_tokens_details: { cached_tokens: 320 },
      completion_tokens_details: { reasoning_tokens: 61 },
      prompt_cache_hit_tokens: 320,
      prompt_cache_miss_tokens: 19,
    },
    { input_tokens: 339, output_tokens: 92, cache_read_tokens: 320, reasoning_tokens: 61 },
  ],
  [
    'Qwen, which has put a prefix into its cache',
    {
      prompt_tokens: 1_519,
      completion_tokens: 40,
      total_tokens: 1_559,
      completion_tokens_details: { reasoning_tokens: 24, text_tokens: 16 },
      prompt_tokens_details: {
        cached_tokens: 0,
        text_tokens: 1_519,
        cache_creation_input_tokens: 1_514,
        cache_creation: { ephemeral_5m_input_tokens: 1_514 },
        cache_type: 'ephemeral',
      },
    },
    { input_tokens: 1_519, output_tokens: 40, cache_write_tokens: 1_514, reasoning_tokens: 24 },
  ],
  [
    'Qwen, which has seen an image',
    {
      prompt_tokens: 1_275,
      completion_tokens: 72,
      total_tokens: 1_347,
      prompt_tokens_details: { image_tokens: 1_249, text_tokens: 26 },
      completion_tokens_details: { text_tokens: 72 },
    },
    { input_tokens: 1_275, output_tokens: 72, image_tokens: 1_249 },
  ],
  [
    'Kimi, which names its cache beside the totals',
    { prompt_tokens: 2_989, completion_tokens: 21, total_tokens: 3_010, cached_tokens: 2_816 },
    { input_tokens: 2_989, output_tokens: 21, cache_read_tokens: 2_816 },
  ],
  [
    'Kimi, in both of its ways at once',
    {
      prompt_tokens: 1_336,
      completion_tokens: 31,
      total_tokens: 1_367,
      cached_tokens: 1_280,
      prompt_tokens_details: { cached_tokens: 1_280 },
    },
    { input_tokens: 1_336, output_tokens: 31, cache_read_tokens: 1_280 },
  ],
  [
    'Groq, with its times',
    {
      queue_time: 0.037,
      prompt_tokens: 4_641,
      prompt_time: 0.0009,
      completion_tokens: 1_817,
      completion_time: 4.42,
      total_tokens: 6_458,
      total_time: 4.43,
      prompt_tokens_details: { cached_tokens: 4_608 },
      completion_tokens_details: { reasoning_tokens: 1_200 },
    },
    { input_tokens: 4_641, output_tokens: 1_817, cache_read_tokens: 4_608, reasoning_tokens: 1_200 },
  ],
  [
    'Mistral',
    {
      prompt_tokens: 21,
      completion_tokens: 431,
      total_tokens: 452,
      prompt_audio_seconds: null,
      prompt_tokens_details: { cached_tokens: 16 },
      completion_tokens_details: null,
    },
    { input_tokens: 21, output_tokens: 431, cache_read_tokens: 16 },
  ],
  [
    'xAI, whose reasoning is beside the output, as many tokens as came from the cache',
    {
      prompt_tokens: 199,
      completion_tokens: 1,
      total_tokens: 363,
      prompt_tokens_details: { text_tokens: 199, audio_tokens: 0, image_tokens: 0, cached_tokens: 163 },
      completion_tokens_details: {
        reasoning_tokens: 163,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
      num_sources_used: 0,
      cost_in_usd_ticks: 1_500,
    },
    { input_tokens: 199, output_tokens: 164, cache_read_tokens: 163, reasoning_tokens: 163 },
  ],
  [
    'Gemini, whose thoughts are only in the sum',
    { prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 },
    { input_tokens: 20, output_tokens: 603, reasoning_tokens: 405 },
  ],
  [
    'Gemini behind a gateway that tells the thoughts and counts no output',
    {
      prompt_tokens: 21,
      completion_tokens: 0,
      total_tokens: 81,
      completion_tokens_details: { reasoning_tokens: 60 },
    },
    { input_tokens: 21, output_tokens: 60, reasoning_tokens: 60 },
  ],
  [
    'OpenRouter, with its price',
    {
      prompt_tokens: 10_339,
      completion_tokens: 60,
      total_tokens: 10_399,
      cost: 0.00014,
      is_byok: false,
      prompt_tokens_details: { cached_tokens: 10_318, cache_write_tokens: 12, audio_tokens: 0, video_tokens: 0 },
      cost_details: { upstream_inference_cost: null },
      completion_tokens_details: { reasoning_tokens: 7, image_tokens: 0 },
    },
    {
      input_tokens: 10_339,
      output_tokens: 60,
      cache_read_tokens: 10_318,
      cache_write_tokens: 12,
      reasoning_tokens: 7,
    },
  ],
  [
    'vLLM, which tells no details unless it is asked to',
    { prompt_tokens: 36, total_tokens: 136, completion_tokens: 100, prompt_tokens_details: null },
    { input_tokens: 36, output_tokens: 100 },
  ],
  [
    'vLLM with its prefix cache, and SGLang with its reasoning beside the totals',
    {
      prompt_tokens: 1_036,
      total_tokens: 1_136,
      completion_tokens: 100,
      prompt_tokens_details: { cached_tokens: 1_024 },
      reasoning_tokens: 80,
    },
    { input_tokens: 1_036, output_tokens: 100, cache_read_tokens: 1_024, reasoning_tokens: 80 },
  ],
  [
    'Ollama',
    { prompt_tokens: 26, completion_tokens: 298, total_tokens: 324 },
    { input_tokens: 26, output_tokens: 298 },
  ],
  [
    'a proxy that counts cached tokens beside an input that is more than they are',
    {
      prompt_tokens: 500,
      completion_tokens: 10,
      total_tokens: 810,
      prompt_tokens_details: { cached_tokens: 300 },
    },
    { input_tokens: 800, output_tokens: 10, cache_read_tokens: 300 },
  ],
  [
    'an endpoint without a sum that counts reasoning beside the output',
    { prompt_tokens: 30, completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 100 } },
    { input_tokens: 30, output_tokens: 110, reasoning_tokens: 100 },
  ],
  [
    'a gateway that estimates more reasoning than output, where the sum says that there is no more',
    {
      prompt_tokens: 30,
      completion_tokens: 10,
      total_tokens: 40,
      completion_tokens_details: { reasoning_tokens: 14 },
    },
    { input_tokens: 30, output_tokens: 10, reasoning_tokens: 14 },
  ],
]

it.each(PROVIDERS)('%s', (_provider, reported, usage) => {
  expect(ChatUsage.parse(reported)).toEqual(usage)
  // It is a partition: each token is of one kind.
  const { input_tokens, output_tokens } = ChatUsage.parse(reported)
  const { input, cache_read, cache_write, image, output, reasoning } = tokenKinds(ChatUsage.parse(reported))
  expect([input + cache_read + cache_write + image, output + reasoning]).toEqual([input_tokens, output_tokens])
})

it.each([[{ prompt_tokens: 12 }], [{ prompt_tokens: -1, completion_tokens: 5 }], ['none']])(
  'without two totals there is no usage: %j',
  (reported) => {
    expect(ChatUsage.safeParse(reported).success).toBe(false)
  },
)
