/** The Messages wire: what goes over it, against the strict stand-in of `/v1/messages`, and what it learns from refusals. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Message } from '../../src/core/terms/effect.ts'
import type { ReasoningEffort } from '../../src/core/terms/settings.ts'
import { messagesWire } from '../../src/models/wires/messages/wire.ts'
import { messagesModel } from '../support/messages-model.ts'
import { calling } from '../support/scripted.ts'
import { MODELS, type Json, type ModelName } from '../support/stand-ins/messages-asked.ts'
import { startMessagesStandIn, type Line, type MessagesStandIn } from '../support/stand-ins/messages.ts'
import { CALL, KEY, request, SCHEMA } from './chat-support.ts'

const opened: MessagesStandIn[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})
async function standIn(lines: Line[], thoughts?: Json[]) {
  const server = await startMessagesStandIn({ plan: lines }, thoughts === undefined ? {} : { thoughts })
  opened.push(server)
  return server
}
const words = (count: number) => Array.from({ length: count }, (_, index) => `word ${index}`)

/** The request that asks for a plan; its schema names every member, as the schemas of contracts do. */
const PLAN = { name: 'plan', schema: { ...SCHEMA, required: ['plan'] } }
const TODO = { name: 'todo', description: 'Keeps a list.', parameters: { type: 'object', properties: {} } }
const talk = (messages: Message[], change = {}) => request({ contract: null, tools: [TODO], messages, ...change })
const MARK = { cache_control: { type: 'ephemeral' } }
const text = (said: string, more: Json = {}) => ({ type: 'text', text: said, ...more })
const bodies = (server: MessagesStandIn) => server.calls.map(({ body }) => body)
const turns = (server: MessagesStandIn) => bodies(server).at(-1)?.messages

describe('the request', () => {
  it('posts below the base address with the system apart, a cap, a temperature and the schema of the reply', async () => {
    const server = await standIn(['{"plan":[]}'])
    const model = messagesModel({ base_url: `${server.base_url}/`, model: 'both' })
    const reply = await model.complete(request({ contract: PLAN, temperature: 1.5 }), CALL)
    expect(reply).toMatchObject({ kind: 'model_replied', text: '{"plan":[]}', model: 'both', form: 'json_schema' })
    expect(server.refusals).toEqual([])
    expect(bodies(server)).toEqual([
      {
        model: 'both',
        max_tokens: 4_096,
        system: [text('Plan.', MARK)],
        messages: [{ role: 'user', content: '买牛奶 🥛' }],
        // 1 is the highest.
        temperature: 1,
        output_config: { format: { type: 'json_schema', schema: PLAN.schema } },
        stream: true,
      },
    ])
  })
  it('sends the named headers and no others', async () => {
    const server = await standIn(['A word.'])
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    await messagesModel({ base_url: server.base_url, model: 'both', api_key: KEY }).complete(
      request({ contract: null }),
      {
        ...CALL,
        traceparent,
      },
    )
    const { headers } = server.calls[0] ?? { headers: {} }
    const ours = Object.keys(headers).filter((name) => !OF_THE_CONNECTION.includes(name))
    expect(ours.toSorted()).toEqual([
      'accept',
      'anthropic-version',
      'cf-aig-metadata',
      'content-type',
      'traceparent',
      'user-agent',
      'x-api-key',
    ])
    expect(headers).toMatchObject({ 'x-api-key': KEY, 'user-agent': 'loop-agent', traceparent })
  })
  /** What the runtime adds itself. */
  const OF_THE_CONNECTION = [
    'host',
    'connection',
    'content-length',
    'accept-encoding',
    'accept-language',
    'sec-fetch-mode',
  ]

  it('passes no header on that it does not know', async () => {
    const server = await standIn(['A word.'])
    const { base_url } = server
    const endpoint = {
      base_url,
      api_key: KEY,
      name: 'default',
      wire: 'messages',
      model: 'both',
      binding: null,
    } as const
    const send = messagesWire.connect({ ...endpoint, fetch: globalThis.fetch })
    const headers = { 'x-secret': KEY, authorization: `Bearer ${KEY}`, 'cf-aig-metadata': '{"phase":"plan"}' }
    const body = { model: 'both', max_tokens: 64, messages: [{ role: 'user', content: 'Goal' }] }
    const stream = {
      collect: messagesWire.collect,
      bytes_max: 1_000,
      chars_max: 1_000,
      silence_ms: 1_000,
      onWords: () => {},
    }
    const answer = await send(body, { headers, signal: new AbortController().signal, timeout: 1_000, stream })
    expect(answer).toMatchObject({ kind: 'answered', status: 200 })
    expect(server.calls[0]?.headers).not.toHaveProperty('x-secret')
    expect(server.calls[0]?.headers).not.toHaveProperty('authorization')
  })
  it('an endpoint without a key gets no header for one, and a key that is no header ends the call', async () => {
    const server = await standIn([])
    const model = (api_key: string) => messagesModel({ base_url: server.base_url, model: 'both', api_key })
    expect(await model('').complete(request(), CALL)).toMatchObject({
      kind: 'model_failed',
      reason: 'HTTP 401 (authentication_error): the endpoint wants a key',
      status: 401,
    })
    expect(await model('a\nb').complete(request(), CALL)).toMatchObject({ reason: 'the request could not be made' })
    expect(server.calls).toHaveLength(1)
  })
  it.each([
    ['json_object' as const, [text('Plan.'), text('Reply with one JSON object and nothing else.', MARK)]],
    ['text' as const, [text('Plan.', MARK)]],
  ])('the form %s is asked for in words, never a better one', async (form, system) => {
    const server = await standIn(['{}'])
    const model = messagesModel({ base_url: server.base_url, model: 'both' })
    expect(await model.complete(request({ contract: PLAN, form }), CALL)).toMatchObject({ form })
    expect(bodies(server)[0]).toMatchObject({ system })
    expect(bodies(server)[0]).not.toHaveProperty('output_config')
  })
  it('tools are offered without alternatives at the top of their schemas, and without an empty description', async () => {
    const server = await standIn(['A word.'])
    const parameters = { type: 'object', properties: {}, anyOf: [{ required: ['a'] }] }
    const tools = [TODO, { name: 'x', description: '', parameters }]
    await messagesModel({ base_url: server.base_url, model: 'both' }).complete(talk([], { tools }), CALL)
    expect(server.refusals).toEqual([])
    expect(bodies(server)[0]?.tools).toEqual([
      { name: 'todo', description: 'Keeps a list.', input_schema: TODO.parameters },
      { name: 'x', input_schema: { type: 'object', properties: {} } },
    ])
  })
})

