/** Ruling 32: what a model plainly meant is understood, and anything else is told so that the next reply is right. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { acceptedReplyOf, cutReason, jsonReader, objectReader, readReply, replyOf } from '../../src/core/mode/reply.ts'
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
  [
    'a backslash that no escape has',
    String.raw`{"status":"done","text":"s.replace(/\d+/g)"}`,
    { status: 'done', text: String.raw`s.replace(/\d+/g)` },
  ],
  [
    'an apostrophe in a text in single quotes',
    "{'status':'done','text':'it is 5 o'clock'}",
    { status: 'done', text: "it is 5 o'clock" },
  ],
  [
    'a text that speaks of the tags',
    '{"status":"done","text":"a <think> b </think> c"}',
    { status: 'done', text: 'a <think> b </think> c' },
  ],
  [
    'an address in a text',
    '{"status":"done","text":"https://a.example/b",}',
    { status: 'done', text: 'https://a.example/b' },
  ],
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
  ['the same object twice', '{"status":"done","more":[1]}\nOnce more: {"more": [1], "status": "done"}', DONE],
  [
    'the same object in two fences',
    `${FENCE}json\n{"status":"done"}\n${FENCE}\n${FENCE}\n{"status":"done"}\n${FENCE}`,
    DONE,
  ],
  ['the same object, once with a mistake', '{"status":"done",}\n{"status":"done"}', DONE],
  ['a part of it before it', 'The item is {"id":1}, so:\n{"status":"done","item":{"id":1}}', DONE],
  ['a part of it behind it', '{"status":"done","items":[{"id":1,"of":{}}]}\nThe item is {"of":{},"id":1}.', DONE],
  ['a type in braces', 'The form is {name: string}.\n{"status":"done"}', DONE],
  ['a comment before the first member', '{ // so\n /* now */ "status":"done"}', DONE],
  ['a comment in front of an inner object', '{ // so\n"status":"done","item":{"id":1}}', DONE],
  ['names without quotes around an inner object', '{status: done, item: {"id":1}}', DONE],
  ['a brace too many', '{"status":"done"}}', DONE],
  ['a missing brace behind inner objects', '{"status":"done","item":{"id":1},"items":[{"id":2},{"id":3}]', DONE],
  ['a missing brace behind names without quotes', '{status: "done", item: {"id":1}', DONE],
  ['the same object, once without its brace', '{"status":"done"\n{"status":"done"}', DONE],
  ['signs of full width alone', '{"status"："done"，"n"：［1，｛"a"：true｝］，｝', DONE],
  [
    'signs of full width and smart quotes',
    '{“status”：“done”，“text”：“他说“好”，对”}',
    { status: 'done', text: '他说“好”，对' },
  ],
  ['signs of full width and names without quotes', '{status："done"，n：1}', DONE],
  [
    'quotes within a Chinese text',
    '{"status":"done","text":"他说"好"，然后走了：对"}',
    { status: 'done', text: '他说"好"，然后走了：对' },
  ],
  ['quotes at the end of a Chinese text', '{"text":"他说"好"","status"："done"}', { status: 'done', text: '他说"好"' }],
  [
    'quotes within a Chinese text and signs of full width',
    '{"text"："他说"好"，然后走了：对"，"status"："done"}',
    { status: 'done', text: '他说"好"，然后走了：对' },
  ],
  [
    'quoted words in a row and signs of full width',
    '{"text"："有"好"，"坏"，和"中""，"status"："done"}',
    { status: 'done', text: '有"好"，"坏"，和"中"' },
  ],
  [
    'a backslash that escapes nothing, and signs of full width',
    String.raw`{"text"："\d：\"a\"\n"，"status"："done"}`,
    { status: 'done', text: '\\d："a"\n' },
  ],
  [
    'a Chinese text with a comma too many behind it',
    '{"status":"done","text":"“好”，走：［对］",}',
    { status: 'done', text: '“好”，走：［对］' },
  ],
  [
    'a long reply with a comma too many',
    `{"status":"done","text":"${'so "it" is, '.repeat(5_000)}",}`,
    { status: 'done', text: 'so "it" is, '.repeat(5_000) },
  ],
  ['members that the contract does not know', '{"status":"done","mood":"good"}', DONE],
]

