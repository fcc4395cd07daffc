/** Ruling 32: what a model plainly meant is understood, and anything else is told so that the next reply is right. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { cutReason, jsonReader, objectReader, readReply, replyOf } from '../../src/core/mode/reply.ts'
import { LENIENT, STRICT } from '../support/readers.ts'

const Contract = z.object({ status: z.string(), text: z.string().default('') })
const DONE = { status: 'done', text: '' }
const read = (text: string) => readReply(Contract, text, LENIENT)
const FENCE = '```'

const UNDERSTOOD: [string, string, object][] = [
  ['the object alone', '{"status":"done"}', DONE],
  ['a fence that names JSON', `${FENCE}json\n{"status":"done"}\n${FENCE}`, DONE],
  ['a fence without a name', `${FENCE}\n{"status":"done"}\n${FENCE}`, DONE],
  ['prose before it', 'Here is my decision:\n{"status":"done"}', DONE],
  ['prose behind it', '{"status":"done"}\nI hope this helps!', DONE],
  ['prose with braces that are no JSON', 'I fill {name} in: {"status":"done"}', DONE],
  ['a think block before it', '<think>{"status":"continue"}?</think>{"status":"done"}', DONE],
  ['the end of a think block whose tag is missing', 'I am done {"a":1}\n</think>\n\n{"status":"done"}', DONE],
  ['a trailing comma', '{"status":"done",}', DONE],
  ['single quotes', "{'status':'done'}", DONE],
  ['smart quotes', '{“status”: “done”}', DONE],
  ['names without quotes', '{status: "done"}', DONE],
  ['a comment', '{"status":"done" /* the item is finished */}', DONE],
  ['constants of Python', '{"status":"done","text":"","ok":True,"none":None}', DONE],
  ['a missing brace at the end', '{"status":"done","text":""', DONE],
  ['a missing comma', '{"status":"done" "text":""}', DONE],
  ['a line end within a text', '{"status":"done","text":"one\ntwo"}', { status: 'done', text: 'one\ntwo' }],
  [
    'quotes within a text',
    '{"status":"done","text":"he said "yes" twice"}',
    { status: 'done', text: 'he said "yes" twice' },
  ],
  ['colons and commas of full width', '{"status"：“done”，"text"："a：b，“c”"}', { status: 'done', text: 'a：b，“c”' }],
  ['smart quotes within a text, which stay', '{"status":"done","text":"“so”"}', { status: 'done', text: '“so”' }],
  ['braces within a text', '{"status":"done","text":"a } b { c"}', { status: 'done', text: 'a } b { c' }],
  [
    'a fence within a text',
    `{"status":"done","text":"${FENCE}js x ${FENCE}"}`,
    { status: 'done', text: `${FENCE}js x ${FENCE}` },
  ],
  ['a trailing comma within prose and a fence', `Sure!\n${FENCE}json\n{"status":"done",}\n${FENCE}\nBye`, DONE],
  ['the object as a JSON text', JSON.stringify('{"status":"done"}'), DONE],

  ['members that the contract does not know', '{"status":"done","mood":"good"}', DONE],
]

const TOLD: [string, string, string][] = [
  ['nothing', ' \n', 'the reply is empty'],
  ['only a think block', '<think>{"status":"done"}</think>', 'the reply is empty'],
  ['prose alone', 'I am done.', 'the reply has no JSON object'],
  ['two objects', '{"status":"continue"}\n{"status":"done"}', 'the reply has 2 JSON objects; give one'],
  ['a list', '[{"status":"done"}]', 'the reply is a JSON list, but not an object'],
  ['an object that breaks its contract', '{"status":5}', 'status: Invalid input: expected string, received number'],
  ['a text that was cut within a string', '{"status":"done","text":"and then', 'stops being JSON behind'],
  ['an object that cannot be mended', '{"status":"done",,"text":{{"}', 'stops being JSON behind'],
]