describe('the conversation', () => {
  const sent = async (messages: Message[], change = {}, model: ModelName = 'adaptive') => {
    const server = await standIn(words(3))
    const reply = await messagesModel({ base_url: server.base_url, model }).complete(talk(messages, change), CALL)
    expect(reply.kind).toBe('model_replied')
    expect(server.refusals.filter(({ rule }) => !rule.includes('temperature'))).toEqual([])
    return server
  }
  const use = (id: string, name = 'todo', args = '{"n":1}') => ({ id, name, arguments: args })
  const goal: Message = { role: 'user', content: 'Goal' }
  const note: Message = { role: 'user', content: '[Program] Plan' }

  it('messages of one role are one turn, and results stand before the next text of the user', async () => {
    const server = await sent([
      { role: 'system', content: 'One.' },
      goal,
      { role: 'user', content: 'More' },
      { role: 'assistant', content: 'I look.' },
      { role: 'assistant', content: '', tool_calls: [use('a'), use('b', 'no tool', 'not json')] },
      { role: 'tool', content: 'found', tool_call_id: 'a' },
      { role: 'tool', content: ' ', tool_call_id: 'b' },
      note,
    ])
    expect(turns(server)).toEqual([
      { role: 'user', content: [text('Goal'), text('More', MARK)] },
      {
        role: 'assistant',
        content: [
          text('I look.'),
          { type: 'tool_use', id: 'a', name: 'todo', input: { n: 1 } },
          { type: 'tool_use', id: 'b', name: 'unknown_tool', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'found' },
          { type: 'tool_result', tool_use_id: 'b', ...MARK },
          text('[Program] Plan'),
        ],
      },
    ])
  })
  it('ids that the endpoint would refuse are replaced in the call and in its result, and none comes twice', async () => {
    const messages: Message[] = [goal]
    for (const id of ['call_1', 'call_1', 'call_1', '调用', 'a.b', 'x'.repeat(70), 'call']) {
      messages.push({ role: 'assistant', content: '', tool_calls: [use(id)] })
      messages.push({ role: 'tool', content: id, tool_call_id: id })
    }
    const ids = (server: MessagesStandIn) =>
      (turns(server) as { content: Json[] }[]).flatMap(({ content }) =>
        Array.isArray(content) ? content.flatMap(({ id, tool_use_id }) => [id ?? tool_use_id]) : [],
      )
    const first = ids(await sent(messages))
    const pairs = ['call_1', 'call_1_2', 'call_1_3', 'call', 'call_2', 'call_3', 'call_4'].flatMap((id) => [id, id])
    expect(first.filter((id) => id !== undefined)).toEqual(pairs)
    expect(ids(await sent(messages))).toEqual(first)
  })
  it('begins and ends with the user, and a message without a visible character is left out', async () => {
    const silent: Message[] = [
      { role: 'assistant', content: 'Well,' },
      { role: 'user', content: ' \n' },
      { role: 'assistant', content: 'I begin.' },
      { role: 'assistant', content: '' },
    ]
    expect(turns(await sent(silent))).toEqual([
      { role: 'user', content: [text('Go on.', MARK)] },
      { role: 'assistant', content: [text('Well,'), text('I begin.', MARK)] },
      { role: 'user', content: 'Go on.' },
    ])
    expect(turns(await sent([]))).toEqual([{ role: 'user', content: 'Go on.' }])
  })
  it('calls of a conversation in which nothing is offered are sent with a tool that must not be called', async () => {
    const called: Message[] = [
      goal,
      { role: 'assistant', content: '', tool_calls: [use('a')] },
      { role: 'tool', content: 'found', tool_call_id: 'a' },
      { role: 'user', content: 'How far are you?' },
    ]
    const server = await sent(called, { tools: [] })
    expect(bodies(server).at(-1)).toMatchObject({ tools: [{ name: 'no_tool' }], tool_choice: { type: 'none' } })
  })
  it('a result without a call is left out', async () => {
    const lost: Message[] = [goal, { role: 'tool', content: 'found', tool_call_id: 'a' }, note]
    expect(turns(await sent(lost))).toEqual([{ role: 'user', content: [text('Goal', MARK), text('[Program] Plan')] }])
  })
  it('only what the next request has too is marked for the cache: the end of the conversation, and what was its end before', async () => {
    const marked = async (messages: Message[], change = {}) =>
      ((turns(await sent(messages, change)) ?? []) as { content: string | Json[] }[]).flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.filter(({ cache_control }) => cache_control !== undefined),
      )
    const round = (id: string): Message[] => [
      { role: 'assistant', content: '', tool_calls: [use(id)] },
      { role: 'tool', content: `result ${id}`, tool_call_id: id },
    ]
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `result ${id}`, ...MARK })
    expect(await marked([goal, note])).toEqual([text('Goal', MARK)])
    expect(await marked([goal, ...round('a'), note])).toEqual([text('Goal', MARK), result('a')])
    expect(await marked([goal, ...round('a'), ...round('b'), note])).toEqual([result('a'), result('b')])
    // Where the program says nothing, all of it stays.
    expect(await marked([goal, ...round('a'), ...round('b')])).toEqual([result('a'), result('b')])
    // A request for a form has one text of the user, which is written anew each time.
    expect(await marked([goal], { contract: PLAN, tools: [] })).toEqual([])
  })
})

