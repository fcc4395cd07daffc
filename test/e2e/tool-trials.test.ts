/** Tools that are tried through the built service: what they send, what is answered, and that the address of a source stays untold. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Service } from '../../scripts/lib/service.mjs'
import { startFaultServer, type FaultServer, type Reply } from '../support/fault-server.ts'
import { call, newPlace, type Place } from './support.ts'

const json = (value: unknown, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
let place: Place
let server: FaultServer
let service: Service
beforeEach(async () => {
  place = newPlace()
  server = await startFaultServer()
  service = await place.start()
})
afterEach(async () => {
  await place.leave()
  await server.close()
})

const documentAt = () => ({
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: server.origin }],
  paths: {
    '/orders/{id}': {
      get: {
        operationId: 'getOrder',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
})
const entries = () => [
  { openapi: `${server.origin}/openapi.json`, name: 'shop' },
  {
    http: {
      name: 'open_ticket',
      method: 'POST',
      url: `${server.origin}/tickets`,
      body: { template: { title: '{title}' } },
    },
  },
]

it('TT-01 a preview lists an OpenAPI document and a plain tool, and tells no address', async () => {
  server.script(json(documentAt()))
  const shown = await call(service, 'POST', '/tools/preview', { tools: entries() })
  expect(shown).toMatchObject({
    data: [
      { name: 'open_ticket', origin: 'http', method: 'POST' },
      { name: 'shop.getOrder', origin: 'openapi', source: 'shop', method: 'GET', parameters: { required: ['id'] } },
    ],
    sources: [{ name: 'shop', kind: 'openapi', state: 'listed', tools: 1 }],
  })
  expect(JSON.stringify(shown)).not.toContain(new URL(server.origin).host)
  expect(await call(service, 'GET', '/tasks')).toMatchObject({ data: [] })
})

it('TT-02 a tool of a source and one of an entry are called as in a task, and a failure of the server is 200', async () => {
  server.script(json(documentAt()), json({ total: 12 }))
  const asked = { tools: entries(), name: 'shop_getOrder', arguments: { id: 'a/b' } }
  expect(await call(service, 'POST', '/tools/call', asked)).toEqual({ ok: true, code: 'http_ok', text: '{"total":12}' })
  expect(server.received.map(({ path }) => path)).toEqual(['/openapi.json', '/orders/a%2Fb'])

  server.reset()
  server.script(json({ detail: 'the disk is full' }, 500))
  const ticket = { tools: entries(), name: 'open_ticket', arguments: { title: 'x' } }
  expect(await call(service, 'POST', '/tools/call', ticket)).toMatchObject({
    ok: false,
    code: 'http_error',
    text: expect.stringContaining('the disk is full'),
  })
  expect(server.received[0]?.headers['idempotency-key']).toMatch(/^trial_[\w-]+:1$/)

  expect(await call(service, 'POST', '/tools/call', { ...ticket, arguments: {} })).toMatchObject({
    ok: false,
    code: 'usage_error',
  })
  expect(server.received).toHaveLength(1)
})

it('TT-03 a source that is not there is told in the preview and in the call, and never as an error of the service', async () => {
  server.script(json({ detail: 'no' }, 404), json({ detail: 'no' }, 404))
  expect(await call(service, 'POST', '/tools/preview', { tools: entries() })).toMatchObject({
    data: [{ name: 'open_ticket' }],
    sources: [{ name: 'shop', state: 'unavailable', notes: [expect.stringContaining('404')] }],
  })
  const asked = { tools: entries(), name: 'shop.getOrder' }
  expect(await call(service, 'POST', '/tools/call', asked)).toMatchObject({ ok: false, code: 'tools_unavailable' })
})

it('TT-05 a call under an Idempotency-Key acts once', async () => {
  server.script(json({ id: 7 }, 201))
  const request = async () => {
    const response = await fetch(`${service.url}/tools/call`, {
      method: 'POST',
      headers: { authorization: 'Bearer dev-key', 'content-type': 'application/json', 'idempotency-key': 'once' },
      body: JSON.stringify({ tools: entries(), name: 'open_ticket', arguments: { title: 'x' } }),
    })
    return [response.headers.get('idempotency-replayed'), await response.json()]
  }
  const answer = { ok: true, code: 'http_ok', text: '{"id":7}' }
  expect([await request(), await request()]).toEqual([
    [null, answer],
    ['true', answer],
  ])
  expect(server.received).toHaveLength(1)
})
