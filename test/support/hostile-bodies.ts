/** Answers with status 200 that are not a completion, barely one, or one with false usage (rows 21, 22, 25, 33). */
import {
  always,
  answerOf,
  body,
  completion,
  FINE,
  JSON_TYPE,
  KEY,
  lost,
  RAW,
  SAID,
  says,
  USAGE,
  type Ask,
  type Fate,
  type Hostile,
} from './hostile-kit.ts'

const NOT_ONE = lost('reply is not a completion')
/** An answer without usage, so that the cost of an unusable answer is unknown. */
const UNKNOWN = { usage: undefined }
const message = (content: unknown, more: object = {}) => completion({ role: 'assistant', content, ...more }, UNKNOWN)
const ended = (content: string, finish_reason: string) =>
  says(content, { ...UNKNOWN, choices: [{ index: 0, finish_reason, message: { role: 'assistant', content } }] })
const parts = (part: unknown) => answerOf({ model: 'm', choices: part })
const CALL = { id: 'c1', type: 'function', function: { name: RAW, arguments: `{"key":"${KEY}"}` } }
const HTML = `<!doctype html><title>Sign in</title><p>${RAW} ${KEY}`

const NO_COMPLETION: Hostile[] = [
  body(21, 'an empty body', () => '', NOT_ONE),
  body(21, 'a body of null', () => 'null', NOT_ONE),
  body(21, 'a body that is a number', () => '200', NOT_ONE),
  body(21, 'a body that is a string', (ask) => JSON.stringify(ask.good), NOT_ONE),
  body(21, 'a body that is a list', (ask) => `[${says(ask.good)}]`, NOT_ONE),
  body(21, 'the bare object without a completion around it', (ask) => ask.good, NOT_ONE),
  body(21, 'a page of HTML that says it is JSON', () => HTML, NOT_ONE),
  body(21, 'an error under status 200', () => JSON.stringify({ error: { message: `${RAW} ${KEY}` } }), NOT_ONE),
  body(21, 'no choices at all', () => JSON.stringify({ id: RAW, model: 'm' }), NOT_ONE),
  body(21, 'choices of null', () => parts(null), NOT_ONE),
  body(21, 'choices that are an object', () => parts({ 0: { message: { content: RAW } } }), NOT_ONE),
  body(21, 'an empty list of choices', () => parts([]), lost('reply has no choices')),
  body(21, 'a choice of null', () => parts([null]), lost('reply has no message')),
  body(21, 'a choice in the old style', () => parts([{ text: RAW }]), lost('reply has no message')),
  body(21, 'a message that is a text', () => parts([{ message: RAW }]), lost('reply has no message')),
  body(21, 'content of null', () => message(null), lost('no content')),
  body(21, 'no content', () => message(undefined), lost('no content')),
  body(21, 'content that is a number', () => message(7), lost('no content')),
  body(21, 'content that is the object itself', (ask) => message(JSON.parse(ask.good)), lost('no content')),
  body(21, 'content in parts without a text', () => message([{ type: 'image_url' }, RAW, 7]), lost('no content')),
  body(21, 'content that is an empty list', () => message([]), lost('no content')),
  body(21, 'a reply that a filter has ended', (ask) => ended(ask.good, 'content_filter'), lost('content_filter')),
  body(21, 'a reply that an error has ended', (ask) => ended(ask.good, 'error'), lost('error')),
  body(21, 'a refusal', () => message(null, { refusal: RAW }), lost('refusal')),
  body(21, 'a refusal beside an empty text', () => message('', { refusal: RAW }), lost('refusal')),
  body(21, 'a tool call alone', () => message(null, { tool_calls: [CALL] }), lost('unexpected tool call')),
  body(22, 'a text of 64 KiB and one byte', () => message('x'.repeat(65_537)), lost('reply too large')),
  body(22, 'a text of 64 KiB in other than ASCII', () => message('牛'.repeat(21_846)), lost('reply too large')),
  body(22, 'a body of more than 1 MiB', (ask) => says(ask.good, { pad: RAW.repeat(80_000) }), lost('reply too large')),
  body(25, 'a body cut after its first byte', () => '{', NOT_ONE),
  body(25, 'a body cut in the middle', (ask) => says(ask.good).slice(0, 60), NOT_ONE),
  body(25, 'a body without its last byte', (ask) => says(ask.good).slice(0, -1), NOT_ONE),
  body(50, 'a body of lists 50,000 deep', () => '['.repeat(50_000) + ']'.repeat(50_000), NOT_ONE),
  body(50, 'a body in UTF-16', (ask) => utf16(says(ask.good)), NOT_ONE),
  body(50, 'a body with a number that is none', (ask) => says(ask.good).replace('120', 'NaN'), NOT_ONE),
]

function utf16(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Uint16Array.from(text, (char) => char.charCodeAt(0)).buffer)
}

const stream = (ask: Ask) =>
  `data: ${JSON.stringify({ choices: [{ delta: { content: ask.good } }] })}\n\ndata: [DONE]\n\n`

