/** What the endpoint of Responses refuses of the items of a conversation. */
import { isReadableUrl } from './images.ts'
import { isObject, refused, type Body, type Refused, type Rule, type World } from './responses-world.ts'

const REFERENCE = 'https://developers.openai.com/api/reference/resources/responses/methods/create'
const SPEC = 'https://github.com/openai/openai-openapi/blob/master/openapi.yaml'
const issue = (path: string) => `https://github.com/${path}`

/** The members of each kind of item that a client may send. */
const MEMBERS: Record<string, readonly string[]> = {
  message: ['type', 'role', 'content', 'phase', 'id', 'status'],
  function_call: ['type', 'call_id', 'name', 'arguments', 'id', 'status'],
  function_call_output: ['type', 'call_id', 'output', 'id', 'status'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content'],
}
const PARTS: Record<string, readonly string[]> = {
  user: ['input_text', 'input_image', 'input_file'],
  system: ['input_text', 'input_image', 'input_file'],
  developer: ['input_text', 'input_image', 'input_file'],
  assistant: ['output_text', 'refusal'],
}
const ID_CHARS_MAX = 64
const DETAILS: readonly unknown[] = ['low', 'high', 'auto', 'original']
const imagesIn = ({ content }: Body): Body[] =>
  Array.isArray(content) ? content.filter(isObject).filter(({ type }) => type === 'input_image') : []

const itemsOf = (body: Body): Body[] => (Array.isArray(body['input']) ? body['input'].filter(isObject) : [])
const typeOf = (item: Body): string => String(item['type'] ?? ('role' in item ? 'message' : 'nothing'))
const named = (body: Body, type: string) =>
  itemsOf(body).flatMap((item, index) => (typeOf(item) === type ? [{ item, index, id: String(item['call_id']) }] : []))

/** The first refusal that one of the items has. */
const eachItem =
  (look: (item: Body, at: string, index: number, all: Body[], world: World) => Refused | null): Rule['broken'] =>
  (body, world) => {
    const all = itemsOf(body)
    for (const [index, item] of all.entries()) {
      const found = look(item, `input[${index}]`, index, all, world)
      if (found !== null) return found
    }
    return null
  }

/** What an item is as the follower of reasoning. null: it is not the model's. */
export function followerOf(item: Body | undefined): string | null {
  if (item?.['type'] === 'function_call') return `call ${String(item['name'])}`
  return item?.['role'] === 'assistant' ? 'message' : null
}

export const itemRefusal: readonly Rule[] = [
  {
    rule: 'no items',
    source: REFERENCE,
    broken: ({ input }) =>
      Array.isArray(input) && input.length > 0 && input.every(isObject)
        ? null
        : refused("Missing required parameter: 'input'.", 'input', 'missing_required_parameter'),
  },
  {
    rule: 'an item of a type that there is not',
    source: REFERENCE,
    broken: eachItem((item, at) =>
      typeOf(item) in MEMBERS ? null : refused(`Invalid value: '${typeOf(item)}'.`, `${at}.type`),
    ),
  },
  {
    rule: 'a member that an item does not have, such as the status of reasoning',
    source: issue('BerriAI/litellm/issues/13420'),
    broken: eachItem((item, at) => {
      const unknown = Object.keys(item).find((member) => !MEMBERS[typeOf(item)]?.includes(member))
      if (unknown === undefined) return null
      return refused(`Unknown parameter: '${at}.${unknown}'.`, `${at}.${unknown}`, 'unknown_parameter')
    }),
  },
  {
    rule: 'a role that there is not',
    source: REFERENCE,
    broken: eachItem((item, at) =>
      typeOf(item) === 'message' && !(String(item['role']) in PARTS)
        ? refused(`Invalid value: '${String(item['role'])}'.`, `${at}.role`)
        : null,
    ),
  },
  {
    rule: 'a part of a message that is not for its role',
    source: issue('jeremychone/rust-genai/pull/119'),
    broken: eachItem((item, at) => {
      if (typeOf(item) !== 'message' || typeof item['content'] === 'string') return null
      const kinds = PARTS[String(item['role'])] ?? []
      const content = Array.isArray(item['content']) ? item['content'] : [null]
      const strange = content.find((part) => !isObject(part) || !kinds.includes(String(part['type'])))
      return strange === undefined ? null : refused(`Invalid value: ${JSON.stringify(strange)}.`, `${at}.content[0]`)
    }),
  },
  {
    rule: 'an image that is no data URL of what it says, or without its detail',
    source: 'https://developers.openai.com/api/docs/guides/images-vision',
    broken: eachItem((item, at) => {
      const wrong = imagesIn(item).find(
        ({ detail, image_url, ...rest }) =>
          !DETAILS.includes(detail) || !isReadableUrl(image_url) || Object.keys(rest).length > 1,
      )
      return wrong === undefined
        ? null
        : refused('The image data you provided does not represent a valid image.', `${at}.content[1].image_url`)
    }),
  },
  {
    rule: 'an image for a model that sees none',
    source: issue('openai/openai-agents-python/issues/1092'),
    broken: eachItem((item, at, _index, _all, { sees }) =>
      sees || imagesIn(item).length === 0
        ? null
        : refused('Image inputs are not supported by this model.', `${at}.content[1]`),
    ),
  },
  {
    rule: 'an id of a call that is longer than 64 characters',
    source: issue('decolua/9router/issues/393'),
    broken: eachItem((item, at) =>
      'call_id' in item && (String(item['call_id']).length > ID_CHARS_MAX || item['call_id'] === '')
        ? refused(`Invalid '${at}.call_id': string too long.`, `${at}.call_id`, 'string_above_max_length')
        : null,
    ),
  },
  {
    rule: 'an id that two calls have',
    source: SPEC,
    broken: (body) => {
      const calls = named(body, 'function_call')
      const twice = calls.find(({ id }, index) => calls.findIndex((other) => other.id === id) !== index)
      return twice === undefined ? null : refused(`Duplicate call_id ${twice.id}.`, 'input', null)
    },
  },
  {
    rule: 'a call without a name that fits, or whose arguments are no text',
    source: SPEC,
    broken: eachItem((item, at) => {
      if (typeOf(item) !== 'function_call') return null
      const fits = typeof item['name'] === 'string' && /^[a-zA-Z0-9_-]{1,128}$/.test(item['name'])
      return fits && typeof item['arguments'] === 'string' ? null : refused(`Invalid '${at}.name'.`, `${at}.name`)
    }),
  },
  {
    rule: 'a call without its result',
    source: issue('openai/codex/issues/93'),
    broken: (body) => {
      const results = new Set(named(body, 'function_call_output').map(({ id }) => id))
      const lonely = named(body, 'function_call').find(({ id }) => !results.has(id))
      return lonely === undefined
        ? null
        : refused(`No tool output found for function call ${lonely.id}.`, 'input', null)
    },
  },
  {
    rule: 'a result without its call before it',
    source: issue('can1357/oh-my-pi/issues/106'),
    broken: (body) => {
      const calls = named(body, 'function_call')
      const lonely = named(body, 'function_call_output').find(
        ({ id, index }) => !calls.some((call) => call.id === id && call.index < index),
      )
      if (lonely === undefined) return null
      return refused(`No tool call found for function call output with call_id ${lonely.id}.`, 'input', null)
    },
  },
  {
    rule: 'reasoning without its id or its summary',
    source: issue('newo-ether/Agora/issues/141'),
    broken: eachItem((item, at) => {
      if (typeOf(item) !== 'reasoning') return null
      return typeof item['id'] === 'string' && Array.isArray(item['summary'])
        ? null
        : refused(`Missing required parameter: '${at}.summary'.`, `${at}.summary`, 'missing_required_parameter')
    }),
  },
  {
    rule: 'reasoning that would have to be looked up, although nothing is stored',
    source: issue('can1357/oh-my-pi/issues/41'),
    broken: eachItem((item) => {
      if (typeOf(item) !== 'reasoning' || typeof item['encrypted_content'] === 'string') return null
      return { ...refused(`Item with id '${String(item['id'])}' not found.`, 'input', null), status: 404 }
    }),
  },
  {
    rule: 'reasoning that was encrypted for another key',
    source: issue('Wei-Shaw/sub2api/issues/2863'),
    broken: eachItem((item, _at, _index, _all, { issued, key }) => {
      if (typeOf(item) !== 'reasoning') return null
      const known = issued.get(String(item['encrypted_content']))
      if (known?.key === key) return null
      return refused('The encrypted content could not be verified.', null, 'invalid_encrypted_content')
    }),
  },
  {
    rule: 'reasoning without what followed it',
    source: issue('continuedev/continue/issues/11994'),
    broken: eachItem((item, _at, index, all, { issued }) => {
      if (typeOf(item) !== 'reasoning') return null
      const next = all.slice(index + 1).find((later) => typeOf(later) !== 'reasoning')
      if (issued.get(String(item['encrypted_content']))?.follower === followerOf(next)) return null
      const id = String(item['id'])
      return refused(
        `Item '${id}' of type 'reasoning' was provided without its required following item.`,
        'input',
        null,
      )
    }),
  },
]
