/** Where a chat completion says what was thought, how it ended, and what it holds: each kind of answer, and the same reply as it goes back. */
import { describe, expect, it } from 'vitest'
import { REASONING_BYTES_MAX } from '../../src/core/mode/prompt-bytes.ts'
import { readCompletion } from '../../src/models/wires/chat/reply.ts'
import { chatBody } from '../../src/models/wires/chat/request.ts'
import { FIRST_DIALECT, type Dialect } from '../../src/models/wires/wire.ts'
import { COMPLETION, request } from './chat-support.ts'

const CALL = { id: 'a', type: 'function', function: { name: 'todo', arguments: '{}' } }
const read = (message: object, { finish_reason = 'stop', usage = COMPLETION.usage as unknown, calls = true } = {}) => {
  const choices = [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }]
  return readCompletion({ type: 'application/json', text: JSON.stringify({ ...COMPLETION, choices, usage }) }, calls)
}
/** The message as it goes back to the endpoint that has given it. */
function sentBack(message: object, wanted: Partial<Dialect> = {}) {
  const reply = read(message)
  if ('reason' in reply) throw new Error(reply.reason)
  const { text, tool_calls, reasoning } = reply
  const at = { endpoint: { name: 'default' }, model: 'm' }
  const kept =
    reasoning === undefined
      ? {}
      : { reasoning: { wire: 'chat' as const, endpoint: 'default', model: 'm', items: reasoning } }
  const messages = [{ role: 'assistant' as const, content: text, ...(tool_calls ? { tool_calls } : {}), ...kept }]
  const dialect = { ...FIRST_DIALECT, wire: 'chat' as const, form: 'text' as const, ...wanted }
  return chatBody({ request: request({ messages, contract: null }), ...at, dialect }).messages[0]
}

const DETAILS = [
  { type: 'reasoning.text', text: 'so\n', signature: 'c2ln', id: 'r1', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'AAAA', id: null, index: 1 },
]
const THINKING = { type: 'thinking', thinking: [{ type: 'text', text: 'so' }], closed: true }

describe('what was thought', () => {
  it.each<[string, object, object]>([
    ['DeepSeek, Kimi, Qwen', { content: 'x', reasoning_content: 'so' }, { content: 'x', reasoning_content: 'so' }],
    ['vLLM, Ollama, Groq', { content: 'x', reasoning: 'so' }, { content: 'x', reasoning: 'so' }],
    [
      'OpenRouter, whose list goes back unchanged and not also as a text',
      { content: 'x', reasoning: 'so', reasoning_details: DETAILS },
      { content: 'x', reasoning_details: DETAILS },
    ],
    [
      'a proxy that has it twice',
      { content: 'x', reasoning: 'so', reasoning_content: 'so' },
      { content: 'x', reasoning_content: 'so' },
    ],
    [
      'Mistral, as parts of the content',
      { content: [THINKING, { type: 'text', text: 'x' }] },
      { content: [THINKING, { type: 'text', text: 'x' }] },
    ],
    ['nobody', { content: 'x', reasoning: '', reasoning_content: null, reasoning_details: [] }, { content: 'x' }],
    ['a think block stays in the text', { content: '<think>so</think>x' }, { content: '<think>so</think>x' }],
  ])('goes back in the member in which it came: %s', (_, message, sent) => {
    expect(sentBack(message)).toEqual({ role: 'assistant', ...sent })
  })

  it('goes back beside calls', () => {
    expect(sentBack({ content: null, reasoning_content: 'so', tool_calls: [CALL] })).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'so',
      tool_calls: [CALL],
    })
    expect(sentBack({ content: [THINKING], tool_calls: [CALL] })).toEqual({
      role: 'assistant',
      content: [THINKING],
      tool_calls: [CALL],
    })
  })

  it('of a list is kept where a blank is demanded besides, and a text is no blank', () => {
    const wanted = { blank_reasoning: true }
    expect(sentBack({ content: 'x', reasoning_details: DETAILS }, wanted)).toMatchObject({
      reasoning_content: ' ',
      reasoning_details: DETAILS,
    })
    expect(sentBack({ content: 'x', reasoning_content: 'so' }, wanted)).toMatchObject({ reasoning_content: 'so' })
  })

  it('of an earlier form is read: a text alone', () => {
    const items = JSON.stringify('so')
    const reasoning = { wire: 'chat' as const, endpoint: 'default', model: 'm', items }
    const dialect = { ...FIRST_DIALECT, wire: 'chat' as const, form: 'text' as const }
    const messages = [{ role: 'assistant' as const, content: 'x', reasoning }]
    const at = { endpoint: { name: 'default' }, model: 'm' }
    expect(chatBody({ request: request({ messages }), ...at, dialect }).messages).toEqual([
      { role: 'assistant', content: 'x', reasoning_content: 'so' },
    ])
  })

  it.each<[string, object]>([
    ['is more than is kept', { reasoning: 'x'.repeat(REASONING_BYTES_MAX) }],
    ['nests too deep', { reasoning_details: [JSON.parse('['.repeat(100) + ']'.repeat(100))] }],
    ['is no text', { reasoning_content: 7, reasoning: { a: 1 }, reasoning_details: 'so' }],
  ])('is left out where it %s, and the reply is kept', (_, thought) => {
    expect(read({ content: 'x', ...thought })).toEqual(expect.not.objectContaining({ reasoning: expect.anything() }))
    expect(read({ content: 'x', ...thought })).toMatchObject({ text: 'x' })
  })

  it('has no lone surrogate', () => {
    expect(sentBack({ content: 'x', reasoning_content: 'a\ud83d' })).toMatchObject({ reasoning_content: 'a\ufffd' })
    expect(sentBack({ content: 'x', reasoning_details: [{ text: '\ud83d' }] })).toMatchObject({
      reasoning_details: [{ text: '\ufffd' }],
    })
  })
})

