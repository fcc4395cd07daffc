/** The strict stand-in of `/v1/messages`: each of its rules is broken once, and it says which. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { base64Of, png } from '../support/pictures.ts'
import type { Json, ModelName } from '../support/stand-ins/messages-asked.ts'
import { RULES } from '../support/stand-ins/messages-rules.ts'
import { thinkingLedger } from '../support/stand-ins/messages-thinking.ts'
import { startMessagesStandIn, type MessagesStandIn } from '../support/stand-ins/messages.ts'

interface Sent {
  path?: string
  headers?: Record<string, string>
  body: Json
}
const HEADERS = {
  'content-type': 'application/json',
  'x-api-key': 'sk-ant-test',
  'anthropic-version': '2023-06-01',
  'cf-aig-metadata': '{"phase":"turn"}',
}
const USER = { role: 'user', content: 'Hello' }
const TOOL = { name: 'todo', description: 'Keeps a list.', input_schema: { type: 'object', properties: {} } }
const call = (id: unknown, more: Json = {}) => ({ type: 'tool_use', id, name: 'todo', input: {}, ...more })
const result = (id: string, more: Json = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'done', ...more })
const image = (media_type: string) => ({
  type: 'image',
  source: { type: 'base64', media_type, data: base64Of(png()) },
})
const assistant = (...content: Json[]) => ({ role: 'assistant', content })
const user = (...content: Json[]) => ({ role: 'user', content })
const mark = { cache_control: { type: 'ephemeral' } }

const plain = (change: Json = {}, model: ModelName = 'both'): Sent => ({
  body: { model, max_tokens: 2_048, messages: [USER], ...change },
})
const said = (...messages: Json[]): Sent => plain({ messages: [USER, ...messages], tools: [TOOL] })
const schema = (part: Json): Json => ({
  output_config: {
    format: {
      type: 'json_schema',
      schema: { type: 'object', properties: { x: part }, required: ['x'], additionalProperties: false },
    },
  },
})
const many = (count: number, part: Json) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, part]))

/** By the name of the rule that the request breaks. */
const BROKEN: Record<string, Sent> = {
  'the path is /v1/messages, and the method POST': { ...plain(), path: '/v1/complete' },
  'the key stands in x-api-key': { ...plain(), headers: { ...HEADERS, 'x-api-key': '' } },
  'no second key stands in authorization': { ...plain(), headers: { ...HEADERS, authorization: 'Bearer x' } },
  'anthropic-version names a version': { ...plain(), headers: { ...HEADERS, 'anthropic-version': '' } },
  'the body is JSON and says so': { ...plain(), headers: { ...HEADERS, 'content-type': 'text/plain' } },
  'no member is unknown': plain({ response_format: { type: 'json_object' } }),
  'the model exists': plain({ model: 'claude-0' }),
  'max_tokens is set': plain({ max_tokens: undefined }),
  'the system consists of texts that say something': plain({ system: [{ type: 'text', text: ' ' }] }),
  'stream is yes or no': plain({ stream: 'yes' }),
  'a temperature is between 0 and 1': plain({ temperature: 1.5 }),
  'newer models take no temperature but 1': plain({ temperature: 0 }, 'adaptive'),
  'a model that thinks takes no temperature but 1': plain({ temperature: 0, thinking: { type: 'adaptive' } }),
  'a model is asked to think in a way that it knows': plain({ thinking: { type: 'disabled' } }, 'always'),
  'a budget is at least 1024 tokens and less than max_tokens': plain({
    thinking: { type: 'enabled', budget_tokens: 2_048 },
  }),
  'nothing but its type stands in thinking': plain({ thinking: { type: 'adaptive', budget_tokens: 1_024 } }),
  'only some models take an effort': plain({ output_config: { effort: 'low' } }, 'budget'),
  'an effort is one of five words': plain({ output_config: { effort: 'minimal' } }),
  'at most four blocks end what is cached': plain({
    messages: [user(...Array.from({ length: 5 }, () => ({ type: 'text', text: 'x', ...mark })))],
  }),
  'the only kind of cache is ephemeral': plain({
    system: [{ type: 'text', text: 'x', cache_control: { type: 'persistent' } }],
  }),
  'thinking does not end what is cached': said(
    assistant({ type: 'thinking', thinking: '', signature: 's', ...mark }, { type: 'text', text: 'x' }),
    USER,
  ),
  'only some endpoints take a form': plain(schema({ type: 'string' }), 'plain'),
  'no member of output_config is unknown': plain({ output_config: { schema: {} } }),
  'a form is a schema and nothing else': plain({ output_config: { format: { type: 'json_object' } } }),
  'each object of a schema names its members and allows no other': plain(schema({ type: 'object', properties: {} })),
  'a schema has no bounds of numbers, lengths or counts': plain(schema({ type: 'string', maxLength: 5 })),
  'a list of a schema asks for at most one item': plain(
    schema({ type: 'array', items: { type: 'string' }, minItems: 2 }),
  ),
  'a schema refers only to its own parts': plain(schema({ $ref: 'https://example.com/schema' })),
  'a schema has at most sixteen unions': plain(
    schema({
      type: 'object',
      properties: many(17, { type: ['string', 'null'] }),
      required: Object.keys(many(17, {})),
      additionalProperties: false,
    }),
  ),
  'a schema has at most 24 optional members': plain(
    schema({ type: 'object', properties: many(25, { type: 'string' }), additionalProperties: false }),
  ),
  'a form is not asked of a turn that the request begins': plain(
    { ...schema({ type: 'string' }), messages: [USER, assistant({ type: 'text', text: '{' })] },
    'both',
  ),
  'there is a message': plain({ messages: [] }),
  'turns are those of the user and of the assistant': plain({ messages: [{ role: 'system', content: 'x' }, USER] }),
  'the first turn is the user’s': plain({ messages: [assistant({ type: 'text', text: 'x' }), USER] }),
  'turns alternate': said(USER),
  'newer models do not continue a turn of their own': said(assistant({ type: 'text', text: 'x' })),
  'a turn says something': said(assistant(), USER),
  'a block is of a kind that its turn may have': said(assistant(result('a')), USER),
  'no member of a block is unknown': said(assistant({ type: 'text', text: 'x', role: 'assistant' }), USER),
  'a text has a visible character': said(assistant({ type: 'text', text: '\n' }), USER),
  'a result is a text, or blocks of text and images': said(
    assistant(call('a')),
    user(result('a', { content: [{ type: 'text', text: ' ' }] })),
  ),
  'an image is base64 of what it says': said(
    assistant(call('a')),
    user(result('a', { content: [image('image/gif')] })),
  ),
  'a model without vision takes no images': plain({ messages: [user(image('image/png'))] }, 'plain'),
  'the id of a call has only letters, digits, underscores and hyphens': said(
    assistant(call('call.1')),
    user(result('call.1')),
  ),
  'the name of a call is a name of a tool': said(assistant(call('a', { name: 'to do' })), user(result('a'))),
  'the input of a call is an object': said(assistant(call('a', { input: '{}' })), user(result('a'))),
  'the ids of calls are unique in the conversation': said(
    assistant(call('a')),
    user(result('a')),
    assistant(call('a')),
    user(result('a')),
  ),
  'each call is answered in the next turn': said(assistant(call('a'), call('b')), user(result('a'))),
  'each result answers a call of the turn before, once': said(assistant(call('a')), user(result('a'), result('a'))),
  'results come first in their turn': said(assistant(call('a')), user({ type: 'text', text: 'x' }, result('a'))),
  'a conversation with calls defines tools': plain({ messages: [USER, assistant(call('a')), user(result('a'))] }),
  'the last block of a turn is no thinking': said(
    assistant({ type: 'text', text: 'x' }, { type: 'thinking', thinking: '', signature: 's' }),
    USER,
  ),
  'with a budget the last turn of the model begins with thinking': plain({
    tools: [TOOL],
    thinking: { type: 'enabled', budget_tokens: 1_024 },
    messages: [USER, assistant(call('a')), user(result('a'))],
  }),
  'a tool has a name, and a schema of an object without alternatives at its top': plain({
    tools: [{ ...TOOL, input_schema: { type: 'object', anyOf: [] } }],
  }),
  'the names of tools are unique': plain({ tools: [TOOL, TOOL] }),
  'newer models are not forced to call a tool': plain({ tools: [TOOL], tool_choice: { type: 'any' } }, 'always'),
}

