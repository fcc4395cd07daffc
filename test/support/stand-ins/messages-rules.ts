/** The rules of `/v1/messages` that the stand-in enforces, each with the public page that it is from. */
import { isRecord } from '../../../src/core/terms/plain/is-record.ts'
import {
  asksToThink,
  bad,
  isModelName,
  recordsIn,
  type Asked,
  type Json,
  type Refusal,
  type Rule,
} from './messages-asked.ts'
import { CONVERSATION_RULES } from './messages-conversation-rules.ts'
import { SCHEMA_RULES } from './messages-schema-rules.ts'

const DOCS = 'https://platform.claude.com/docs/en'
const API = `${DOCS}/api/messages/create`
const ERRORS = `${DOCS}/api/errors`
const THINKING = `${DOCS}/build-with-claude/thinking-troubleshooting`
const BUDGET = `${DOCS}/build-with-claude/extended-thinking`
const CACHE = `${DOCS}/build-with-claude/prompt-caching`

const MEMBERS = [
  'cache_control',
  'container',
  'inference_geo',
  'max_tokens',
  'messages',
  'metadata',
  'model',
  'output_config',
  'service_tier',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
]

const TRANSPORT: Rule[] = [
  {
    rule: 'the path is /v1/messages, and the method POST',
    source: API,
    check: ({ method, path }) =>
      method === 'POST' && path === '/v1/messages'
        ? null
        : { status: 404, type: 'not_found_error', message: 'Not Found' },
  },
  {
    rule: 'the key stands in x-api-key',
    source: `${DOCS}/api/overview`,
    check: ({ headers }) =>
      headers['x-api-key'] === undefined
        ? { status: 401, type: 'authentication_error', message: 'x-api-key header is required' }
        : null,
  },
  {
    rule: 'no second key stands in authorization',
    source: 'https://github.com/anthropics/skills/blob/main/skills/claude-api/shared/error-codes.md',
    check: ({ headers }) =>
      headers.authorization === undefined
        ? null
        : { status: 401, type: 'authentication_error', message: 'two credentials were sent' },
  },
  {
    rule: 'anthropic-version names a version',
    source: `${DOCS}/api/versioning`,
    check: ({ headers }) =>
      headers['anthropic-version'] === '2023-06-01' ? null : bad('anthropic-version: header is required'),
  },
  {
    rule: 'the body is JSON and says so',
    source: `${DOCS}/api/overview`,
    check: ({ headers }) =>
      headers['content-type'] === 'application/json' ? null : bad('content-type: application/json is required'),
  },
]

const isWhole = (value: unknown, min: number): value is number => Number.isInteger(value) && Number(value) >= min

const MEMBER_RULES: Rule[] = [
  {
    rule: 'no member is unknown',
    source: API,
    check({ body }) {
      const strange = Object.keys(body).find((name) => !MEMBERS.includes(name))
      return strange === undefined ? null : bad(`${strange}: Extra inputs are not permitted`)
    },
  },
  {
    rule: 'the model exists',
    source: ERRORS,
    check: ({ body }) =>
      isModelName(body.model)
        ? null
        : { status: 404, type: 'not_found_error', message: `model: ${String(body.model)}` },
  },
  {
    rule: 'max_tokens is set',
    source: API,
    check: ({ body }) => (isWhole(body.max_tokens, 1) ? null : bad('max_tokens: Field required')),
  },
  {
    rule: 'stream is yes or no',
    source: API,
    check: ({ body: { stream } }) =>
      stream === undefined || typeof stream === 'boolean' ? null : bad('stream: Input should be a valid boolean'),
  },
  {
    rule: 'the system consists of texts that say something',
    source: API,
    check({ body: { system } }) {
      if (system === undefined || (typeof system === 'string' && system.trim() !== '')) return null
      const isText = ({ type, text }: Json) => type === 'text' && typeof text === 'string' && text.trim() !== ''
      return Array.isArray(system) && recordsIn(system).length === system.length && recordsIn(system).every(isText)
        ? null
        : bad('system: text content blocks must be non-empty')
    },
  },
  {
    rule: 'a temperature is between 0 and 1',
    source: API,
    check: ({ body: { temperature } }) =>
      temperature === undefined || (typeof temperature === 'number' && temperature >= 0 && temperature <= 1)
        ? null
        : bad('temperature: range: 0..1'),
  },
  {
    rule: 'newer models take no temperature but 1',
    source: API,
    check: ({ body: { temperature }, traits }) =>
      temperature === undefined || temperature === 1 || traits.temperature
        ? null
        : bad('`temperature` is deprecated for this model.'),
  },
  {
    rule: 'a model that thinks takes no temperature but 1',
    source: `${DOCS}/build-with-claude/thinking`,
    check: (asked) =>
      asksToThink(asked) && asked.body.temperature !== undefined && asked.body.temperature !== 1
        ? bad('`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.')
        : null,
  },
]

