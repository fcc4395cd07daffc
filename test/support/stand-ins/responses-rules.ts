/**
 * What the endpoint of Responses refuses of a request, each rule with the public page that says so. `REFERENCE` is the reference of the API, and `SPEC`
 * is the description of it in OpenAPI, both of November 2026.
 */
import { itemRefusal } from './responses-items.ts'
import { isObject, refused, type Body, type Refused, type Rule, type World } from './responses-world.ts'
import { strictSchemaError } from './strict-schema.ts'

const REFERENCE = 'https://developers.openai.com/api/reference/resources/responses/methods/create'
const SPEC = 'https://github.com/openai/openai-openapi/blob/master/openapi.yaml'
const issue = (path: string) => `https://github.com/${path}`

const MEMBERS: ReadonlySet<string> = new Set(
  (
    'background context_management conversation include input instructions max_output_tokens max_tool_calls metadata model ' +
    'moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning ' +
    'safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p ' +
    'truncation user'
  ).split(' '),
)
/** Members of chat completions, and where they are now. */
const MOVED: Record<string, string> = {
  messages: 'input',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  response_format: 'text.format',
  reasoning_effort: 'reasoning.effort',
}
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']
const INCLUDABLE = ['reasoning.encrypted_content', 'message.output_text.logprobs', 'message.input_image.image_url']
const TOOL_MEMBERS = ['type', 'name', 'description', 'parameters', 'strict']
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const FORMAT_NAME = /^[a-zA-Z0-9_-]{1,64}$/

const partOf = (body: Body, name: string, member: string): unknown => {
  const part = body[name]
  return isObject(part) ? part[member] : undefined
}
const effortOf = (body: Body): unknown => partOf(body, 'reasoning', 'effort')
const formatOf = (body: Body): Body => {
  const format = partOf(body, 'text', 'format')
  return isObject(format) ? format : { type: 'text' }
}
const toolsOf = (body: Body): unknown[] => (Array.isArray(body['tools']) ? body['tools'] : [])
const includes = (body: Body): unknown[] => (Array.isArray(body['include']) ? body['include'] : [])
const isNumber = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max

/** The first thing that is wrong with a tool, with what it is about. */
function toolRefusal(tool: unknown, index: number): Refused | null {
  const at = `tools[${index}]`
  if (!isObject(tool) || tool['type'] !== 'function') return refused(`Invalid value at ${at}.type.`, `${at}.type`)
  if (typeof tool['name'] !== 'string') return refused(`Missing required parameter: '${at}.name'.`, `${at}.name`)
  if (!TOOL_NAME.test(tool['name'])) return refused(`Invalid '${at}.name': it does not fit its pattern.`, `${at}.name`)
  const unknown = Object.keys(tool).find((member) => !TOOL_MEMBERS.includes(member))
  if (unknown !== undefined) return refused(`Unknown parameter: '${at}.${unknown}'.`, `${at}.${unknown}`)
  return isObject(tool['parameters']) ? null : refused(`Invalid type for '${at}.parameters'.`, `${at}.parameters`)
}

const textIn = (item: unknown): string =>
  isObject(item) && 'role' in item ? JSON.stringify(item['content'] ?? '') : ''
const ITEMS = (body: Body): unknown[] => (Array.isArray(body['input']) ? body['input'] : [])