let server: MessagesStandIn
beforeAll(async () => {
  server = await startMessagesStandIn({ turn: ['A word.', 'A word.', 'A word.', 'A word.'] })
})
afterAll(() => server.close())

async function send({ path = '/messages', headers = HEADERS, body }: Sent, to = server) {
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
  const response = await fetch(path === '/messages' ? `${to.base_url}/messages` : new URL(path, to.base_url), {
    method: 'POST',
    headers: given,
    body: JSON.stringify(body),
  })
  const told = (await response.json()) as Json // of the stand-in
  return { status: response.status, told, broken: to.refusals.splice(0).map(({ rule }) => rule) }
}

describe('a request that breaks one rule is refused', () => {
  it.each(RULES.map((rule) => [rule.rule, rule] as const))('%s', async (name, { source }) => {
    const request = BROKEN[name]
    if (request === undefined) throw new Error('no request breaks this rule')
    const { status, told, broken } = await send(request)
    expect(broken).toEqual([name])
    expect(status).toBeGreaterThanOrEqual(400)
    expect(told).toMatchObject({ type: 'error', error: { type: expect.any(String), message: expect.any(String) } })
    expect(source).toMatch(/^https:\/\//)
  })
  it('each rule has a name of its own, and so has each request that breaks one', () => {
    expect(new Set(RULES.map(({ rule }) => rule)).size).toBe(RULES.length)
    expect(Object.keys(BROKEN).toSorted()).toEqual(RULES.map(({ rule }) => rule).toSorted())
  })
})

describe('thinking', () => {
  const THOUGHTS = { thoughts: [{ type: 'thinking', thinking: 'Hm.' }, { type: 'redacted_thinking' }] }
  const asked = (messages: Json[], model: ModelName, change: Json = {}) =>
    plain({ messages, thinking: { type: 'adaptive' }, tools: [TOOL], ...change }, model)
  const changes: [string, (blocks: Json[]) => Json[], ModelName, Json][] = [
    [
      'thinking comes back with the signature that it had',
      ([first, ...rest]) => [{ ...first, thinking: 'Aha.' }, ...rest],
      'always',
      {},
    ],
    [
      'the thinking of the latest reply comes back whole and in order, or not at all',
      ([first, , ...rest]) => [first ?? {}, ...rest],
      'always',
      {},
    ],
    ['on newer accounts nothing before thinking has changed', (blocks) => blocks, 'bound', { system: 'Be brief.' }],
  ]
  it.each(changes)('%s', async (rule, change, model, later) => {
    const thinking = await startMessagesStandIn({ turn: ['A word.', 'A word.', 'Another.'] }, THOUGHTS)
    const { told } = await send(asked([USER], model), thinking)
    const blocks = told.content as Json[] // of the stand-in
    expect(blocks.map(({ type }) => type)).toEqual(['thinking', 'redacted_thinking', 'text'])
    const unchanged = await send(asked([USER, assistant(...blocks), USER], model), thinking)
    expect(unchanged).toMatchObject({ status: 200, broken: [] })
    const { status, broken } = await send(asked([USER, assistant(...change(blocks)), USER], model, later), thinking)
    expect({ status, broken }).toEqual({ status: 400, broken: [rule] })
    await thinking.close()
  })
  it('has a request for each of its rules', () => {
    expect(changes.map(([rule]) => rule)).toEqual(thinkingLedger().rules.map(({ rule }) => rule))
  })
})

it('what was read up to a mark is billed as read by the next request, and only what is new as written', async () => {
  const long = (text: string) => text.repeat(400)
  const request = (...content: Json[]) =>
    plain({ system: [{ type: 'text', text: long('s'), ...mark }], messages: [user(...content)] })
  const one = { type: 'text', text: long('a') }
  const two = { type: 'text', text: long('b') }
  await send(request(one))
  await send(request({ ...one, ...mark }, two))
  await send(request(one, { ...two, ...mark }))
  const [first, second, third] = server.bills.splice(0)
  expect(first?.cache_read_input_tokens).toBe(0)
  expect(second?.cache_read_input_tokens).toBe(first?.cache_creation_input_tokens)
  expect(third?.cache_read_input_tokens).toBe(
    Number(second?.cache_read_input_tokens) + Number(second?.cache_creation_input_tokens),
  )
  expect(third?.cache_creation_input_tokens).toBeGreaterThan(100)
  expect(second?.input_tokens).toBeGreaterThan(100)
})