describe('what the endpoint refuses is left out, noted, and remembered', () => {
  interface Learnt {
    effort: ReasoningEffort | null
    sends: number
    sent: Json
    refused?: string[]
  }
  const LEARNT: [ModelName, string, Learnt][] = [
    ['budget', 'nothing', { effort: null, sends: 1, sent: { temperature: 0 } }],
    [
      'budget',
      'thinking by itself, and an effort',
      {
        effort: 'high',
        sends: 3,
        sent: { thinking: { type: 'enabled', budget_tokens: 2_048 } },
        refused: ['reasoning_effort', 'thinking'],
      },
    ],
    ['budget', 'nothing', { effort: 'none', sends: 1, sent: { temperature: 0, thinking: { type: 'disabled' } } }],
    ['both', 'nothing', { effort: 'medium', sends: 1, sent: { thinking: { type: 'adaptive' }, effort: 'medium' } }],
    ['both', 'nothing', { effort: 'minimal', sends: 1, sent: { thinking: { type: 'adaptive' }, effort: 'low' } }],
    ['adaptive', 'a temperature', { effort: null, sends: 2, sent: {}, refused: ['temperature'] }],
    ['adaptive', 'nothing', { effort: 'low', sends: 1, sent: { thinking: { type: 'adaptive' }, effort: 'low' } }],
    [
      'adaptive',
      'a temperature',
      { effort: 'none', sends: 2, sent: { thinking: { type: 'disabled' } }, refused: ['temperature'] },
    ],
    [
      'always',
      'not to think, and a temperature',
      { effort: 'none', sends: 3, sent: { effort: 'low' }, refused: ['temperature', 'thinking'] },
    ],
    [
      'plain',
      'thinking, and an effort',
      { effort: 'high', sends: 4, sent: { temperature: 0 }, refused: ['reasoning_effort', 'thinking'] },
    ],
  ]
  it.each(LEARNT)('model %s refuses %s, asked with %j', async (model, _, { effort, sends, sent, refused }) => {
    const server = await standIn(words(2))
    const asked = messagesModel({ base_url: server.base_url, model })
    const reply = await asked.complete(request({ contract: null, reasoning_effort: effort }), CALL)
    expect(reply).toMatchObject({ kind: 'model_replied', ...(refused === undefined ? {} : { refused }) })
    expect(server.calls).toHaveLength(sends)
    const { temperature, thinking, output_config } = bodies(server).at(-1) ?? {}
    const given = { temperature, thinking, ...(output_config as object | undefined) }
    expect(JSON.parse(JSON.stringify(given))).toEqual(sent)
    // What was learnt is known before the next call.
    expect(await asked.complete(request({ contract: null, reasoning_effort: effort }), CALL)).toMatchObject({
      text: 'word 1',
    })
    expect(server.calls).toHaveLength(sends + 1)
  })
  /** What the model refuses that thinks within a budget only. */
  const ASIDE_FROM_BUDGETS = ['a model is asked to think in a way that it knows', 'only some models take an effort']
  it.each([
    [64, null],
    [2_047, null],
    [2_048, 1_024],
    [4_096, 2_048],
    [131_072, 8_192],
  ])('of a cap of %i tokens at most half is a budget', async (max_output_tokens, budget) => {
    const server = await standIn(words(1))
    const asked = request({ contract: null, reasoning_effort: 'medium', max_output_tokens })
    await messagesModel({ base_url: server.base_url, model: 'budget' }).complete(asked, CALL)
    const { thinking } = bodies(server).at(-1) ?? {}
    expect(thinking).toEqual(budget === null ? undefined : { type: 'enabled', budget_tokens: budget })
    expect(server.refusals.map(({ rule }) => rule)).toEqual(ASIDE_FROM_BUDGETS)
  })
  it('U7 a form that is refused is asked for in words', async () => {
    const server = await standIn(['{"plan":[]}', '{"plan":[]}'])
    const model = messagesModel({ base_url: server.base_url, model: 'plain' })
    expect(await model.complete(request({ contract: PLAN }), CALL)).toMatchObject({
      form: 'json_object',
      negotiated: ['json_schema'],
    })
    expect(server.refusals.map(({ rule }) => rule)).toEqual(['only some endpoints take a form'])
    expect(await model.complete(request({ contract: PLAN }), CALL)).toMatchObject({ form: 'json_object' })
    expect(server.calls).toHaveLength(3)
  })
  it('with a budget nothing is thought where the last reply has no thinking to send back', async () => {
    const server = await standIn(words(1))
    const messages: Message[] = [
      { role: 'user', content: 'Goal' },
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'todo', arguments: '{}' }] },
      { role: 'tool', content: 'found', tool_call_id: 'a' },
    ]
    const model = messagesModel({ base_url: server.base_url, model: 'budget' })
    const reply = await model.complete(talk(messages, { reasoning_effort: 'high' }), CALL)
    expect(reply.kind).toBe('model_replied')
    expect(server.refusals.map(({ rule }) => rule)).toEqual(ASIDE_FROM_BUDGETS)
    expect(bodies(server).at(-1)).not.toHaveProperty('thinking')
  })
  it.each(Object.keys(MODELS) as ModelName[])('model %s answers within five sends of any request', async (model) => {
    const efforts = [null, 'none', 'minimal', 'low', 'medium', 'high'] as const
    for (const reasoning_effort of efforts) {
      const server = await standIn(words(1))
      const asked = request({ contract: PLAN, reasoning_effort })
      const reply = await messagesModel({ base_url: server.base_url, model }).complete(asked, CALL)
      expect(reply.kind, String(reasoning_effort)).toBe('model_replied')
      expect(server.calls.length).toBeLessThanOrEqual(5)
    }
  })
})