const THINKING_RULES: Rule[] = [
  { rule: 'a model is asked to think in a way that it knows', source: THINKING, check: thinkingType },
  {
    rule: 'a budget is at least 1024 tokens and less than max_tokens',
    source: BUDGET,
    check({ body: { thinking, max_tokens } }) {
      if (!isRecord(thinking) || thinking.type !== 'enabled') return null
      const { budget_tokens } = thinking
      if (!isWhole(budget_tokens, 1_024)) return bad('thinking.enabled.budget_tokens: at least 1024')
      return budget_tokens < Number(max_tokens) ? null : bad('max_tokens: must be more than thinking.budget_tokens')
    },
  },
  {
    rule: 'nothing but its type stands in thinking',
    source: API,
    check({ body: { thinking } }) {
      if (!isRecord(thinking)) return null
      const known = thinking.type === 'enabled' ? ['type', 'display', 'budget_tokens'] : ['type', 'display']
      const strange = Object.keys(thinking).find((name) => !known.includes(name))
      return strange === undefined ? null : bad(`thinking.${strange}: Extra inputs are not permitted`)
    },
  },
  {
    rule: 'only some models take an effort',
    source: `${DOCS}/build-with-claude/effort`,
    check: ({ body: { output_config }, traits }) =>
      isRecord(output_config) && output_config.effort !== undefined && !traits.effort
        ? bad('This model does not support the effort parameter.')
        : null,
  },
  {
    rule: 'an effort is one of five words',
    source: `${DOCS}/build-with-claude/effort`,
    check: ({ body: { output_config } }) =>
      isRecord(output_config) &&
      output_config.effort !== undefined &&
      !['low', 'medium', 'high', 'xhigh', 'max'].includes(String(output_config.effort))
        ? bad('output_config.effort: Input should be low, medium, high, xhigh or max')
        : null,
  },
]

function thinkingType({ body: { thinking }, traits }: Asked): Refusal | null {
  if (thinking === undefined) return null
  if (traits.thinking.length === 0) return bad('thinking: Extra inputs are not permitted')
  const type = isRecord(thinking) ? thinking.type : undefined
  if (traits.thinking.some((known) => known === type)) return null
  if (type === 'adaptive') return bad('adaptive thinking is not supported on this model')
  return type === 'enabled' || type === 'disabled'
    ? bad(
        `"thinking.type.${type}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort".`,
      )
    : bad('thinking.type: Input should be adaptive, enabled or disabled')
}

const CACHE_RULES: Rule[] = [
  {
    rule: 'at most four blocks end what is cached',
    source: CACHE,
    check(asked) {
      const count = markedBlocks(asked).length
      return count <= 4 ? null : bad(`A maximum of 4 blocks with cache_control may be provided. Found ${count}.`)
    },
  },
  {
    rule: 'the only kind of cache is ephemeral',
    source: CACHE,
    check: (asked) =>
      markedBlocks(asked).every(({ cache_control: mark }) => isRecord(mark) && mark.type === 'ephemeral')
        ? null
        : bad('cache_control.type: Input should be ephemeral'),
  },
  {
    rule: 'thinking does not end what is cached',
    source: CACHE,
    check: (asked) =>
      markedBlocks(asked).some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
        ? bad('thinking.cache_control: Extra inputs are not permitted')
        : null,
  },
]

const markedBlocks = ({ body, turns }: Asked): Json[] =>
  [...recordsIn(body.tools), ...recordsIn(body.system), ...turns.flatMap(({ blocks }) => blocks)].filter(
    ({ cache_control }) => cache_control !== undefined,
  )

/** In the order in which they are checked. */
export const RULES: readonly Rule[] = [
  ...TRANSPORT,
  ...MEMBER_RULES,
  ...THINKING_RULES,
  ...CACHE_RULES,
  ...SCHEMA_RULES,
  ...CONVERSATION_RULES,
]
