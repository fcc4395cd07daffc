/** Answers of an MCP server that is malformed, huge, slow or lying, as fast-check draws them. */
import * as fc from 'fast-check'
import { standIn } from './mcp-stand-in.ts'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
/** JSON that a server may put in the place of anything. */
const anything = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom<unknown>(null, 0, -1, 1e308, '', '\u0000', '\uD800', [], {}, [[]], {
    __proto__: null,
    constructor: 1,
  }),
  fc.constant(JSON.parse(deep(90)) as unknown),
  fc.integer({ min: 1, max: 3_000 }).map((length) => 'x'.repeat(length)),
)
const content = fc.oneof(
  fc.record({ type: fc.constant('text'), text: anything }),
  fc.record({ type: fc.constantFrom('image', 'audio'), data: anything, mimeType: anything }),
  fc.record({ type: fc.constant('resource'), resource: anything }),
  fc.record({ type: fc.constant('resource_link'), uri: anything, name: anything }),
  anything,
)
const schema = fc.oneof(
  fc.record({ type: fc.constant('object'), properties: fc.dictionary(fc.string({ maxLength: 5 }), anything) }),
  fc.record({
    type: fc.constant('object'),
    $ref: fc.constantFrom('#', '#/$defs/a', 'https://example.com/x', '#/properties'),
  }),
  anything,
)
const tool = fc.record(
  {
    name: fc.oneof(fc.string({ maxLength: 90 }), anything),
    description: anything,
    inputSchema: schema,
    outputSchema: schema,
    annotations: anything,
  },
  { requiredKeys: ['name', 'inputSchema'] },
)
const inquiries = fc.oneof(
  fc.dictionary(
    fc.string({ maxLength: 4 }),
    fc.record({
      method: fc.constantFrom('elicitation/create', 'sampling/createMessage', 'roots/list', ''),
      params: fc.oneof(
        anything,
        fc.record({
          mode: fc.constantFrom('form', 'url', 'x'),
          message: anything,
          requestedSchema: schema,
          url: anything,
        }),
      ),
    }),
    { maxKeys: 7 },
  ),
  anything,
)
const FORM = { type: 'object', properties: { a: { type: 'string' } } }
/** What a server may well answer. */
const plausible = fc.constantFrom<unknown>(
  {
    resultType: 'input_required',
    inputRequests: { q: { method: 'elicitation/create', params: { message: 'a?', requestedSchema: FORM } } },
  },
  { resultType: 'task', taskId: 't', status: 'working' },
  { task: { taskId: 't', status: 'working' } },
  { resultType: 'complete', content: [{ type: 'text', text: 'no' }], isError: true },
)
/** What stands under `result`. */
const result = fc.oneof(
  { weight: 4, arbitrary: plausible },
  fc.record({
    resultType: fc.constant('complete'),
    content: fc.array(content, { maxLength: 4 }),
    structuredContent: anything,
    isError: anything,
  }),
  fc.record({ content: fc.array(content, { maxLength: 4 }) }),
  fc.record({
    resultType: fc.constant('complete'),
    tools: fc.oneof(fc.array(tool, { maxLength: 4 }), anything),
    nextCursor: fc.oneof(fc.constant('c'), anything),
  }),
  fc.record({ resultType: fc.constant('input_required'), inputRequests: inquiries, requestState: anything }),
  fc.record({
    resultType: fc.constant('task'),
    taskId: anything,
    status: fc.constantFrom('working', 'completed', 'input_required', 'x'),
    pollIntervalMs: anything,
  }),
  fc.record({ task: fc.record({ taskId: anything, status: anything }) }),
  fc.record({
    protocolVersion: fc.constantFrom('2025-11-25', '1999-01-01', ''),
    capabilities: anything,
    serverInfo: anything,
  }),
  anything,
)
const error = fc.oneof(
  fc.record({ code: fc.constantFrom(-32_601, -32_042, -32_022, -32_000, 0.5), message: anything, data: anything }),
  anything,
)

