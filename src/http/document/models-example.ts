/** What GET /models answers, as an example: two endpoints, one of them with a tier of prices. */
import type { ModelList } from '../../core/shown/model-view.ts'

export const MODELS_EXAMPLE: ModelList = {
  data: [
    {
      name: 'fast',
      endpoint: 'fast',
      wire: 'chat',
      model: 'gpt-5-mini',
      default: true,
      prices: { version: '6a09e667', input: '0.250000', output: '2.000000', cache_read: '0.025000' },
      fallback: ['strong'],
      learned: { form: 'json_schema', refused: ['max_tokens', 'temperature'] },
    },
    {
      name: 'strong',
      endpoint: 'strong',
      wire: 'messages',
      model: 'claude-sonnet-4-5',
      default: false,
      prices: {
        version: 'genai-prices@0.1.8',
        input: '3.000000',
        output: '15.000000',
        cache_read: '0.300000',
        cache_write: '3.750000',
        tiers: [
          {
            above: 200_000,
            input: '6.000000',
            output: '22.500000',
            cache_read: '0.600000',
            cache_write: '7.500000',
          },
        ],
      },
      fallback: [],
      learned: null,
    },
  ],
  any_name: false,
}
