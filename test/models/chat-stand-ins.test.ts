/** The stand-ins of the endpoints of chat completions refuse what the real ones refuse: each rule is broken once, and named with its page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { base64Of, png } from '../support/pictures.ts'
import { EVERYWHERE } from '../support/stand-ins/chat-rules.ts'
import {
  brokenRule,
  PROFILE_NAMES,
  PROFILES,
  rulesOf,
  startChatStandIn,
  type ChatStandIn,
  type ProfileName,
} from '../support/stand-ins/chat.ts'

const USER = { role: 'user', content: 'Reply in JSON.' }
const CALL = { id: 'a12345678', type: 'function', function: { name: 'todo', arguments: '{}' } }
const calling = (change: object = {}) => ({ role: 'assistant', content: null, tool_calls: [{ ...CALL, ...change }] })
const RESULT = { role: 'tool', tool_call_id: CALL.id, content: 'done' }
const TOOL = { type: 'function', function: { name: 'todo', description: 'A list.', parameters: { type: 'object' } } }
const named = (name: string) => [{ ...TOOL, function: { ...TOOL.function, name } }]
const taking = (parameters: object, more: object = {}) => [
  { ...TOOL, function: { ...TOOL.function, parameters, ...more } },
]
const JSON_MODE = { type: 'json_object' }
const LOOSE = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }
const schema = (strict: boolean) => ({ type: 'json_schema', json_schema: { name: 'plan', strict, schema: LOOSE } })
/** A conversation with a call, whose reply has these members besides. */
const talk = (members: object = {}, ...behind: object[]) => ({
  messages: [USER, { ...calling(), ...members }, RESULT, ...behind],
})
const hello = (content: string) => ({ messages: [{ role: 'user', content }] })
const seeing = (url: string) => ({
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ],
})
const PICTURE = `data:image/png;base64,${base64Of(png())}`

