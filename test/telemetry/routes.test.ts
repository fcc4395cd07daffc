/** Who may read usage and say where spans go, over HTTP. Every answer is checked against openapi.yaml. */
import { describe, expect, it } from 'vitest'
import { problemOf } from '../support/http-fixture.ts'
import { bearer, OPERATOR, registryBench } from '../support/registry-bench.ts'
import { telemetryBench } from '../support/otlp/telemetry.ts'
import { CALLER } from '../support/scripted.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

describe('USE-01 usage is read', () => {
  it('with ADMIN_KEY, of any tenant that is named', async () => {
    const bench = registryBench()
    const response = await bench.send('GET', '/usage?tenant=acme&from=2026-11-01&to=2026-11-28', null, OPERATOR)
    expect(response.status).toBe(200)
    expect(bench.asked.at(-1)).toMatchObject({ method: 'getUsage', args: [{}, { tenant: 'acme' }] })
    const unnamed = await problemOf(await bench.send('GET', '/usage', null, OPERATOR))
    expect(unnamed).toMatchObject({ status: 422, errors: [{ pointer: '/tenant' }] })
  })

  it('by a tenant of its own only, and ADMIN_KEY opens no other route of a tenant', async () => {
    const bench = registryBench()
    const other = await problemOf(await bench.send('GET', '/usage?tenant=acme'))
    expect(other).toMatchObject({ status: 422, errors: [{ pointer: '/tenant' }] })
    const tasks = await problemOf(await bench.send('GET', '/tasks', null, OPERATOR))
    expect(tasks).toMatchObject({ status: 403, code: 'insufficient_scope' })
  })
})

describe('OTEL-07 where spans go', () => {
  const body = { endpoint: 'https://otlp.example.com/v1/traces', capture_content: true }

  it.each([
    ['tasks:write alone', ['tasks:write'], 'tasks:read'],
    ['tasks:read alone', ['tasks:read'], 'tasks:write'],
    ['admin alone', ['admin'], 'tasks:write'],
  ])('is not said by a key with %s', async (_, scopes, needed) => {
    const bench = registryBench()
    await bench.makeTenant('acme')
    const { key } = await bench.makeKey('acme', { scopes })
    for (const response of [
      await bench.send('PUT', '/telemetry', JSON.stringify(body), { ...JSON_TYPE, ...bearer(key) }),
      await bench.send('DELETE', '/telemetry', null, bearer(key)),
    ])
      expect(await problemOf(response)).toMatchObject({ status: 403, code: 'insufficient_scope', needed })
    expect(bench.asked.filter(({ method }) => method.endsWith('Receiver'))).toEqual([])
  })

  it('is said by a key of API_KEYS', async () => {
    const bench = registryBench()
    expect((await bench.send('PUT', '/telemetry', JSON.stringify(body), JSON_TYPE)).status).toBe(200)
    expect((await bench.send('DELETE', '/telemetry')).status).toBe(204)
  })

  it('is shown without the values of headers', async () => {
    const { service } = telemetryBench({})
    const headers = {
      authorization: 'Bearer literal-key',
      'x-key': 'literal-key',
      'x-named': 'Bearer secret:otlp',
      'x-both': 'literal-key secret:otlp',
    }
    const shown = {
      authorization: '•••',
      'x-key': '•••',
      'x-named': 'Bearer secret:otlp',
      'x-both': '••• secret:otlp',
    }
    const put = { endpoint: body.endpoint, protocol: 'http/json', headers, capture_content: false } as const
    expect(await service.putReceiver(CALLER, put)).toMatchObject({ value: { headers: shown } })
    expect(await service.getReceiver(CALLER)).toMatchObject({ value: { headers: shown } })
  })

  it('cannot be put with a hidden value that was read', async () => {
    const bench = registryBench()
    const hidden = JSON.stringify({ ...body, headers: { authorization: '•••' } })
    const response = await bench.send('PUT', '/telemetry', hidden, JSON_TYPE)
    expect(await problemOf(response)).toMatchObject({ status: 422, errors: [{ pointer: '/headers/authorization' }] })
  })
})
