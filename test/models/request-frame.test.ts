/** The requests that are sent without the openai package, held against those that the package writes. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { endpointModel } from '../../src/models/endpoint-model.ts'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'
import { CALL, COMPLETION, json, KEY, request } from './chat-support.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const TRACED = { ...CALL, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
const another = request({
  messages: [{ role: 'user', content: 'Something else, “quoted” 🥛' }],
  metadata: { task: 'tsk_2', mode: 'session', phase: 'turn', seq: 9 },
})

it.each(
  (['chat', 'responses'] as const).flatMap((wire) =>
    [KEY, ''].flatMap((api_key) => [CALL, TRACED].map((call) => ({ wire, api_key, call }))),
  ),
)(
  'a later request of an endpoint is what the package would write: $wire, key "$api_key", traceparent $call.traceparent',
  async ({ wire, api_key, call }) => {
    const connect = () =>
      endpointModel({
        name: 'default',
        wire,
        base_url: `${server.origin}/v1/`,
        api_key,
        model: 'gpt-configured',
        binding: null,
        fetch: globalThis.fetch,
      })
    const known = connect()
    const other_call = call === CALL ? TRACED : CALL
    server.script(json(COMPLETION), json(COMPLETION), json(COMPLETION))
    await known.complete(request(), other_call)
    await known.complete(another, call)
    // Nothing is known of its endpoint, so the package writes its request. What a reply teaches goes into the body, and here it teaches nothing.
    await connect().complete(another, call)
    const [, later, first] = server.received.map(({ method, path, headers, body }) => {
      const { connection: _, 'content-length': length, ...told } = headers
      return { method, path, headers: told, body, length }
    })
    expect(later?.headers).toMatchObject({ 'user-agent': 'loop-agent', 'content-type': 'application/json' })
    expect(later?.headers.traceparent).toBe(call.traceparent ?? undefined)
    expect(later?.headers.authorization).toBe(api_key === '' ? undefined : `Bearer ${KEY}`)
    expect(later).toEqual(first)
  },
)
