/** The examples of usage and of receivers of spans in openapi.yaml. */
import type { TraceReceiver } from '../../core/shown/receiver-view.ts'
import type { Usage } from '../../core/shown/usage-view.ts'

const AMOUNTS = {
  tasks: 3,
  model_calls: 21,
  tool_calls: 9,
  steps: 24,
  tokens: 41_230,
  input_tokens: 38_110,
  output_tokens: 3_120,
  cached_tokens: 12_800,
  cost_usd: '0.018400',
  seconds: 96,
}
export const USAGE_EXAMPLE: Usage = {
  tenant: 'acme',
  from: '2026-03-01',
  to: '2026-03-02',
  data: [{ day: '2026-03-02', ...AMOUNTS }],
  total: AMOUNTS,
  as_of: '2026-03-02T09:00:00.000Z',
}

export const RECEIVER_EXAMPLE: TraceReceiver = {
  endpoint: 'https://otlp.example.com/v1/traces',
  protocol: 'http/protobuf',
  headers: { authorization: 'Bearer secret:otlp' },
  capture_content: false,
  updated_at: '2026-03-02T09:00:00.000Z',
  last_failure: null,
}

export const TELEMETRY_EXAMPLES = {
  getUsage: { answer: USAGE_EXAMPLE },
  putReceiver: {
    request: { endpoint: RECEIVER_EXAMPLE.endpoint, headers: RECEIVER_EXAMPLE.headers },
    answer: RECEIVER_EXAMPLE,
  },
  getReceiver: { answer: RECEIVER_EXAMPLE },
}
