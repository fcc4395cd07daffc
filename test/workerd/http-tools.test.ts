/** Plain HTTP tools in the runtime of the service: what it makes of requests and answers is what Node makes of them. */
import { describe, expect, it } from 'vitest'
import { callOnce, jsonAnswer, toolOf } from '../support/http-call.ts'
import { HOSTILE_LOCATIONS } from '../support/hostile-addresses.ts'

describe('HTTP tools in workerd', () => {
  it('HTTP tools: path, query, headers and a form are written as in Node', async () => {
    const entry = {
      method: 'PUT',
      url: 'https://api.example.com/{id}?q={q}',
      headers: { 'x-id': '{q}', authorization: 'Bearer secret:orders' },
      body: { type: 'multipart/form-data', template: { a: '{id}', b: 'x {q}' } },
    }
    const { asked, result } = await callOnce(toolOf(entry), jsonAnswer({ a: 'k-canary-1' }), {
      args: { id: 'a/../b', q: '1&2' },
    })
    expect(result).toEqual({ ok: true, code: 'http_ok', text: '{"a":"[secret:orders]"}' })
    const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = asked
    expect(url).toBe('https://api.example.com/a%2F..%2Fb?q=1%262')
    expect(headers).toMatchObject({ 'x-id': '1&2', authorization: 'Bearer k-canary-1', 'idempotency-key': 'task_1:4' })
    expect(body).toMatch(/name="a"\s+a\/\.\.\/b\s[^]*name="b"\s+x 1&2\s/)
  })

  it('HTTP tools: character sets, binary content and headers that may not be sent', async () => {
    const bytes = (values: number[], type: string) => () =>
      new Response(new Uint8Array(values), { headers: { 'content-type': type } })
    const tool = toolOf({ url: 'https://api.example.com/', headers: { 'x-a': '{a}' } })
    const text = async (answer: () => Response, a = 'a') => (await callOnce(tool, answer, { args: { a } })).result.text
    expect(await text(bytes([0xc4, 0xe3], 'text/plain; charset=gbk'))).toBe('你')
    expect(await text(bytes([0xe9], 'text/plain; charset=latin1'))).toBe('é')
    expect(await text(bytes([1, 0, 2], 'image/png'))).toMatch(/^image\/png, 3 bytes/)
    expect(await text(bytes([], 'text/plain'), 'a\r\nb: c')).toMatch(/^not called: the header "x-a"/)
  })

  // The runtime warns of other characters in a header. They are tried in Node.
  it.each(HOSTILE_LOCATIONS.filter((location) => /^[\x20-\x7e]*$/.test(location)))(
    'F65 HTTP tools: a redirect to %j is not followed',
    async (location) => {
      const tool = toolOf({ url: 'https://api.example.com/' })
      const { asked, result } = await callOnce(tool, () => new Response(null, { status: 302, headers: { location } }))
      expect([asked.length, result.code]).toEqual([1, 'bad_answer'])
    },
  )
})
