/** The stand-in for Responses refuses what the real endpoint refuses, and this wire breaks none of its rules. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schemaOf } from '../../src/core/engine/contracts.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'
import { responsesBody } from '../../src/models/wires/responses/request.ts'
import { calling } from '../support/scripted.ts'
import { startResponses, type ResponsesStandIn } from '../support/stand-ins/responses.ts'
import { base64Of, png } from '../support/pictures.ts'
import { refusalOf, RULES } from '../support/stand-ins/responses-rules.ts'
import type { Body, World } from '../support/stand-ins/responses-world.ts'
import { strictSchemaError } from '../support/stand-ins/strict-schema.ts'
import { CALL } from './chat-support.ts'
import {
  assistant,
  call,
  DIALECT,
  kept,
  MODEL,
  request,
  responsesModel,
  result,
  sealed,
  thought,
  TODO,
} from './responses-support.ts'

const ISSUED: World['issued'] = new Map([
  ['sealed rs_1', { key: 'mine', follower: 'message' }],
  ['sealed rs_2', { key: 'mine', follower: 'call todo' }],
  ['sealed rs_3', { key: 'another', follower: 'message' }],
])
const REASONS: World = { reasons: true, streams: true, sees: true, key: 'mine', issued: ISSUED }
const PLAIN: World = { ...REASONS, reasons: false }
const BLIND: World = { ...REASONS, sees: false }
const seeing = (change: Body = {}) => {
  const image = { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${base64Of(png())}` }
  return {
    content: [
      { type: 'input_text', text: 'Look.' },
      { ...image, ...change },
    ],
  }
}

const ROUND = [
  assistant('On with it.', {
    tool_calls: [call('a'), call('b')],
    reasoning: kept({ before: [[sealed(thought('rs_1'))], [sealed(thought('rs_2'))]], phase: 'commentary' }),
  }),
  result('a'),
  result('b'),
]
/** The request of this wire for a conversation with everything in it. */
const body = (change = {}, dialect = {}): Body =>
  responsesBody({
    request: request({ tools: [TODO], ...change, messages: [...request().messages, ...ROUND] }),
    endpoint: { name: 'default' },
    model: MODEL,
    dialect: { ...DIALECT, temperature: false, ...dialect },
  })
const good = body({ reasoning_effort: 'low' })
/** The items of that request. */
const input = Array.isArray(good['input']) ? (good['input'] as Body[]) : []
const withItem = (index: number, change: Body) => ({ input: input.with(index, { ...input[index], ...change }) })
const withFormat = (change: Body) => ({
  text: { format: { type: 'json_schema', name: 'plan', schema: {}, ...change } },
})
const [AT_USER, AT_REASONING, AT_TEXT, AT_CALL] = [1, 2, 3, 5]