describe('ruling 32 the one JSON object of a reply is read', () => {
  it.each(UNDERSTOOD)('out of %s', (_what, text, value) => {
    expect(read(text)).toEqual({ ok: true, value })
  })

  it.each(TOLD)('and %s is told', (_what, text, reason) => {
    expect(read(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) })
  })

  it('a reply of more quotation marks or brackets than can be mended in time is told', () => {
    for (const text of [
      `{"status":"done",,"text":"${'x"y '.repeat(20_000)}"}`,
      `{"status":"done",,"text":${'(+'.repeat(5_000)}}`,
    ])
      expect(read(text)).toEqual({ ok: false, reason: expect.stringContaining('cannot be read') })
  })
})

describe('with strict_replies', () => {
  const imperfect = UNDERSTOOD.slice(1).filter(
    ([, text]) => !/^(?:<think>|\{"status":"done","(?:mood|text":"[^]*[“}`]))/.test(text),
  )

  it.each(imperfect)('O0-04 R26 a reply with %s is refused as before', (what, text) => {
    expect(readReply(Contract, text, STRICT).ok, what).toBe(false)
  })
})

it('R26 a contract in whose place a list may stand reads a list out of a fence, and else the one object', () => {
  const reader = jsonReader({ strict_replies: false })
  expect(readReply(z.array(z.number()), `Yes: ${FENCE}json\n[1]\n${FENCE}`, reader)).toEqual({ ok: true, value: [1] })
  expect(readReply(Contract, 'Yes: {"status":"done",}', reader)).toEqual({ ok: true, value: DONE })
})

it('ruling 32 a word of a contract may end like a sentence', () => {
  const text = '{"status":"Done. ","decision":"next!","text":"so."}'
  const meant = { status: 'Done', decision: 'next', text: 'so.' }
  for (const reader of [objectReader, jsonReader]) {
    expect(reader({ strict_replies: false })(text)).toEqual({ ok: true, value: meant })
    expect(reader({ strict_replies: true })(text)).toEqual({ ok: true, value: JSON.parse(text) })
  }
})

it('ruling 33 a reply that the endpoint has cut is refused, even if it is complete by chance', () => {
  const event = { text: '{"status":"done"}', finish: 'length' as const }
  expect(replyOf(Contract, event, LENIENT)).toEqual({ ok: false, reason: cutReason(event) })
  expect(cutReason(event)).toContain('it was longer than allowed')
})

const cutWith = (text: string, output_tokens: number, reasoning_tokens?: number) =>
  cutReason({
    text,
    finish: 'length',
    usage: { input_tokens: 9, output_tokens, ...(reasoning_tokens === undefined ? {} : { reasoning_tokens }) },
  })
const LONG = 'the reply was cut off, because it was longer than allowed; give a shorter one'

it.each([
  ['all of it was thought', '', 4_096, 4_096],
  ['a few tokens were not', ' \n', 4_096, 4_080],
  ['what was thought stands in the text', '<think>so, if', 4_096, undefined],
])('ruling 33 a cut reply that says nothing names its reasoning and the cap: %s', (_, text, output, reasoning) => {
  expect(cutWith(text, output, reasoning)).toContain('its reasoning used up the cap of 4096 tokens')
})

it.each([
  ['it has begun to speak', '{"plan":', 4_096, 4_090],
  ['it has thought less', '', 4_096, 4_000],
  ['nobody knows what it has thought', '', 4_096, undefined],
  ['it has used nothing', '', 0, 0],
  ['it has spoken behind its thinking', '<think>so</think>{"plan":', 4_096, undefined],
])('ruling 33 a cut reply is only too long where %s', (_, text, output, reasoning) => {
  expect(cutWith(text, output, reasoning)).toBe(LONG)
})

it('ruling 33 a reply that was not cut has no such reason, and one with calls has said something', () => {
  const usage = { input_tokens: 9, output_tokens: 50, reasoning_tokens: 50 }
  expect(cutReason({ text: '', usage })).toBeNull()
  expect(cutReason({ text: '', usage, finish: 'length', tool_calls: [{}] })).toBe(LONG)
  expect(cutReason({ text: '', usage: null, finish: 'length' })).toBe(LONG)
})