const TOLD: [string, string, string][] = [
  ['nothing', ' \n', 'the reply is empty'],
  ['only a think block', '<think>{"status":"done"}</think>', 'the reply is empty'],
  ['prose alone', 'I am done.', 'the reply has no JSON object'],
  ['two objects', '{"status":"continue"}\n{"status":"done"}', 'the reply has 2 JSON objects; give one'],
  ['three objects', '{"a":1} {"a":2} {"a":3}', 'the reply has 3 JSON objects; give one'],
  ['twenty objects', '{"a":1} '.repeat(20), 'the reply has more than 16 JSON objects; give one'],
  [
    'two objects in fences',
    `${FENCE}json\n{"status":"continue"}\n${FENCE}\n${FENCE}json\n{"status":"done"}\n${FENCE}`,
    'the reply has 2 JSON objects; give one',
  ],
  ['a broken object before another', '{"status":"continue",,}\n{"status":"done"}', 'the reply has 2 JSON objects'],
  [
    'a broken object behind another',
    '{"status":"done"}\n{"status":"continue" "x" : : }',
    'the reply has 2 JSON objects',
  ],
  [
    'an object without its brace before another',
    '{"status":"next"\nOr:\n{"status":"done"}',
    'the reply has 2 JSON objects',
  ],
  [
    'a text without its end before another object',
    '{"status":"next","text":"a\nOr: x {"status":"done"}',
    '2 JSON objects',
  ],
  ['an object without its end behind another', '{"status":"done"}\n{"status":"cont', 'the reply has 2 JSON objects'],
  [
    'an object with more members beside it',
    '{"status":"done"}\n{"status":"done","text":"x"}',
    'the reply has 2 JSON objects',
  ],
  ['an object with single quotes beside it', `{'status':'continue'} {"status":"done"}`, 'the reply has 2 JSON objects'],
  ['an object without quotes beside it', '{status: "continue"} {"status":"done"}', 'the reply has 2 JSON objects'],
  ['objects on lines of their own, one broken', '{"status":"5" nails"}\n{"status":"done"}', 'JSON object'],
  [
    'a text with an unescaped quotation mark and a brace',
    '{"status":"done","text":"write "}" there","n":1}',
    'JSON object',
  ],
  [
    'an unclear end of a text',
    '{"text"："参数是"a"，"b"："c"，完了"，"status"："done"}',
    'unclear where a text in it ends',
  ],
  ['an unclear end in a list', '{"status":"done","n":["他说"好"，"坏""]}', 'unclear where a text in it ends'],
  [
    'a comment among signs of full width',
    '{"text"："a" /* so */，"status"："done"}',
    'unclear where a text in it ends',
  ],
  ['a missing comma among signs of full width', '{"text"："a" "status"："done"}', 'unclear where a text in it ends'],
  [
    'a long reply with a comment',
    `{"status":"done", /* so */ "text":"${'so it is '.repeat(2_000)}"}`,
    '18037 characters are too many to mend it (at most 16384)',
  ],
  [
    '131073 characters that are no JSON',
    `{"status":"done",${' '.repeat(131_055)}}`,
    '131073 characters are too many to look for',
  ],
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

/** Replies that were read as this before, and are refused today. */
const ACCEPTED_EARLIER: [string, string, object][] = [
  ['a good object beside a broken one', '{"status":"continue",,}\n{"status":"done"}', DONE],
  [
    'a Chinese text whose signs were replaced',
    '{"status":"done","text":"说"好"，"坏"：1"}',
    { status: 'done', text: '说"好"，"坏"：1' },
  ],
  ['a comment among signs of full width', '{"status"："done" /* so */，"n"：1}', DONE],
  ['a long reply with a comment', `{"status":"done", /* so */ "n":"${'so it is '.repeat(2_000)}"}`, DONE],
  [
    'a text that a brace has ended',
    '{"status":"done","text":"write "}" there","n":1}',
    { status: 'done', text: 'write ' },
  ],
]

describe('a row that an earlier release has accepted', () => {
  it.each(ACCEPTED_EARLIER)('U32 stays readable: %s', (_what, text, value) => {
    expect(read(text).ok).toBe(false)
    expect(acceptedReplyOf(Contract, { text }, objectReader, { strict_replies: false })).toEqual({ ok: true, value })
    expect(acceptedReplyOf(Contract, { text }, objectReader, { strict_replies: true }).ok).toBe(false)
  })

  it('U32 stays readable where the first fence was taken', () => {
    const text = `${FENCE}json\n{"status":"done."}\n${FENCE}\n${FENCE}json\n{"status":"next"}\n${FENCE}`
    expect(acceptedReplyOf(Contract, { text }, jsonReader, { strict_replies: false })).toEqual({
      ok: true,
      value: DONE,
    })
  })

  it('U32 is read as today where that is possible, and what neither reading accepts has the reason of today', () => {
    const text = '{"status":"done","text":"他说"好"，然后走了：对"}'
    expect(acceptedReplyOf(Contract, { text }, objectReader, { strict_replies: false })).toEqual({
      ok: true,
      value: { status: 'done', text: '他说"好"，然后走了：对' },
    })
    const refused = acceptedReplyOf(Contract, { text: '{"a":1} {"b":2}' }, objectReader, { strict_replies: false })
    expect(refused).toEqual({ ok: false, reason: 'the reply has 2 JSON objects; give one' })
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
  const twoFences = `${FENCE}json\n{"status":"done"}\n${FENCE}\n${FENCE}json\n{"status":"next"}\n${FENCE}`
  expect(readReply(Contract, twoFences, reader)).toEqual({
    ok: false,
    reason: expect.stringContaining('2 JSON objects'),
  })
  const listAndObject = `${FENCE}json\n[1]\n${FENCE}\nas in {"a":1}`
  expect(readReply(z.array(z.number()), listAndObject, reader)).toEqual({ ok: true, value: [1] })
  expect(readReply(z.array(z.number()), `Yes: ${FENCE}json\n[1]\n${FENCE}`, reader)).toEqual({ ok: true, value: [1] })
  expect(readReply(Contract, 'Yes: {"status":"done",}', reader)).toEqual({ ok: true, value: DONE })
})

it('ruling 32 a word of a contract may end like a sentence', () => {
  const text = '{"status":"Done. ","decision":"next!","text":"so."}'
  const meant = { status: 'done', decision: 'next', text: 'so.' }
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
