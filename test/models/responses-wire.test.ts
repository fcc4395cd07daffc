/** Responses: what goes over the wire, and what is kept of a reply and goes back with it. */
import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/core/terms/effect.ts'
import type { Reply } from '../support/fault-server.ts'
import { CALL, json } from './chat-support.ts'
import {
  answers,
  assistant,
  call,
  called,
  kept,
  request,
  RESPONSE,
  result,
  said,
  sealed,
  SCHEMA,
  thought,
  TODO,
  useResponses,
} from './responses-support.ts'

const { model, received, script, sent } = useResponses()
const inputOf = async (messages: Message[], change = {}) => {
  script(json(RESPONSE))
  await model().complete(request({ messages, contract: null, tools: [TODO], ...change }), CALL)
  return sent().at(-1)?.input
}
const read = async (reply: Reply, change = {}) => {
  script(reply)
  return model().complete(request(change), CALL)
}
const OFFERED = { tools: [TODO], contract: null }

describe('the request', () => {
  it('posts one request below the base address, in which nothing is stored and reasoning comes encrypted', async () => {
    script(json(RESPONSE))
    await model().complete(request({ reasoning_effort: 'low' }), CALL)
    expect(received().map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/responses'])
    expect(sent()).toEqual([
      {
        model: 'gpt-configured',
        input: [
          { role: 'system', content: 'Plan. Answer as JSON.' },
          { role: 'user', content: '买牛奶 🥛' },
        ],
        temperature: 0,
        max_output_tokens: 4_096,
        reasoning: { effort: 'low' },
        text: { format: { type: 'json_schema', name: 'plan', strict: true, schema: SCHEMA } },
        store: false,
        include: ['reasoning.encrypted_content'],
        stream: true,
        prompt_cache_key: 'tsk_1',
      },
    ])
    expect(Object.keys(received()[0]?.headers ?? {}).filter((name) => /stainless|openai/.test(name))).toEqual([])
  })
  it.each([
    ['json_object' as const, { format: { type: 'json_object' } }],
    ['text' as const, undefined],
  ])('form %s is requested unchanged, never a better one', async (form, text) => {
    expect(await read(json(RESPONSE), { form })).toMatchObject({ kind: 'model_replied', form })
    expect(sent()[0]?.['text']).toEqual(text)
  })
  it('an effort that the request does not name, tools and a form that it does not have are left out', async () => {
    await read(json(RESPONSE), { contract: null })
    expect(sent()[0]).not.toHaveProperty('reasoning')
    expect(sent()[0]).not.toHaveProperty('tools')
    expect(sent()[0]).not.toHaveProperty('text')
  })
  it('tools are flat, and none of their parameters becomes a required one', async () => {
    await read(json(RESPONSE), OFFERED)
    expect(sent()[0]?.['tools']).toEqual([{ type: 'function', ...TODO, strict: false }])
  })
  it('a conversation is a list of items, in which calls and results find each other', async () => {
    const messages = [
      { role: 'system' as const, content: 'You are.' },
      assistant('On with it.', { tool_calls: [call('a'), call('b')] }),
      result('a', 'one'),
      result('b', 'two'),
      assistant('Done.'),
    ]
    expect(await inputOf(messages)).toEqual([
      { role: 'system', content: 'You are.' },
      { role: 'assistant', content: 'On with it.' },
      { type: 'function_call', call_id: 'a', name: 'todo', arguments: '{"command":"/todo list"}' },
      { type: 'function_call', call_id: 'b', name: 'todo', arguments: '{"command":"/todo list"}' },
      { type: 'function_call_output', call_id: 'a', output: 'one' },
      { type: 'function_call_output', call_id: 'b', output: 'two' },
      { role: 'assistant', content: 'Done.' },
    ])
  })
  it('ids of calls that are too long or come twice are replaced, in the call and in its result, and stay as they are in a longer request', async () => {
    const long = 'x'.repeat(65)
    const round = (...ids: string[]) => [
      assistant('', { tool_calls: ids.map((id) => call(id)) }),
      ...ids.map((id) => result(id)),
    ]
    const idsOf = async (messages: Message[]) =>
      (await inputOf(messages))?.map(({ type, call_id }) => `${String(type)} ${String(call_id)}`)
    const first = [...round('call_1', long), ...round('call_1')]
    const ids = await idsOf(first)
    expect(ids).toEqual([
      'function_call call_1',
      'function_call call_2',
      'function_call_output call_1',
      'function_call_output call_2',
      'function_call call_3',
      'function_call_output call_3',
    ])
    const longer = await idsOf([...first, ...round('call_3')])
    expect(longer?.slice(0, 6)).toEqual(ids)
    expect(longer?.slice(6)).toEqual(['function_call call_4', 'function_call_output call_4'])
  })
  it('an invalid call of a model is sent back as a call that the endpoint accepts', async () => {
    const wrong = assistant('', { tool_calls: [call('a', 'bad name! ', 'not json'), call('b', '', '[1]')] })
    const unknown = { name: 'unknown_tool', arguments: '{}' }
    expect(await inputOf([wrong, result('a'), result('b')])).toMatchObject([
      { type: 'function_call', call_id: 'a', ...unknown },
      { type: 'function_call', call_id: 'b', ...unknown },
      {},
      {},
    ])
  })
})

describe('reasoning', () => {
  const BEFORE = [[sealed(thought('rs_1'))], [sealed(thought('rs_2'))], []]
  const KEPT = { before: BEFORE, phase: 'commentary' }

  it('is kept without its status, each item with what followed it', async () => {
    const output = [
      thought('rs_1'),
      said('On ', { phase: 'commentary' }),
      thought('rs_2'),
      called('a'),
      called('b'),
      thought('rs_3'),
    ]
    const reply = await read(answers(output), OFFERED)
    expect(reply).toMatchObject({ text: 'On ', tool_calls: [{ id: 'a' }, { id: 'b' }] })
    expect(reply).toMatchObject({ reasoning: kept(KEPT) })
  })
  it('goes back unchanged and in its order, with the phase of the text', async () => {
    const messages = [
      assistant('On with it.', { tool_calls: [call('a'), call('b')], reasoning: kept(KEPT) }),
      result('a'),
      result('b'),
    ]
    expect((await inputOf(messages))?.slice(0, 5)).toEqual([
      sealed(thought('rs_1')),
      {
        type: 'message',
        role: 'assistant',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'On with it.' }],
      },
      sealed(thought('rs_2')),
      { type: 'function_call', call_id: 'a', name: 'todo', arguments: '{"command":"/todo list"}' },
      { type: 'function_call', call_id: 'b', name: 'todo', arguments: '{"command":"/todo list"}' },
    ])
  })
  it('of an unknown kind keeps all its members and their order', async () => {
    const strange = {
      zebra: [1, { a: null }],
      id: 'rs_9',
      type: 'reasoning',
      summary: [],
      encrypted_content: 'x',
      b: 2,
    }
    const reply = await read(answers([strange, said('x')]), OFFERED)
    if (reply.kind !== 'model_replied' || reply.reasoning === undefined) throw new Error('nothing is kept')
    expect(reply.reasoning.items).toBe(JSON.stringify({ before: [[strange]], phase: null }))
    const input = await inputOf([assistant('x', { reasoning: reply.reasoning })])
    expect(JSON.stringify(input?.[0])).toBe(JSON.stringify(strange))
  })
  it.each([
    ['of another wire', kept(KEPT, { wire: 'chat' })],
    ['of another endpoint', kept(KEPT, { endpoint: 'strong' })],
    ['of another model', kept(KEPT, { model: 'gpt-other' })],
    ['that cannot be read', kept('a thought')],
  ])('%s does not go back', async (_, reasoning) => {
    expect(await inputOf([assistant('Done.', { reasoning })])).toEqual([{ role: 'assistant', content: 'Done.' }])
  })
  it('whose text or call is not sent any more goes to what is, and not at all where nothing is', async () => {
    const types = async (message: Message) => (await inputOf([message]))?.map(({ type }) => type)
    const reasoning = kept(KEPT)
    expect(await types(assistant('', { tool_calls: [call('a')], reasoning }))).toEqual([
      'reasoning',
      'reasoning',
      'function_call',
    ])
    expect(await types(assistant('Done.', { reasoning }))).toEqual(['reasoning', 'message'])
    expect(await types(assistant('', { reasoning }))).toEqual([])
  })
  it.each([
    ['without its content', [thought('rs_1', { encrypted_content: null }), said('x')]],
    ['behind everything', [said('x'), thought('rs_1')]],
    [
      'that nests deeper than any',
      [thought('rs_1', { content: [JSON.parse('['.repeat(40) + ']'.repeat(40))] }), said('x')],
    ],
    ['beyond what is kept', [thought('rs_1', { encrypted_content: 'x'.repeat(131_073) }), said('x')]],
  ])('%s is not kept, and the reply is', async (_, output) => {
    const reply = await read(answers(output), OFFERED)
    expect(reply).toMatchObject({ kind: 'model_replied', text: 'x' })
    expect(reply).not.toHaveProperty('reasoning')
  })
  it('that nests too deep to be written is not kept, and the reply is', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    const body = JSON.stringify({ ...RESPONSE, output: [thought('rs_1', { content: ['@'] }), said('x')] })
    const reply = await read({ ...json(null), body: body.replace('"@"', deep) })
    expect(reply).toMatchObject({ kind: 'model_replied', text: 'x' })
    expect(reply).not.toHaveProperty('reasoning')
  })
  it('that is open text, as other endpoints send it, is kept as well', async () => {
    const open = { id: 'rs_1', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] }
    expect(await read(answers([open, said('x')]))).toMatchObject({
      reasoning: { wire: 'responses', items: JSON.stringify({ before: [[open]], phase: null }) },
    })
  })
})