type Breach = [rule: string, broken: object, kept: object]
const BLIND: Breach = ['a model without vision takes no images', seeing(PICTURE), hello('Look.')]
/** For each rule a request that breaks it, and one that is like it and does not. */
const ALWAYS: Breach[] = [
  [
    'options of a stream stand only beside a stream',
    { stream_options: { include_usage: true } },
    { stream: true, stream_options: {} },
  ],
  [
    'the results of the calls of a reply stand directly behind it',
    { messages: [USER, calling(), { ...RESULT, tool_call_id: 'b12345678' }] },
    { messages: [USER, calling(), RESULT] },
  ],
  [
    'the arguments of a call are the text of a JSON object',
    { messages: [USER, calling({ function: { name: 'todo', arguments: '{"a":' } }), RESULT] },
    talk(),
  ],
  ['a function has a name of letters, digits, _ and -', { tools: named('to do') }, { tools: named('todo') }],
  [
    'a content is a text, or parts that its role may have',
    talk({}, { role: 'tool', tool_call_id: CALL.id, content: [{ type: 'image_url', image_url: { url: PICTURE } }] }),
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'Look.' }] }] },
  ],
  ['an image is a data URL of what it says', seeing(PICTURE.replace('png', 'gif')), hello('Look.')],
]
const BREACHES: Record<ProfileName, Breach[]> = {
  openai: [
    ['a model without vision takes no images', { model: 'o3-mini', ...seeing(PICTURE) }, seeing(PICTURE)],
    [
      'the newest models take tools with an effort only over Responses',
      { model: 'gpt-5.6-terra', tools: [TOOL] },
      { model: 'gpt-5.6-terra', tools: [TOOL], reasoning_effort: 'none' },
    ],
    [
      'an organization that is not verified does not stream the largest models',
      { model: 'o3', stream: true },
      { model: 'o3' },
    ],
    ['models that think take the cap as max_completion_tokens', { max_tokens: 9 }, { max_completion_tokens: 9 }],
    ['models that think have one temperature', { temperature: 0 }, { model: 'gpt-4.1', temperature: 0 }],
    ['a model takes the words for an effort that it has', { reasoning_effort: 'minimal' }, { reasoning_effort: 'low' }],
    [
      'the first models that think always decide by themselves how many calls they make',
      { tools: [TOOL], parallel_tool_calls: false },
      { model: 'gpt-4.1', tools: [TOOL], parallel_tool_calls: false },
    ],
    [
      'a strict schema names all of its members as required and allows no others',
      { response_format: schema(true) },
      { response_format: schema(false) },
    ],
    [
      'JSON mode needs the word JSON in a message',
      { ...hello('Hello.'), response_format: JSON_MODE },
      { response_format: JSON_MODE },
    ],
    ['no member is unknown', { enable_thinking: false }, {}],
    ['no member of a message is unknown', talk({ reasoning_content: 'so' }), talk()],
  ],
  deepseek: [
    BLIND,
    ['each earlier reply with calls has what was thought before it', talk(), talk({ reasoning_content: 'so' })],
    ['a reply has no schema', { response_format: schema(true) }, { response_format: JSON_MODE }],
    [
      'JSON mode needs the word JSON in a message',
      { ...hello('Hello.'), response_format: JSON_MODE },
      { response_format: JSON_MODE },
    ],
    ['an effort is one of those that are mapped', { reasoning_effort: 'none' }, { reasoning_effort: 'minimal' }],
  ],
  kimi: [
    [
      'each earlier reply with calls has what was thought before it, and no empty text counts',
      talk({ reasoning_content: '' }),
      talk({ reasoning_content: ' ' }),
    ],
    ['there is one temperature', { temperature: 0 }, { temperature: 1 }],
    [
      'the name of a function begins with a letter and has at least three characters',
      { tools: named('21st') },
      { tools: named('_21st') },
    ],
    [
      'parameters that are enforced are of its own kind of schema, and they are unless the tool says otherwise',
      { tools: taking({ type: 'object', anyOf: [{ required: ['a'] }] }) },
      { tools: taking({ type: 'object', anyOf: [{ required: ['a'] }] }, { strict: false }) },
    ],
    [
      'a message says something',
      { messages: [USER, { role: 'assistant', content: '' }, USER] },
      { messages: [USER, { role: 'assistant', content: 'so' }, USER] },
    ],
    ['the model has three efforts', { reasoning_effort: 'medium' }, { reasoning_effort: 'max' }],
  ],
  qwen: [
    ['open models think only in a stream', { enable_thinking: true }, { enable_thinking: false }],
    [
      'models that only think have no JSON mode',
      { model: 'qwen3-235b-a22b-thinking-2507', response_format: JSON_MODE },
      { model: 'qwen-plus', response_format: JSON_MODE },
    ],
    [
      'JSON mode needs the word JSON in a message',
      { ...hello('Hello.'), response_format: JSON_MODE },
      { response_format: JSON_MODE },
    ],
  ],
  groq: [
    BLIND,
    ['no member of a message is unknown', talk({ reasoning_content: 'so' }), talk({ reasoning: 'so' })],
    [
      'only models that think have reasoning in messages',
      { model: 'llama-3.3-70b-versatile', ...talk({ reasoning: 'so' }) },
      { model: 'llama-3.3-70b-versatile', ...talk() },
    ],
    ['no member is unknown', { enable_thinking: false }, {}],
    [
      'each model has its words for an effort',
      { model: 'qwen/qwen3.6-27b', reasoning_effort: 'low' },
      { model: 'qwen/qwen3.6-27b', reasoning_effort: 'default' },
    ],
    ['JSON mode and tools do not go together', { tools: [TOOL], response_format: JSON_MODE }, { tools: [TOOL] }],
    [
      'few models keep a schema',
      { model: 'qwen/qwen3.6-27b', response_format: schema(true) },
      { response_format: schema(true) },
    ],
  ],
  mistral: [
    ['no member of a message is unknown', talk({ reasoning_content: 'so' }), talk()],
    ['no member is unknown', { max_completion_tokens: 9 }, { max_tokens: 9 }],
    ['usage is told unasked', { stream: true, stream_options: { include_usage: true } }, { stream: true }],
    [
      'the id of a call is nine letters and digits',
      { messages: [USER, calling({ id: 'call_1' }), { ...RESULT, tool_call_id: 'call_1' }] },
      talk(),
    ],
    [
      'a reply stands between the results of calls and what the user says next',
      talk({}, USER),
      talk({}, { role: 'assistant', content: 'OK.' }, USER),
    ],
    [
      'a reply says something or calls something',
      { messages: [USER, { role: 'assistant', content: '' }, USER] },
      { messages: [USER, { role: 'assistant', content: 'so' }, USER] },
    ],
    ['a model takes the words for an effort that it has', { reasoning_effort: 'low' }, { reasoning_effort: 'high' }],
  ],
  local: [
    BLIND,
    [
      'the template of a model has its roles by turns',
      { messages: [USER, USER] },
      { messages: [USER, { role: 'assistant', content: 'so' }, USER] },
    ],
    ['vLLM has three words for an effort', { reasoning_effort: 'none' }, { reasoning_effort: 'low' }],
    [
      'Ollama has its words for an effort',
      { model: 'ollama/qwen3', reasoning_effort: 'minimal' },
      { model: 'ollama/qwen3', reasoning_effort: 'none' },
    ],
    [
      'a model that does not think takes no effort',
      { model: 'ollama/llama3.2', reasoning_effort: 'low' },
      { model: 'ollama/llama3.2' },
    ],
  ],
}

