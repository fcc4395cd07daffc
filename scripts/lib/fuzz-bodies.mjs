/** Bodies for the fuzzer: each family is a function from a source of choices to `{ type, body }`. */

const deep = (levels, open, close) => `${open.repeat(levels)}1${close.repeat(levels)}`

const BROKEN = [
  '{',
  '}',
  '[',
  '{"goal":',
  '{"goal":"x"',
  '{"goal":"x",}',
  "{'goal':'x'}",
  '{"goal":"x"}}',
  'nul',
  '"',
  '\u0000',
  '{"a":1e}',
  '﻿{}',
  '{"goal":"\\x"}',
  '\ufeff{"goal":"x"}',
  'NaN',
  '-',
  '{"goal":"x"}\u0000',
]
const WRONG = [
  null,
  true,
  0,
  -1,
  1e308,
  3.5,
  '',
  ' ',
  [],
  {},
  [[]],
  'x'.repeat(20_000),
  '\u202e',
  '😀',
  { toString: 1 },
  ['a', 1, null],
]
const FIELDS = [
  'goal',
  'mode',
  'settings',
  'rounds',
  'max_ms',
  'locale',
  'timezone',
  'metadata',
  'input',
  'request_id',
  'command',
  'task_id',
  'idle_ttl_s',
  'tools',
  'drive',
  'extra',
  '',
]
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json;charset=utf-16',
  'application/jsonp',
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/problem+json',
  '*/*',
  'a',
  '/',
  ';',
  '',
  'application/json, text/plain',
  'text/plain; charset=latin1',
  'application/octet-stream',
]
const ENCODINGS = ['gzip', 'deflate', 'br', 'identity', 'gzip, gzip', 'x', '']

const JSON_TYPE = 'application/json'
const json = (value) => ({ type: JSON_TYPE, body: JSON.stringify(value) })
const text = (body) => ({ type: JSON_TYPE, body })

const BODIES = {
  broken: (random) => text(random.pick(BROKEN)),
  cut: (random) => {
    const whole = JSON.stringify({ goal: 'buy milk', settings: { max_steps: 3 }, metadata: { a: 'b' } })
    return text(whole.slice(0, random.below(whole.length)))
  },
  wrong_values: (random) =>
    json(
      Object.fromEntries(Array.from({ length: 1 + random.below(4) }, () => [random.pick(FIELDS), random.pick(WRONG)])),
    ),
  wrong_setting: (random) =>
    json({
      goal: 'x',
      rounds: 0,
      settings: { [random.pick(['max_steps', 'temperature', 'models', 'cancel_phrase', 'nope'])]: random.pick(WRONG) },
    }),
  wrong_tools: (random) => {
    const tool = { name: 'x', url: 'https://example.com/x', parameters: { type: 'object' } }
    const member = random.pick(['name', 'url', 'parameters', 'description', 'idempotent', 'type', 'properties', '$ref'])
    const schema = { type: 'object', properties: { a: { [member]: random.pick(WRONG) } } }
    const broken = random.below(2) === 0 ? { ...tool, [member]: random.pick(WRONG) } : { ...tool, parameters: schema }
    return json({ goal: 'x', rounds: 0, tools: Array.from({ length: 1 + random.below(40) }, () => broken) })
  },
  not_object: (random) => json(random.pick(WRONG)),
  deep_array: (random) => text(`{"goal":${deep(10 + random.below(60_000), '[', ']')}}`),
  deep_object: (random) => text(deep(10 + random.below(20_000), '{"a":', '}')),
  wide: (random) =>
    json(Object.fromEntries(Array.from({ length: random.below(3_000) }, (_, index) => [`k${index}`, index]))),
  duplicate_keys: (random) =>
    text(
      `{"goal":"a","goal":${JSON.stringify(random.pick(WRONG))},"goal":"buy milk","rounds":0,"input":"a","input":"b"}`,
    ),
  prototype: (random) =>
    text(
      random.pick([
        '{"__proto__":{"goal":"x"},"goal":"x","rounds":0}',
        '{"goal":"x","metadata":{"__proto__":"y","constructor":"z"},"rounds":0}',
        '{"constructor":{"prototype":{}},"goal":"x"}',
        '{"goal":"x","settings":{"__proto__":{"max_steps":1}},"rounds":0}',
      ]),
    ),
  surrogate: (random) =>
    text(
      random.pick([
        '{"goal":"\\ud800","rounds":0}',
        '{"goal":"a\\udc00b","rounds":0}',
        '{"input":"\\ud83d"}',
        '{"goal":"x","metadata":{"\\ud800":"y"}}',
        '{"command":"/todo add \\udfff"}',
      ]),
    ),
  nul: (random) =>
    text(
      random.pick([
        '{"goal":"a\\u0000b","rounds":0}',
        '{"input":"\\u0000"}',
        '{"command":"/todo add a\\u0000"}',
        '{"goal":"x","metadata":{"a\\u0000":"b"}}',
      ]),
    ),
  huge_number: (random) =>
    text(
      `{"goal":"x","rounds":${random.pick(['1e999', '-1e999', '0.0000001', '9'.repeat(400), '-0', '1E1', '50.0', '51', '9007199254740993'])}}`,
    ),
  long_text: (random) =>
    json({ [random.pick(['goal', 'input', 'command'])]: 'é'.repeat(7_990 + random.below(9_000)), rounds: 0 }),
  huge: (random) => json({ goal: 'x'.repeat(1_048_000 + random.below(3_000)) }),
  raw_bytes: (random) => ({ type: random.pick(TYPES), body: random.bytes(random.below(200)) }),
  not_utf8: (random) => ({
    type: random.pick([JSON_TYPE, 'text/plain', 'application/x-www-form-urlencoded']),
    body: Buffer.concat([Buffer.from('{"goal":"'), random.bytes(8), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]),
  }),
  form: (random) => ({
    type: 'application/x-www-form-urlencoded',
    body: random.pick([
      'input=a',
      'Body=b',
      'text=%00',
      'input=%zz',
      'input=%ff%fe',
      'a&b&c',
      '=',
      '&&&&',
      `input=${'a'.repeat(20_000)}`,
      'input=a&input=b',
      'goal=buy+milk',
    ]),
  }),
  type: (random) => ({ type: random.pick(TYPES), body: JSON.stringify({ goal: 'buy milk', rounds: 0 }) }),
  encoding: (random) => ({
    type: JSON_TYPE,
    body: '{"goal":"x","rounds":0}',
    headers: [`Content-Encoding: ${random.pick(ENCODINGS)}`],
  }),
  none: () => ({ type: null, body: '' }),
  empty_json: () => text(''),
}
const NAMES = Object.keys(BODIES)

/** One body and the name of its family. The huge ones are rare: they test one limit and cost as much as a hundred others. */
export function fuzzBody(random) {
  const name = random.pick(NAMES)
  const heavy = ['huge', 'deep_array', 'deep_object'].includes(name) && !random.chance(0.2)
  return heavy ? { family: 'none', ...BODIES.none() } : { family: name, ...BODIES[name](random) }
}
