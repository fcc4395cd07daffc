/** HTTP errors, refused parameters, and connections that hang or break (rows 21 to 26). */
import { gzipSync } from 'node:zlib'
import type { Reply } from './fault-server.ts'
import {
  always,
  error,
  JSON_TYPE,
  KEY,
  lost,
  names,
  RAW,
  refused,
  says,
  type Ask,
  type Hostile,
} from './hostile-kit.ts'

const PLAIN = [400, 401, 403, 404, 408, 409, 413, 418, 422, 429, 451, 500, 501, 502, 503, 504, 529, 599]
const ERRORS: Hostile[] = PLAIN.map((status) => error(26, status, `HTTP ${status}`))

const WORD = { code: 'context_length_exceeded', message: RAW }
const REDIRECTS: Hostile[] = [301, 302, 303, 307, 308].map((status) => ({
  row: 21,
  name: `a redirect with HTTP ${status}`,
  answer: () => new Response(null, { status, headers: { location: `https://${RAW}.test/${KEY}` } }),
  fate: always(refused(status, { reason: `HTTP ${status} (redirect)` })),
}))
const ODD_ERRORS: Hostile[] = [
  error(66, 400, 'HTTP 400 that names its reason in one word', { error: WORD }, { reason: `HTTP 400 (${WORD.code})` }),
  error(66, 401, 'HTTP 401 that repeats the key', { error: { code: KEY, type: `no.${KEY}` } }),
  error(66, 403, 'HTTP 403 whose error is a text', { error: `${RAW} ${KEY}` }),
  {
    row: 21,
    name: 'HTTP 502 with a page of HTML',
    answer: () => new Response(`<h1>${RAW} ${KEY}</h1>`, { status: 502, headers: { 'content-type': 'text/html' } }),
    fate: always(refused(502)),
  },
  {
    row: 21,
    name: 'HTTP 500 around a good completion',
    answer: (ask) => new Response(says(ask.good), { status: 500, headers: JSON_TYPE }),
    fate: always(refused(500)),
  },
]

const later = (status: number, name: string, headers: (ask: Ask) => Record<string, string>, retry_after_ms: number) =>
  error(23, status, `HTTP ${status} with ${name}`, { headers }, { retry_after_ms })
const at = (ask: Ask, ms: number) => new Date(ask.now_ms + ms).toUTCString()
const DAY_MS = 86_400_000
const LATER: Hostile[] = [
  later(429, 'Retry-After of 7 seconds', () => ({ 'retry-after': '7' }), 7_000),
  later(429, 'Retry-After of an hour', () => ({ 'retry-after': '3600' }), 3_600_000),
  later(503, 'Retry-After as a date', (ask) => ({ 'retry-after': at(ask, 120_000) }), 120_000),
  later(429, 'retry-after-ms', () => ({ 'retry-after-ms': '1500' }), 1_500),
  later(429, 'Retry-After of thousands of years', () => ({ 'retry-after': '99999999999' }), DAY_MS),
  later(429, 'Retry-After of a number beyond every number', () => ({ 'retry-after': '9'.repeat(400) }), DAY_MS),
  later(503, 'Retry-After in the year 9999', () => ({ 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }), DAY_MS),
  later(429, 'Retry-After of nothing', () => ({ 'retry-after': '0' }), 1_000),
  later(429, 'Retry-After in the past', (ask) => ({ 'retry-after': at(ask, -DAY_MS) }), 1_000),
  later(429, 'negative Retry-After', () => ({ 'retry-after': '-60' }), 1_000),
  later(429, 'Retry-After in words', () => ({ 'retry-after': 'soon' }), 1_000),
  later(500, 'Retry-After of 2 seconds', () => ({ 'retry-after': '2' }), 2_000),
]

/** U7: which requests are negotiation and which are failed attempts. */
const FORM = names('response_format is not supported')
const SCHEMA = names('Unknown value json_schema')
const CAP = names('Use max_completion_tokens instead of max_tokens')
const HEAT = names('temperature does not support 0')
const once = { once: true as const }
const NEGOTIATIONS: Hostile[] = [
  error(
    26,
    400,
    'HTTP 400 that names response_format, once',
    { ...FORM, ...once },
    { sends: 2, next_form: 'json_object' },
  ),
  error(
    26,
    422,
    'HTTP 422 that names json_schema, once',
    { ...SCHEMA, ...once },
    { sends: 2, next_form: 'json_object' },
  ),
  error(26, 400, 'HTTP 400 that names the cap, once', { ...CAP, ...once }, { sends: 2 }),
  error(26, 400, 'HTTP 400 that names temperature, once', { ...HEAT, ...once }, { sends: 2 }),
  error(26, 400, 'HTTP 400 that names response_format', FORM, { sends: 3 }),
  error(26, 422, 'HTTP 422 that names json_schema', SCHEMA, { sends: 3 }),
  error(26, 400, 'HTTP 400 that names the cap', CAP, { sends: 2 }),
  error(26, 400, 'HTTP 400 that names temperature', HEAT, { sends: 2 }),
  error(26, 400, 'HTTP 400 that names max_tokens alone', names('max_tokens is too large')),
  error(
    26,
    400,
    'HTTP 400 that names every parameter',
    names('response_format temperature max_tokens max_completion_tokens'),
    { sends: 5 },
  ),
  error(26, 404, 'HTTP 404 that names response_format', FORM),
  error(26, 500, 'HTTP 500 that names json_schema', SCHEMA),
]