/** The same with another content type or status. */
const framed = (name: string, write: (ask: Ask) => string | null, init: ResponseInit, row = 21): Hostile => ({
  row,
  name,
  answer: (ask) => new Response(write(ask), init),
  fate: always(NOT_ONE),
})
const under = (type: string): ResponseInit => ({ headers: { 'content-type': type } })
const FRAMES: Hostile[] = [
  framed('a page of HTML', () => HTML, under('text/html')),
  // Chunks of a completion, which say no usage.
  {
    ...framed('a stream of events', stream, under('text/event-stream')),
    fate: always({ ...FINE, charge: 'reservation' }),
  },
  framed('a stream of events that says it is JSON', stream, { headers: JSON_TYPE }),
  framed('a good completion under text/plain', (ask) => says(ask.good), under('text/plain')),
  framed('a good completion under application/xml', (ask) => says(ask.good), under('application/xml')),
  framed('status 204', () => null, { status: 204 }),
]

/** Completions that are odd but valid. */
const ODD: Hostile[] = [
  body(50, 'a byte order mark before the body', (ask) => `\ufeff${says(ask.good)}`, FINE),
  body(50, 'a key of the body that comes twice', (ask) => `{"choices":null,${says(ask.good).slice(1)}`, FINE),
  body(50, '__proto__ in the body', (ask) => `{"__proto__":{"choices":[]},${says(ask.good).slice(1)}`, FINE),
  body(21, 'a tool call beside a good text', (ask) => completion({ content: ask.good, tool_calls: [CALL] }), FINE),
  body(21, 'a second choice that is broken', (ask) => second(ask.good, SAID), FINE),
  body(21, 'reasoning beside a good text', (ask) => completion({ content: ask.good, reasoning_content: RAW }), FINE),
  body(21, 'content in parts', (ask) => completion({ content: [{ type: 'text', text: ask.good }] }), FINE),
  body(21, 'a text between parts of thinking', (ask) => completion({ content: between(ask.good) }), FINE),
  body(50, 'reasoning 50,000 deep', (ask) => deep(ask.good), FINE),
  body(22, 'reasoning beyond what is kept', (ask) => thought(ask, { reasoning: RAW.repeat(20_000) }), FINE),
  body(50, 'a lone surrogate in a detail', (ask) => thought(ask, { reasoning_details: [{ text: '\ud83d' }] }), FINE),
  body(21, 'reasoning that is no text', (ask) => thought(ask, { reasoning: 7, reasoning_content: [RAW] }), FINE),
  body(21, 'an end that is no word', (ask) => ended(ask.good, RAW), { ...FINE, charge: 'reservation' }),
  body(21, 'a name of the model that is no name', (ask) => says(ask.good, { model: { name: RAW } }), FINE),
  body(21, 'an endless name of the model', (ask) => says(ask.good, { model: RAW.repeat(1_000) }), FINE),
]

const between = (text: string) => [
  { type: 'thinking', thinking: [{ type: 'text', text: RAW }] },
  { type: 'text', text: text.slice(0, 9) },
  { type: 'reference', reference_ids: [1] },
  { type: 'text', text: text.slice(9) },
]
const thought = (ask: Ask, more: object) => completion({ content: ask.good, ...more })
const deep = (good: string) =>
  completion({ content: good, reasoning_details: ['DEEP'] }).replace(
    '"DEEP"',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  )
const second = (one: string, other: string) =>
  says(one, { choices: [one, other].map((content, index) => ({ index, message: { role: 'assistant', content } })) })

const UNSETTLED: Fate = { ...FINE, charge: 'reservation' }
const usage = (name: string, reported: unknown, fate: Fate = UNSETTLED): Hostile =>
  body(33, name, (ask) => says(ask.good, { usage: reported }), fate)
const reported = (input: number, output: number, more: Partial<Fate> = {}): Fate => {
  return { ...FINE, usage: { input, output }, ...more }
}

const USAGES: Hostile[] = [
  usage('no usage', undefined),
  usage('usage of null', null),
  usage('usage that is a text', `${RAW}`),
  usage('usage that is a list', [120, 30]),
  usage('usage without output tokens', { prompt_tokens: 120 }),
  usage('usage without input tokens', { completion_tokens: 30 }),
  usage('negative usage', { prompt_tokens: -1_000, completion_tokens: -1 }),
  usage('negative input tokens', { prompt_tokens: -1, completion_tokens: 30 }),
  usage('negative output tokens', { prompt_tokens: 120, completion_tokens: -1 }),
  usage('a fraction of a token', { prompt_tokens: 120.5, completion_tokens: 30 }),
  usage('usage in strings', { prompt_tokens: '120', completion_tokens: '30' }),
  usage('usage of null tokens', { prompt_tokens: null, completion_tokens: null }),
  usage('usage beyond every number', { prompt_tokens: 1e300, completion_tokens: 30 }),
  usage('usage of nothing', { prompt_tokens: 0, completion_tokens: 0 }, reported(0, 0)),
  usage('usage whose total is wrong', { ...USAGE, total_tokens: -5 }, reported(120, 30)),
  usage(
    'more output than its cap',
    { prompt_tokens: 120, completion_tokens: 50_000 },
    reported(120, 50_000, { over_reserve: true }),
  ),
  usage(
    'more input than was sent',
    { prompt_tokens: 900_000, completion_tokens: 30 },
    reported(900_000, 30, { over_reserve: true }),
  ),
]

export const BODIES: readonly Hostile[] = [...NO_COMPLETION, ...FRAMES, ...ODD, ...USAGES]