describe('how a reply ended', () => {
  it.each(['stop', 'tool_calls', 'function_call', 'end_turn', 'length', 'model_length'])(
    '%s is a reply',
    (finish_reason) => {
      const cut = finish_reason.endsWith('length') ? { finish: 'length' } : {}
      expect(read({ content: 'x' }, { finish_reason })).toEqual({
        text: 'x',
        ...cut,
        model: 'gpt-reported',
        usage: { input_tokens: 12, output_tokens: 5 },
      })
    },
  )
  it.each(['content_filter', 'error', 'insufficient_system_resource'])(
    '%s is a failure of this name, whatever was said, and its usage is kept',
    (finish_reason) => {
      const failure = { reason: finish_reason, usage: { input_tokens: 12, output_tokens: 5 } }
      expect(read({ content: 'half of it' }, { finish_reason })).toEqual(failure)
      expect(read({ content: null, tool_calls: [CALL] }, { finish_reason })).toEqual(failure)
    },
  )
  it('a reply that is cut before it says anything is one, with what it has thought and used', () => {
    const usage = { prompt_tokens: 12, completion_tokens: 64, completion_tokens_details: { reasoning_tokens: 64 } }
    const cut = { text: '', finish: 'length', usage: { output_tokens: 64, reasoning_tokens: 64 } }
    expect(read({ content: null }, { finish_reason: 'length', usage })).toMatchObject(cut)
    expect(read({ content: '' }, { finish_reason: 'length', usage })).toMatchObject(cut)
    expect(read({}, { finish_reason: 'length', usage, calls: false })).toMatchObject(cut)
  })
  it('a reply without a text is none, unless something was thought', () => {
    expect(read({ content: null })).toMatchObject({ reason: 'no content' })
    expect(read({ content: null, tool_calls: [] }, { calls: false })).toMatchObject({ reason: 'no content' })
    expect(read({ content: null, reasoning: 'so' })).toMatchObject({ text: '' })
    expect(read({ content: null, reasoning: 'so', tool_calls: [CALL] }, { calls: false })).toMatchObject({
      reason: 'unexpected tool call',
    })
  })
})

describe('what a reply holds', () => {
  it('its parts of text are one text', () => {
    const content = [
      { type: 'text', text: 'one ' },
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: 'text' },
    ]
    expect(read({ content })).toMatchObject({ text: 'one text' })
    expect(read({ content: [THINKING] })).toMatchObject({ text: '' })
  })
  it('a refusal is a failure where nothing else was said, and so is one that stands in a part', () => {
    expect(read({ content: null, refusal: 'no' })).toMatchObject({ reason: 'refusal' })
    expect(read({ content: '', refusal: 'no' })).toMatchObject({ reason: 'refusal' })
    expect(read({ content: 'x', refusal: 'no' })).toMatchObject({ text: 'x' })
    expect(read({ content: [{ type: 'refusal', refusal: 'no' }] })).toMatchObject({ reason: 'refusal' })
  })
  it('a call in the old form is a call, which gets an id', () => {
    const function_call = { name: 'todo', arguments: '{}' }
    expect(read({ content: null, function_call }, { finish_reason: 'function_call' })).toMatchObject({
      tool_calls: [{ id: 'call_0', name: 'todo', arguments: '{}' }],
    })
    expect(read({ content: null, function_call }, { calls: false })).toMatchObject({ reason: 'unexpected tool call' })
    // Some servers write both members, and leave the old one empty.
    expect(read({ content: 'x', function_call: null, tool_calls: [] })).toMatchObject({ text: 'x' })
  })
})
