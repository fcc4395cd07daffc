/** The outbound helper of the search providers: every failure is an Error with a short reason and no secret. */
import { expect, it } from 'vitest'
import * as z from 'zod'
import { fetchJson } from '../../src/search/fetch-json.ts'
import { scriptedFetch } from './search-support.ts'

const url = new URL('https://search.test/?key=canary')
const Shape = z.object({ ok: z.boolean() })
const stream = (start: (controller: ReadableStreamDefaultController) => void) =>
  new Response(new ReadableStream({ start }))

it.each<[string, () => Response | Promise<Response>, string]>([
  ['an HTTP error', () => new Response('canary', { status: 403 }), 'HTTP 403'],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: '/' } }), 'HTTP 302 (redirect)'],
  ['a page of HTML', () => new Response('<html>canary'), 'reply is not JSON'],
  ['an empty reply', () => new Response(''), 'reply is not JSON'],
  ['half a reply', () => new Response('{"ok":tr'), 'reply is not JSON'],
  ['another shape', () => Response.json({ ok: 'canary' }), 'unexpected reply'],
  ['a list', () => Response.json([]), 'unexpected reply'],
  ['a reply above 1 MiB', () => new Response(' '.repeat(2 ** 20 + 1)), 'reply too large'],
  ['a network error', () => Promise.reject(new TypeError('canary')), 'connection failed'],
  ['a connection lost in the body', () => stream((body) => body.error(new Error('canary'))), 'connection lost'],
  ['a provider that hangs', () => new Promise<Response>(() => undefined), 'timed out'],
  ['a body that never ends', () => stream((body) => body.enqueue(new TextEncoder().encode('{'))), 'timed out'],
])('O0-13 %s is one failure after one request', async (_, reply, reason) => {
  const { asked, fetch } = scriptedFetch(reply)
  const failure = fetchJson(fetch, { url, timeout_ms: 50 }, Shape)
  await expect(failure).rejects.toThrow(new Error(reason))
  expect(asked).toHaveLength(1)
})

it('a reply of exactly 1 MiB is read', async () => {
  const body = '{"ok":true}'.padEnd(2 ** 20, ' ')
  const { fetch } = scriptedFetch(() => new Response(body))
  expect(await fetchJson(fetch, { url, timeout_ms: 1_000 }, Shape)).toEqual({ ok: true })
})
