/** Responses: how an answer is read. */
import { describe, expect, it } from 'vitest'
import type { Reply } from '../support/fault-server.ts'
import { CALL, json, KEY } from './chat-support.ts'
import { answers, call, called, request, RESPONSE, said, thought, TODO, useResponses } from './responses-support.ts'

const { model, received, script } = useResponses()
const read = async (reply: Reply, change = {}) => {
  script(reply)
  return model().complete(request(change), CALL)
}
const OFFERED = { tools: [TODO], contract: null }

describe('the reply', () => {
  it('is the text, the usage, the model as reported and the form', async () => {
    expect(await read(json(RESPONSE))).toEqual({
      kind: 'model_replied',
      text: '{"plan":["买牛奶"],"response":null}',
      usage: { input_tokens: 12, output_tokens: 5 },
      model: 'gpt-reported',
      form: 'json_schema',
    })
  })
  it('has the text of all parts and messages, and no items of other types', async () => {
    const parts = { content: [{ type: 'output_text', text: 'On ' }, { type: 'output_text', text: 'with it.' }, null] }
    const output = [said('', parts), { type: 'web_search_call', id: 'ws_1' }, null, 7, said('Done.')]
    expect(await read(answers(output))).toMatchObject({ text: 'On with it.\n\nDone.' })
  })
  it('has the calls as the model wrote them, each with an id of its own', async () => {
    const output = [called('a'), called('a', 'x', { n: 1 }), called('', 'y', 'not json')]
    expect(await read(answers(output), OFFERED)).toMatchObject({
      kind: 'model_replied',
      text: '',
      tool_calls: [call('a'), call('call_1', 'x', '{"n":1}'), call('call_2', 'y', 'not json')],
    })
  })
  const CUT = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  it.each([
    ['in the middle of a text', [said('half a')], 'half a'],
    ['before any text, because the model has thought until there', [thought('rs_1')], ''],
    ['before anything', [], ''],
  ])('that was cut at the cap %s says so', async (_, output, text) => {
    const reply = await read(answers(output, CUT), OFFERED)
    expect(reply).toMatchObject({ kind: 'model_replied', text, finish: 'length' })
    expect(reply).not.toHaveProperty('reasoning')
  })
  it.each<[string, unknown, object, string]>([
    ['a model that failed', [said('x')], { status: 'failed', error: { message: KEY } }, 'the model failed'],
    ['a response that was canceled', [said('x')], { status: 'cancelled' }, 'response is not finished'],
    ['a response that goes on', [], { status: 'in_progress' }, 'response is not finished'],
    [
      'a text that a filter has cut',
      [said('x')],
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      'content filter',
    ],
    ['no items', [], {}, 'no content'],
    ['nothing but thoughts', [thought('rs_1')], {}, 'no content'],
    ['a message without parts', [said('', { content: [] })], {}, 'no content'],
    ['a refusal', [said('', { content: [{ type: 'refusal', refusal: KEY }] })], {}, 'refusal'],
    ['a call where no tool is offered', [called('a')], {}, 'unexpected tool call'],
  ])('F21 %s is a failed attempt with its usage', async (_, output, more, reason) => {
    const failed = { kind: 'model_failed', reason, status: null, usage: { input_tokens: 12, output_tokens: 5 } }
    expect(await read(answers(output, more))).toMatchObject(failed)
    expect(received()).toHaveLength(1)
  })
  it.each([
    ['more than 32', Array.from({ length: 33 }, (_, index) => called(`c${index}`)), 'too many tool calls'],
    ['one without a name', [{ type: 'function_call', call_id: 'a' }], 'tool calls are not readable'],
    ['arguments beyond what is kept', [called('a', 'x', 'x'.repeat(70_000))], 'reply too large'],
  ])('calls that cannot be stored are a failed attempt: %s', async (_, output, reason) => {
    expect(await read(answers(output), OFFERED)).toMatchObject({ kind: 'model_failed', reason })
  })
  it('F21 a text wins over a refusal and over a call that nobody offered', async () => {
    const both = said('text', { content: [{ type: 'refusal' }, { type: 'output_text', text: 'text' }] })
    expect(await read(answers([both, called('a')]))).toMatchObject({ kind: 'model_replied', text: 'text' })
  })
  it('F19 a lone surrogate is replaced in text and calls', async () => {
    const output = [said('a\ud83d'), called('a', 'x', '{"n":"\ud83d"}')]
    expect(await read(answers(output), OFFERED)).toMatchObject({
      text: 'a\ufffd',
      tool_calls: [{ arguments: '{"n":"\ufffd"}' }],
    })
  })
  it.each([
    [
      'cached tokens inside the input and reasoning inside the output',
      {
        input_tokens: 1_200,
        input_tokens_details: { cached_tokens: 1_024, cache_write_tokens: 100 },
        output_tokens: 300,
        output_tokens_details: { reasoning_tokens: 256 },
        total_tokens: 1_500,
      },
      {
        input_tokens: 1_200,
        output_tokens: 300,
        cache_read_tokens: 1_024,
        cache_write_tokens: 100,
        reasoning_tokens: 256,
      },
    ],
    ['two totals', { input_tokens: 12, output_tokens: 5 }, { input_tokens: 12, output_tokens: 5 }],
    [
      'parts that cannot be read',
      { input_tokens: 12, output_tokens: 5, input_tokens_details: 'none' },
      { input_tokens: 12, output_tokens: 5 },
    ],
    ['one total', { input_tokens: 12 }, null],
    ['the names of chat completions', { prompt_tokens: 12, completion_tokens: 5 }, null],
    ['a text', 'many', null],
  ])('F33 its usage is read: %s', async (_, usage, expected) => {
    expect(await read(json({ ...RESPONSE, usage }))).toMatchObject({ kind: 'model_replied', usage: expected })
  })
})