describe('thinking goes back unchanged', () => {
  const THOUGHTS = [{ type: 'thinking', thinking: 'Hm.' }, { type: 'redacted_thinking' }]
  const CALLS = calling('I look.', ['todo', { n: 1 }], ['todo', { n: 2 }])
  const asked = (messages: Message[], change = {}) => talk(messages, { reasoning_effort: 'high', ...change })
  const goal: Message = { role: 'user', content: 'Goal' }

  async function twice(lines: Line[], model: ModelName, later = {}) {
    const server = await standIn(lines, THOUGHTS)
    const endpoint = messagesModel({ base_url: server.base_url, model })
    const first = await endpoint.complete(asked([goal]), CALL)
    if (first.kind !== 'model_replied') throw new Error(first.reason)
    const { text: content, tool_calls = [], reasoning } = first
    const answers = tool_calls.map(({ id }): Message => ({ role: 'tool', content: 'found', tool_call_id: id }))
    const reply = { role: 'assistant' as const, content, tool_calls, ...(reasoning === undefined ? {} : { reasoning }) }
    const second = await endpoint.complete(asked([goal, reply, ...answers], later), CALL)
    const returned = ((turns(server) ?? []) as { content: Json[] }[])[1]?.content ?? []
    return { server, first, second, kinds: returned.map(({ type }) => type) }
  }

  it('before the text and the calls of its reply', async () => {
    const { server, first, second, kinds } = await twice([CALLS, 'Done.'], 'always')
    expect(kinds).toEqual(['thinking', 'redacted_thinking', 'text', 'tool_use', 'tool_use'])
    expect(server.refusals).toEqual([])
    expect(second).toMatchObject({ kind: 'model_replied', text: 'Done.' })
    expect(first).toMatchObject({ reasoning: { wire: 'messages', endpoint: 'default', model: 'always' } })
    expect(first.kind === 'model_replied' && first.usage?.reasoning_tokens).toBeGreaterThan(0)
  })
  it('among them, where it stood among them', async () => {
    const use = (n: number) => ({ type: 'tool_use', id: `toolu_${n}`, name: 'todo', input: { n } })
    const think = (thinking: string) => ({ type: 'thinking', thinking })
    const blocks = [text('First, '), think('a'), text('then.'), use(1), think('b'), use(2)]
    const { server, first, second } = await twice([{ blocks }, 'Done.'], 'always')
    expect(first).toMatchObject({ text: 'First, then.' })
    expect(second).toMatchObject({ text: 'Done.' })
    const returned = ((turns(server) ?? []) as { content: Json[] }[])[1]?.content ?? []
    expect(JSON.parse(JSON.stringify(returned, (name, value) => (name === 'signature' ? undefined : value)))).toEqual(
      blocks,
    )
  })
  it('within a budget, too', async () => {
    const { server, kinds } = await twice([CALLS, 'Done.'], 'budget')
    expect(kinds.slice(0, 2)).toEqual(['thinking', 'redacted_thinking'])
    expect(bodies(server).at(-1)?.thinking).toEqual({ type: 'enabled', budget_tokens: 2_048 })
  })
  it('and not where the endpoint refuses it because something before it has changed, from then on', async () => {
    const other = { tools: [{ ...TODO, description: 'Keeps another list.' }] }
    const { server, second, kinds } = await twice([CALLS, 'Done.'], 'bound', other)
    expect(server.refusals.map(({ rule }) => rule)).toEqual(['on newer accounts nothing before thinking has changed'])
    expect(kinds).toEqual(['text', 'tool_use', 'tool_use'])
    expect(second).toMatchObject({ kind: 'model_replied', text: 'Done.', refused: ['reasoning'] })
  })
  it('and not where the reply consists of nothing else', async () => {
    const { server, second } = await twice([{ blocks: THOUGHTS }, 'Done.'], 'always')
    expect(second).toMatchObject({ text: 'Done.' })
    expect(server.refusals).toEqual([])
    expect(turns(server)).toEqual([{ role: 'user', content: [text('Goal', MARK)] }])
  })
  it('to no other model and no other endpoint', async () => {
    const server = await standIn([CALLS, 'Done.', 'Done.'], THOUGHTS)
    const first = await messagesModel({ base_url: server.base_url, model: 'always' }).complete(asked([goal]), CALL)
    if (first.kind !== 'model_replied' || first.reasoning === undefined) throw new Error('nothing was thought')
    const reply = { role: 'assistant' as const, content: 'I look.', reasoning: first.reasoning }
    const other = { ...reply, reasoning: { ...first.reasoning, endpoint: 'elsewhere' } }
    const ask = (model: string, message: Message) =>
      messagesModel({ base_url: server.base_url, model }).complete(asked([goal, message]), CALL)
    await ask('both', reply)
    await ask('always', other)
    for (const body of bodies(server).slice(1)) expect(JSON.stringify(body)).not.toContain('thinking":"Hm.')
    expect(server.refusals).toEqual([])
  })
})
