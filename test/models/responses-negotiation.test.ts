/** Responses: what a refusal changes, and how an endpoint of chat completions sends its clients here. */
import { describe, expect, it } from 'vitest'
import type { Reply } from '../support/fault-server.ts'
import { CALL, json, refusal } from './chat-support.ts'
import {
  answers,
  assistant,
  kept,
  request,
  RESPONSE,
  said,
  sealed,
  thought,
  TODO,
  useResponses,
} from './responses-support.ts'

const { model, received, script, sent } = useResponses()
const OFFERED = { tools: [TODO], contract: null }

describe('negotiation', () => {
  const NO_SCHEMA = refusal("Invalid schema for response_format 'plan': In context=(), 'x' is not permitted.")
  const NO_FORM = refusal("Unsupported parameter: 'text.format' is not supported with this model.")
  const NO_TEMPERATURE = refusal("Unsupported parameter: 'temperature' is not supported with this model.")
  const NO_EFFORT = refusal("Unsupported parameter: 'reasoning.effort' is not supported with this model.")
  const NO_REASONING = refusal('Encrypted content is not supported with this model.')
  const answered = (more = {}) => ({ kind: 'model_replied', ...more })
  const complete = async (...refusals: Reply[]) => {
    script(...refusals, json(RESPONSE))
    return model().complete(request({ reasoning_effort: 'low' }), CALL)
  }

  it.each([
    ['one form lower', [NO_SCHEMA], 'json_object', ['json_schema']],
    ['two forms lower', [NO_SCHEMA, NO_FORM], 'text', ['json_schema', 'json_object']],
  ])('U7 a refused form is sent again %s and noted', async (_, refusals, form, negotiated) => {
    expect(await complete(...refusals)).toMatchObject(answered({ form, negotiated }))
    expect(received()).toHaveLength(refusals.length + 1)
  })
  it.each([
    ['a temperature', NO_TEMPERATURE, 'temperature', ['temperature']],
    ['an effort', NO_EFFORT, 'reasoning', ['reasoning_effort']],
    ['reasoning in the answer', NO_REASONING, 'include', ['reasoning']],
  ])('U7 %s that is refused is left out, noted, and left out of the next call too', async (_, no, member, refused) => {
    const once = model()
    script(no, json(RESPONSE), json(RESPONSE))
    const asked = request({ reasoning_effort: 'low' })
    expect(await once.complete(asked, CALL)).toMatchObject(answered({ refused }))
    expect(await once.complete(asked, CALL)).not.toHaveProperty('refused')
    expect(sent().map((body) => member in body)).toEqual([true, false, false])
  })
  it.each<[string, string, number]>([
    ['of another key', 'The encrypted content gAAA...DQ== could not be verified.', 400],
    ['that is not known', "Item with id 'rs_1' not found. Items are not persisted.", 404],
    ['without its item', "Item 'rs_1' of type 'reasoning' was provided without its required following item.", 400],
    ['of a type that is not known', "Invalid value: 'reasoning'. Supported values are: 'message'.", 400],
    ['with a member that is not known', "Unknown parameter: 'input[0].encrypted_content'.", 422],
  ])('U7 reasoning %s is refused once, and the conversation goes without it', async (_, text, status) => {
    script(refusal(text, { status }), json(RESPONSE))
    const reasoning = kept({ before: [[sealed(thought('rs_1'))]], phase: null })
    const messages = [assistant('Done.', { reasoning })]
    expect(await model().complete(request({ messages }), CALL)).toMatchObject(answered({ refused: ['reasoning'] }))
    expect(sent().map(({ input }) => input.length)).toEqual([2, 1])
  })
  it.each([
    ['a temperature', NO_TEMPERATURE],
    ['an effort', NO_EFFORT],
    ['reasoning', NO_REASONING],
  ])('U7 %s is left out once: an endpoint that refuses it again has failed', async (_, no) => {
    expect(await complete(no, no)).toMatchObject({ kind: 'model_failed', status: 400 })
    expect(received()).toHaveLength(2)
  })
  it.each([
    ['a 400 that names none of them', refusal("Invalid 'max_output_tokens'.")],
    ['a 404 that names the form', { ...NO_FORM, status: 404 }],
    ['a 500 that names the temperature', { ...NO_TEMPERATURE, status: 500 }],
    ['a 429 that names encrypted content', { ...NO_REASONING, status: 429 }],
  ])('U7 %s is a failed attempt, sent once', async (_, reply) => {
    script(reply)
    expect(await model().complete(request(), CALL)).toMatchObject({ kind: 'model_failed', status: reply.status })
    expect(received()).toHaveLength(1)
  })
})

describe('an endpoint of chat completions that sends its clients here', () => {
  const MOVES: [number, string][] = [
    [400, 'Function tools with reasoning_effort are not supported in /v1/chat/completions. Use /v1/responses.'],
    [404, 'This model is only supported in v1/responses and not in v1/chat/completions.'],
    [422, 'use /v1/responses'],
  ]
  it.each(MOVES)('U7 HTTP %i is followed, noted, and remembered for this model only', async (status, text) => {
    const once = model({ wire: 'chat' })
    const completion = { choices: [{ message: { content: 'x' } }] }
    script(refusal(text, { status }), json(RESPONSE), json(RESPONSE), json(completion))
    expect(await once.complete(request(OFFERED), CALL)).toMatchObject({ kind: 'model_replied', refused: ['chat'] })
    expect(await once.complete(request(OFFERED), CALL)).not.toHaveProperty('refused')
    await once.complete(request({ ...OFFERED, model: 'old' }), CALL)
    expect(received().map(({ path }) => path)).toEqual([
      '/v1/chat/completions',
      '/v1/responses',
      '/v1/responses',
      '/v1/chat/completions',
    ])
  })
  it('U7 what chat completions were refused before stays out, and reasoning belongs to this wire', async () => {
    const NO_TEMPERATURE = refusal("Unsupported value: 'temperature' does not support 0 with this model.")
    script(NO_TEMPERATURE, refusal('use /v1/responses'), answers([thought('rs_1'), said('x')]))
    const reply = await model({ wire: 'chat' }).complete(request(), CALL)
    expect(reply).toMatchObject({ refused: ['chat', 'temperature'], reasoning: { wire: 'responses' } })
    expect(JSON.parse(received().at(-1)?.body ?? '{}')).not.toHaveProperty('temperature')
  })
  it('U7 a server error that names the address is a failed attempt', async () => {
    script(refusal('use /v1/responses', { status: 500 }))
    expect(await model({ wire: 'chat' }).complete(request(), CALL)).toMatchObject({ kind: 'model_failed', status: 500 })
    expect(received()).toHaveLength(1)
  })
})
