/** U53: an answer that workerd alone makes keeps what it is when a header is added to it. */
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { crossOrigin } from '../../src/http/cross-origin.ts'

it('U53 a WebSocket that a page of another origin opens is one still', async () => {
  const app = new Hono()
  app.use('*', crossOrigin(['https://app.example.com']))
  app.get('/events', () => new Response(null, { status: 101, webSocket: new WebSocketPair()[0] }))
  const answer = await app.request('/events', { headers: { origin: 'https://app.example.com' } })
  expect(answer.status).toBe(101)
  expect(answer.webSocket).not.toBeNull()
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
})