/** One request that breaks each rule, by what it changes of the good one. */
const BREAKING: Record<string, [change: Body, world?: World]> = {
  'a member that the API does not have': [{ max_completion: 1 }],
  'a member of chat completions': [{ max_tokens: 100 }],
  'a cap below 16 tokens': [{ max_output_tokens: 15 }],
  'a temperature outside of 0 to 2': [{ temperature: 3 }],
  'a temperature for a model that reasons': [{ temperature: 0 }],
  'an effort that no model has': [{ reasoning: { effort: 'utmost' } }],
  'an effort of a model that does not reason': [{ include: [] }, PLAIN],
  'something to include that there is not': [{ include: ['everything'] }],
  'encrypted reasoning of a model that does not reason': [{ reasoning: {} }, PLAIN],
  'a tool in the form of chat completions, or without a name that fits': [
    { tools: [{ type: 'function', function: TODO }] },
  ],
  'a strict tool whose schema is no strict one': [{ tools: [{ type: 'function', ...TODO, strict: true }] }],
  'a format without a name that fits, or of a type that there is not': [withFormat({ name: 'a plan' })],
  'a strict format whose schema is no strict one': [withFormat({ strict: true, schema: TODO.parameters })],
  'a JSON object without the word "json" in an item': [
    { text: { format: { type: 'json_object' } }, input: [{ role: 'user', content: 'Plan.' }] },
  ],
  'a key of the cache that is longer than 64 characters': [{ prompt_cache_key: 'x'.repeat(65) }],
  'a stream for an organization that is not verified': [{}, { ...REASONS, streams: false }],
  'no items': [{ input: [] }],
  'an item of a type that there is not': [withItem(AT_CALL, { type: 'tool' })],
  'a member that an item does not have, such as the status of reasoning': [
    withItem(AT_REASONING, { status: 'completed' }),
  ],
  'a role that there is not': [withItem(AT_USER, { role: 'tool' })],
  'a part of a message that is not for its role': [withItem(AT_TEXT, { content: [{ type: 'input_text', text: 'x' }] })],
  'an image that is no data URL of what it says, or without its detail': [
    withItem(AT_USER, seeing({ detail: undefined })),
  ],
  'an image for a model that sees none': [withItem(AT_USER, seeing()), BLIND],
  'an id of a call that is longer than 64 characters': [withItem(AT_CALL, { call_id: 'x'.repeat(65) })],
  'an id that two calls have': [withItem(AT_CALL, { call_id: 'b' })],
  'a call without a name that fits, or whose arguments are no text': [withItem(AT_CALL, { arguments: {} })],
  'a call without its result': [{ input: input.slice(0, -1) }],
  'a result without its call before it': [{ input: input.toSpliced(AT_CALL, 1) }],
  'reasoning without its id or its summary': [withItem(AT_REASONING, { summary: null })],
  'reasoning that would have to be looked up, although nothing is stored': [
    withItem(AT_REASONING, { encrypted_content: null }),
  ],
  'reasoning that was encrypted for another key': [withItem(AT_REASONING, { encrypted_content: 'sealed rs_3' })],
  'reasoning without what followed it': [{ input: input.toSpliced(AT_TEXT, 1) }],
}