/** What else a request needs at an endpoint, so that it breaks no other rule. */
const NEEDED: Partial<Record<ProfileName, object>> = { qwen: { enable_thinking: false } }
const requestOf = (name: ProfileName, change: object) => ({
  model: PROFILES[name].model,
  messages: [USER],
  ...NEEDED[name],
  ...change,
})

describe.each(PROFILE_NAMES)('%s', (name) => {
  let server: ChatStandIn
  beforeAll(async () => {
    server = await startChatStandIn(name, { turn: Array.from({ length: 99 }, () => 'So.') })
  })
  afterAll(() => server.close())
  const post = async (body: object) => {
    const { api_key, base_url } = server.config
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${base_url}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, text: await answer.text() }
  }
  // DeepSeek and Kimi demand reasoning of the replies that the general rules are tried with.
  const thought = name === 'deepseek' || name === 'kimi' ? { reasoning_content: 'so' } : {}
  const withThought = (change: object) =>
    'messages' in change && Array.isArray(change.messages)
      ? { ...change, messages: change.messages.map((one) => ('tool_calls' in one ? { ...one, ...thought } : one)) }
      : change
  const breaches = [
    ...ALWAYS.map(([rule, broken, kept]): Breach => [rule, withThought(broken), withThought(kept)]),
    ...BREACHES[name],
  ]

  it.each(breaches)('refuses a request that breaks the rule: %s', async (rule, broken, kept) => {
    const before = server.broken.length
    expect((await post(requestOf(name, broken))).status).toBeOneOf([400, 422])
    expect(server.broken.slice(before)).toEqual([rule])
    expect(await post(requestOf(name, kept))).toMatchObject({ status: 200 })
  })

  it('each of its rules is broken here, and has a page', () => {
    expect(breaches.map(([rule]) => rule)).toEqual(rulesOf(name).map(({ rule }) => rule))
    for (const { source } of rulesOf(name)) expect(URL.canParse(source), source).toBe(true)
  })

  it('refuses a wrong key', async () => {
    const answer = await fetch(`${server.config.base_url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer wrong', 'content-type': 'application/json' },
      body: JSON.stringify(requestOf(name, {})),
    })
    expect(answer.status).toBe(401)
    expect(brokenRule(name, requestOf(name, {}))).toBeNull()
  })
})

it('the rules of all endpoints stand first', () => {
  expect(rulesOf('openai').slice(0, EVERYWHERE.length)).toEqual(EVERYWHERE)
})
