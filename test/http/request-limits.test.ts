/** The outermost layer: an address that cannot be read is a problem, a body that nobody read is dropped before the answer. */
import { describe, expect, it } from 'vitest'
import { answerWithinLimits } from '../../src/http/gate/request-limits.ts'

const id = () => 'made-here'
/** A body that counts how much of it was taken. */
function bodyOf(parts: number) {
  const taken = { bytes: 0 }
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken.bytes >= parts * 65_536) return controller.close()
      taken.bytes += 65_536
      controller.enqueue(new Uint8Array(65_536))
    },
  })
  return { taken, body }
}
const post = (body: ReadableStream<Uint8Array>) => {
  const init = { method: 'POST', body, duplex: 'half' } // Node asks for duplex, the platform's types do not know it
  return new Request('http://service/tasks', init)
}

describe('edge', () => {
  it('F50 a Host header no URL can be made of is a 400 problem with a request id', async () => {
    // The platform hands over such a request as it came; none can be constructed.
    const given = { url: { value: 'http://a b/tasks' }, headers: { value: new Headers() } }
    const request = Object.create(Request.prototype, given) as Request
    const response = await answerWithinLimits(request, id, () => {
      throw new Error('not reached')
    })
    expect([response.status, response.headers.get('x-request-id')]).toEqual([400, 'made-here'])
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ code: 'invalid_url', status: 400 })
  })

  it.each(['x/tasks#', 'x/health#', 'x?y', 'a b', 'x:abc', '[::1', '%zz', '<script>'])(
    'F50 a Host header that would move the path is refused: %s',
    async (host) => {
      const request = new Request('http://service/health', { headers: { 'x-host': host } })
      const crafted = new Proxy(request, {
        get: (target, name) => (name === 'headers' ? new Map([['host', host]]) : Reflect.get(target, name)),
      })
      expect((await answerWithinLimits(crafted, id, () => new Response('reached'))).status).toBe(400)
    },
  )

  it('a refusal is not lost with its connection: the unread body is read and dropped first', async () => {
    const { taken, body } = bodyOf(10)
    const response = await answerWithinLimits(post(body), id, () => new Response('no', { status: 401 }))
    expect(response.status).toBe(401)
    expect(taken.bytes).toBe(10 * 65_536)
  })

  it('a body without end is dropped up to a bound', async () => {
    const { taken, body } = bodyOf(2_000)
    await answerWithinLimits(post(body), id, () => new Response('no', { status: 401 }))
    expect(taken.bytes).toBeGreaterThan(50 * 1024 * 1024)
    expect(taken.bytes).toBeLessThan(65 * 1024 * 1024)
  })

  it('a body that breaks off does not disturb the answer', async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) })
    const response = await answerWithinLimits(post(body), id, () => new Response('no', { status: 401 }))
    expect(response.status).toBe(401)
  })
})
