/** Who may read usage and say where spans go, over HTTP. Every answer is checked against openapi.yaml. */
import { describe, expect, it } from 'vitest'
import { problemOf } from '../support/http-fixture.ts'
import { OPERATOR, registryBench } from '../support/registry-bench.ts'

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