export const RULES: readonly Rule[] = [
  {
    rule: 'a member that the API does not have',
    source: REFERENCE,
    broken: (body) => {
      const member = Object.keys(body).find((name) => !MEMBERS.has(name) && !(name in MOVED))
      return member === undefined ? null : refused(`Unknown parameter: '${member}'.`, member, 'unknown_parameter')
    },
  },
  {
    rule: 'a member of chat completions',
    source: issue('OpenHands/software-agent-sdk/issues/755'),
    broken: (body) => {
      const member = Object.keys(body).find((name) => name in MOVED)
      if (member === undefined) return null
      return refused(`Unsupported parameter: '${member}'. It has moved to '${MOVED[member]}'.`, null, UNSUPPORTED)
    },
  },
  {
    rule: 'a cap below 16 tokens',
    source: REFERENCE,
    broken: ({ max_output_tokens: cap }) =>
      cap === undefined || isNumber(cap, 16, Number.MAX_SAFE_INTEGER)
        ? null
        : refused("Invalid 'max_output_tokens': a value >= 16 is expected.", 'max_output_tokens'),
  },
  {
    rule: 'a temperature outside of 0 to 2',
    source: SPEC,
    broken: ({ temperature }) =>
      temperature === undefined || isNumber(temperature, 0, 2)
        ? null
        : refused("Invalid 'temperature': a value <= 2 is expected.", 'temperature'),
  },
  {
    rule: 'a temperature for a model that reasons',
    source: issue('OpenHands/software-agent-sdk/issues/1837'),
    broken: (body, { reasons }) =>
      'temperature' in body && reasons && effortOf(body) !== 'none'
        ? refused("Unsupported parameter: 'temperature' is not supported with this model.", 'temperature', null)
        : null,
  },
  {
    rule: 'an effort that no model has',
    source: SPEC,
    broken: (body) =>
      effortOf(body) === undefined || EFFORTS.some((effort) => effort === effortOf(body))
        ? null
        : refused(`Invalid value: '${String(effortOf(body))}'.`, 'reasoning.effort'),
  },
  {
    rule: 'an effort of a model that does not reason',
    source: issue('RageAgainstThePixel/OpenAI-DotNet/issues/500'),
    broken: (body, { reasons }) =>
      effortOf(body) === undefined || reasons
        ? null
        : refused("Unsupported parameter: 'reasoning.effort' is not supported with this model.", 'reasoning.effort'),
  },
  {
    rule: 'something to include that there is not',
    source: SPEC,
    broken: (body) => {
      const strange = includes(body).find((name) => !INCLUDABLE.some((known) => known === name))
      return strange === undefined ? null : refused(`Invalid value: '${String(strange)}'.`, 'include')
    },
  },
  {
    rule: 'encrypted reasoning of a model that does not reason',
    source: issue('NousResearch/hermes-agent/pull/24234'),
    broken: (body, { reasons }) =>
      includes(body).includes('reasoning.encrypted_content') && !reasons
        ? refused('Encrypted content is not supported with this model.', 'include', null)
        : null,
  },
  {
    rule: 'a tool in the form of chat completions, or without a name that fits',
    source: issue('diegosouzapw/OmniRoute/issues/1914'),
    broken: (body) => firstOf(toolsOf(body), toolRefusal),
  },
  {
    rule: 'a strict tool whose schema is no strict one',
    source: 'https://developers.openai.com/api/docs/guides/function-calling',
    broken: (body) =>
      firstOf(toolsOf(body), (tool, index) => {
        const error = isObject(tool) && tool['strict'] === true ? strictSchemaError(tool['parameters']) : null
        return error === null ? null : refused(`Invalid schema for function: ${error}`, `tools[${index}].parameters`)
      }),
  },
  {
    rule: 'a format without a name that fits, or of a type that there is not',
    source: SPEC,
    broken: (body) => {
      const { type, name, schema } = formatOf(body)
      if (type === 'text' || type === 'json_object') return null
      const fits = typeof name === 'string' && FORMAT_NAME.test(name) && isObject(schema)
      return type === 'json_schema' && fits ? null : refused("Invalid 'text.format'.", 'text.format')
    },
  },
  {
    rule: 'a strict format whose schema is no strict one',
    source: 'https://developers.openai.com/api/docs/guides/structured-outputs',
    broken: (body) => {
      const { type, strict, schema, name } = formatOf(body)
      const error = type === 'json_schema' && strict === true ? strictSchemaError(schema) : null
      const of = `Invalid schema for response_format '${String(name)}'`
      return error === null ? null : refused(`${of}: ${error}.`, 'text.format.schema', 'invalid_json_schema')
    },
  },
  {
    rule: 'a JSON object without the word "json" in an item',
    source: issue('BigDawnGhost/wenyi/pull/66'),
    broken: (body) =>
      formatOf(body)['type'] === 'json_object' && !ITEMS(body).some((item) => /json/i.test(textIn(item)))
        ? refused("The input must contain the word 'json' for 'text.format' of type 'json_object'.", 'input')
        : null,
  },
  {
    rule: 'a key of the cache that is longer than 64 characters',
    source: issue('vybestack/llxprt-code/issues/2135'),
    broken: ({ prompt_cache_key: key }) =>
      key === undefined || (typeof key === 'string' && key.length <= 64)
        ? null
        : refused("Invalid 'prompt_cache_key': string too long.", 'prompt_cache_key', 'string_above_max_length'),
  },
  {
    rule: 'a stream for an organization that is not verified',
    source: issue('lobehub/lobehub/issues/9385'),
    broken: ({ stream }, { streams }) =>
      stream === true && !streams
        ? refused('Your organization must be verified to stream this model.', 'stream', 'unsupported_value')
        : null,
  },
  ...itemRefusal,
]
const UNSUPPORTED = 'unsupported_parameter'

function firstOf(list: unknown[], look: (one: unknown, index: number) => Refused | null): Refused | null {
  for (const [index, one] of list.entries()) {
    const found = look(one, index)
    if (found !== null) return found
  }
  return null
}

/** The refusal of a request by the first rule that it breaks. */
export function refusalOf(body: Body, world: World): Refused | null {
  for (const { broken } of RULES) {
    const found = broken(body, world)
    if (found !== null) return found
  }
  return null
}