const hangs = (): Promise<Response> => new Promise(() => undefined)
/** A body of these chunks, which `then` continues or ends. */
const streamed = (chunks: string[], then: (body: ReadableStreamDefaultController) => void | Promise<void>) => {
  const left = chunks.map((chunk) => new TextEncoder().encode(chunk))
  return new ReadableStream({
    pull(body) {
      const chunk = left.shift()
      return chunk === undefined ? then(body) : body.enqueue(chunk)
    },
  })
}
const wire = (row: number, name: string, reason: string, answer: Hostile['answer']): Hostile => {
  return { row, name, answer, fate: always(lost(reason)) }
}
const never = (ask: Ask) => {
  ask.outlast()
  return new Promise<void>(() => undefined)
}
const endless = () => streamed([], (body) => body.enqueue(new Uint8Array(65_536)))

const CONNECTIONS: Hostile[] = [
  wire(24, 'silence', 'timed out', (ask) => (ask.outlast(), hangs())),
  wire(24, 'a good reply that comes too late', 'timed out', (ask) => {
    ask.outlast()
    return new Response(says(ask.good), { headers: JSON_TYPE })
  }),
  wire(24, 'headers and then silence', 'timed out', (ask) => {
    return new Response(
      streamed([], () => never(ask)),
      { headers: JSON_TYPE },
    )
  }),
  wire(24, 'half a body and then silence', 'timed out', (ask) => {
    return new Response(
      streamed([says(ask.good).slice(0, 60)], () => never(ask)),
      { headers: JSON_TYPE },
    )
  }),
  wire(24, 'a whole body that never ends', 'timed out', (ask) => {
    return new Response(
      streamed([says(ask.good)], () => never(ask)),
      { headers: JSON_TYPE },
    )
  }),
  wire(24, 'half an error and then silence', 'timed out', (ask) => {
    return new Response(
      streamed(['{"error":'], () => never(ask)),
      { status: 500 },
    )
  }),
  wire(25, 'a body that breaks in the middle', 'connection lost', (ask) => {
    return new Response(
      streamed([says(ask.good).slice(0, 60)], (body) => body.error(KEY)),
      { headers: JSON_TYPE },
    )
  }),
  wire(25, 'a whole body that breaks at its end', 'connection lost', (ask) => {
    return new Response(
      streamed([says(ask.good)], (body) => body.error(KEY)),
      { headers: JSON_TYPE },
    )
  }),
  wire(22, 'a body that never stops', 'reply too large', () => new Response(endless(), { headers: JSON_TYPE })),
  wire(26, 'a connection that fails with the key in its error', 'connection failed', () =>
    Promise.reject(new Error(KEY)),
  ),
  wire(26, 'a fetch that throws', 'connection failed', () => {
    throw new TypeError(`${RAW} ${KEY}`)
  }),
]

/** Over a real connection. */
const socket = (row: number, name: string, reason: string, reply: (whole: string) => Reply): Hostile =>
  wire(row, name, reason, (ask) => ask.serve(reply(says(ask.good))))
const length = (whole: string) => ({ ...JSON_TYPE, 'content-length': String(whole.length) })
const bomb = gzipSync('x'.repeat(4_000_000))
const SOCKETS: Hostile[] = [
  socket(26, 'a connection that is reset', 'connection failed', () => ({ fault: 'reset' })),
  ...[1, 60, 200].map((bytes) =>
    socket(25, `a connection cut after ${bytes} bytes of its length`, 'connection lost', (whole) => {
      return { headers: length(whole), body: whole.slice(0, bytes), fault: 'cut' }
    }),
  ),
  socket(25, 'chunks without an end', 'connection lost', (whole) => ({
    headers: JSON_TYPE,
    body: whole,
    fault: 'cut',
  })),
  socket(25, 'a cut that looks like an end', 'reply is not a completion', (whole) => {
    return { headers: JSON_TYPE, body: whole.slice(0, -1), unframed: true }
  }),
  socket(22, 'a small body that unpacks to 4 MB', 'reply too large', () => {
    return { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: bomb }
  }),
  socket(25, 'a packed body that is no packing', 'connection lost', (whole) => {
    return { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: whole }
  }),
]

export const WIRE: readonly Hostile[] = [
  ...ERRORS,
  ...REDIRECTS,
  ...ODD_ERRORS,
  ...LATER,
  ...NEGOTIATIONS,
  ...CONNECTIONS,
  ...SOCKETS,
]