export interface Fault {
  status: number
  type: string | null
  /** How the message is wrapped, or what stands in its place. */
  frame: 'message' | 'batch' | 'event' | 'events' | 'other_id' | 'raw' | 'cut' | 'silence'
  headers: Record<string, string>
  /** The method of which the answer is drawn. Others are answered as they should be. */
  at: string
  body: { result: unknown } | { error: unknown }
  raw: string
}
export const fault: fc.Arbitrary<Fault> = fc.record({
  status: fc.oneof(
    { weight: 20, arbitrary: fc.constant(200) },
    fc.constantFrom(202, 204, 301, 307, 400, 401, 403, 404, 429, 500, 503),
  ),
  type: fc.oneof(
    { weight: 20, arbitrary: fc.constant(null) },
    fc.constantFrom(
      'text/html',
      'text/plain',
      '',
      'application/jsonl',
      'multipart/form-data',
      'Application/JSON; charset=utf-8',
    ),
  ),
  frame: fc.constantFrom(
    'message',
    'message',
    'message',
    'batch',
    'event',
    'events',
    'other_id',
    'raw',
    'cut',
    'silence',
  ),
  headers: fc.constantFrom<Record<string, string>[]>(
    {},
    { 'mcp-session-id': 'x'.repeat(500) },
    { 'www-authenticate': 'Bearer error="insufficient_scope", scope="a b"' },
    { 'www-authenticate': 'Bearer resource_metadata="http://169.254.169.254/"' },
    { location: 'http://169.254.169.254/', 'retry-after': '99999999999' },
    { 'content-length': '5' },
  ),
  at: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('tools/list', 'tools/call', 'tools/call') },
    fc.constantFrom('server/discover', 'initialize', 'notifications/initialized', 'GET'),
  ),
  body: fc.oneof({ weight: 4, arbitrary: fc.record({ result }) }, fc.record({ error })),
  raw: fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.constantFrom(
      '<html>hello</html>',
      deep(50_000),
      '{"jsonrpc":"2.0"',
      '\u0000',
      'data: {}\n\n',
      ': ping\n\n'.repeat(500),
      'data: []\n\n'.repeat(2_500),
    ),
  ),
})

/** The body that the fault makes of an answer to a request with this id. */
function bodyOf({ frame, body, raw }: Fault, id: unknown): { type: string; text: string; stays_open?: true } {
  const message = JSON.stringify({ jsonrpc: '2.0', id: frame === 'other_id' ? 'another' : id, ...body })
  const event = (one: string) => `data: ${one}\n\n`
  const ask = JSON.stringify({
    jsonrpc: '2.0',
    id: 'q',
    method: 'elicitation/create',
    params: { message: 'x', requestedSchema: {} },
  })
  switch (frame) {
    case 'message':
    case 'other_id':
      return { type: 'application/json', text: message }
    case 'batch':
      return { type: 'application/json', text: `[${message},${message}]` }
    case 'event':
      return { type: 'text/event-stream', text: event(message) }
    case 'events':
      return {
        type: 'text/event-stream',
        text: event(raw) + event(ask) + event('{"jsonrpc":"2.0","method":"x"}') + event(message) + event(message),
      }
    case 'raw':
      return { type: 'application/json', text: raw }
    case 'cut':
      return { type: 'text/event-stream', text: event(message).slice(0, Math.floor(message.length / 2)) }
    case 'silence':
      return { type: 'text/event-stream', text: '', stays_open: true }
  }
}

const encoder = new TextEncoder()
function responseOf(drawn: Fault, id: unknown): Response {
  const { type, text, stays_open } = bodyOf(drawn, id)
  const headers = { 'content-type': drawn.type ?? type, ...drawn.headers }
  if (drawn.status === 204) return new Response(null, { status: 204, headers })
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(text))
      if (stays_open !== true) controller.close()
    },
  })
  return new Response(body, { status: drawn.status, headers })
}

/** A server of a revision that answers one method as drawn, and the others as it should. */
export function faulty(revision: 2026 | 2025, drawn: Fault): typeof globalThis.fetch {
  const server = standIn(revision, {
    act: () => ({ content: [{ type: 'text', text: 'acted' }] }),
    'tools/list': () => ({
      tools: [{ name: 'act', inputSchema: { type: 'object' } }],
      ttlMs: 0,
      cacheScope: 'private',
    }),
  })
  return (input, init = {}) => {
    const message = typeof init.body === 'string' ? (JSON.parse(init.body) as { method?: string; id?: unknown }) : {}
    const method = init.method === 'POST' ? message.method : init.method
    return method === drawn.at ? Promise.resolve(responseOf(drawn, message.id)) : server.fetch(input, init)
  }
}