describe('the rules', () => {
  it.each(RULES.map((rule) => [rule.rule, rule] as const))(
    '%s is refused by the rule alone that says so',
    (name, rule) => {
      const [change, world = REASONS] = BREAKING[name] ?? [{}]
      const wrong = { ...good, ...change }
      expect(refusalOf(wrong, world)).toEqual(rule.broken(wrong, world))
      expect(refusalOf(wrong, world)).toMatchObject({ message: expect.any(String) })
      expect(rule.source).toMatch(/^https:\/\/(github\.com|developers\.openai\.com)\//)
    },
  )
  it('have a request each that breaks them', () => {
    expect(Object.keys(BREAKING)).toEqual(RULES.map(({ rule }) => rule))
  })
  it.each([
    ['an object that is open', { type: 'object', properties: {} }],
    [
      'a property that is not required',
      { type: 'object', properties: { a: { type: 'string' } }, required: [], additionalProperties: false },
    ],
    ['a list at the root', { type: 'array', items: { type: 'string' } }],
    ['a choice at the root', { type: 'object', anyOf: [], properties: {}, required: [], additionalProperties: false }],
    ['a bound of length', nested(1, { type: 'string', maxLength: 9 })],
    ['objects eleven deep', nested(11, { type: 'string' })],
    ['1,001 values', nested(1, { type: 'string', enum: Array.from({ length: 1_001 }, (_, index) => `${index}`) })],
    ['120,001 characters of names and values', nested(1, { type: 'string', const: 'x'.repeat(120_001) })],
  ])('a strict schema may not have %s', (_, schema) => {
    expect(strictSchemaError(schema)).toEqual(expect.any(String))
  })
})

function nested(depth: number, inner: object): object {
  if (depth === 0) return inner
  const properties = { p: nested(depth - 1, inner) }
  return { type: 'object', properties, required: ['p'], additionalProperties: false }
}

describe('this wire', () => {
  it.each([
    ['a model that reasons', good, REASONS],
    [
      'a model that does not, when the refused parts are left out',
      body({}, { effort: false, reasoning: false, temperature: true }),
      PLAIN,
    ],
    ['a JSON object', body({}, { form: 'json_object' }), REASONS],
    ['free text', body({ contract: null }), REASONS],
  ])('breaks no rule for %s', (_, wire, world) => {
    expect(refusalOf(wire, world)).toBeNull()
  })
  it('breaks no rule with any contract of any mode: all of them are strict schemas', () => {
    const contracts = MODE_NAMES.flatMap((mode) =>
      Object.keys(modeOf(mode).contracts).map((name) => ({
        name: `${mode}_${name}`,
        schema: schemaOf(mode, name, ['todo']) ?? {},
      })),
    )
    expect(contracts.length).toBeGreaterThan(5)
    for (const contract of contracts) expect(refusalOf(body({ contract }), REASONS), contract.name).toBeNull()
  })
  it('breaks no rule with calls that came from elsewhere', () => {
    const messages = [
      assistant('', { tool_calls: [call('call_1', 'bad name!', 'no json'), call('x'.repeat(200))] }),
      result('call_1'),
      result('x'.repeat(200)),
      assistant('', { tool_calls: [call('call_1')] }),
      result('call_1'),
    ]
    const wire = responsesBody({
      request: request({ tools: [TODO], messages, contract: null }),
      endpoint: { name: 'default' },
      model: MODEL,
      dialect: { ...DIALECT, temperature: false },
    })
    expect(refusalOf(wire, REASONS)).toBeNull()
  })
})

describe('over the stand-in', () => {
  let standIn: ResponsesStandIn
  const PLAIN_REPLIES = { turn: ['one', 'two'] }
  beforeAll(async () => {
    standIn = await startResponses(PLAIN_REPLIES, { reasons: false })
  })
  afterAll(() => standIn.close())

  it('a model that does not reason is asked without effort and reasoning after its refusals, and its next call is sent once', async () => {
    const model = responsesModel(standIn.base_url)
    const asked = request({
      contract: null,
      reasoning_effort: 'low',
      metadata: { ...request().metadata, phase: 'turn' },
    })
    const refused = ['reasoning_effort', 'reasoning']
    expect(await model.complete(asked, CALL)).toMatchObject({ kind: 'model_replied', text: 'one', refused })
    expect(await model.complete(asked, CALL)).toMatchObject({ kind: 'model_replied', text: 'two' })
    expect(standIn.asked).toHaveLength(4)
  })

  it('a model that reasons gets its reasoning back with the calls and the text that it led to', async () => {
    const open = await startResponses({ turn: [calling('Now.', ['todo', {}], ['todo', {}]), 'Done.'] })
    const model = responsesModel(open.base_url)
    const asked = request({ contract: null, tools: [TODO], metadata: { ...request().metadata, phase: 'turn' } })
    const reply = await model.complete(asked, CALL)
    if (reply.kind !== 'model_replied' || reply.reasoning === undefined) throw new Error('nothing is kept')
    const { text, tool_calls = [], reasoning } = reply
    const messages = [
      ...asked.messages,
      assistant(text, { tool_calls, reasoning }),
      ...tool_calls.map(({ id }) => result(id)),
    ]
    expect(await model.complete({ ...asked, messages }, CALL)).toMatchObject({
      kind: 'model_replied',
      text: 'Done.',
      usage: { input_tokens: 100, output_tokens: 20, cache_read_tokens: 64, reasoning_tokens: 12 },
    })
    // The first call is sent twice, because the model takes no temperature.
    expect(open.asked.map(({ refused }) => refused?.param ?? null)).toEqual(['temperature', null, null])
    await open.close()
  })
})
