// An HTTP tool for loop-agent in plain Node: it books rooms, verifies who calls, and does the same call once. See docs/tools.md.
//   WEBHOOK_SECRET=whsec_… PORT=9090 node docs/examples/tool-server.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import process from 'node:process'

const BODY_BYTES_MAX = 1_048_576
/** How far the time of a call may be from ours, in seconds: an old one that was overheard is refused. */
const CLOCKS_APART_S = 300
const { WEBHOOK_SECRET = '', PORT = '0' } = process.env
if (!WEBHOOK_SECRET.startsWith('whsec_')) throw new Error('WEBHOOK_SECRET must be the whsec_… of your tenant')
const secret = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64')

const bookings = new Map()
/** What was answered, by Idempotency-Key. A real one keeps it where the bookings are, in the same transaction, for a day or more. */
const answers = new Map()

const server = createServer((request, response) => {
  answer(request).then(
    ([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    },
    () => response.destroy(),
  )
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`))

async function answer(request) {
  if (request.method !== 'POST') return [405, { detail: 'POST only' }]
  const body = await textOf(request)
  if (body === null) return [413, { detail: 'too large' }]
  if (!isSigned(request.headers, body)) return [401, { detail: 'the signature is not right' }]
  const { tool, arguments: args } = JSON.parse(body)
  if (tool !== 'book_room') return [404, { detail: 'there is no such tool here' }]
  const key = request.headers['idempotency-key']
  const known = answers.get(key)
  if (known !== undefined) return [200, known]
  const said = book(args)
  answers.set(key, said)
  return [200, said]
}

/** 200 with `status: "error"` tells the model what went wrong, so that it can do better. */
function book({ room, day }) {
  const place = `${room} ${day}`
  if (bookings.has(place)) return { status: 'error', message: `${room} is taken on ${day}` }
  const number = bookings.size + 1
  bookings.set(place, number)
  return { status: 'success', number, room, day }
}

/** Standard Webhooks: HMAC-SHA256 over id, time and the body as it came; several signatures while the secret is changed. */
function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1_000 - Number(time)) <= CLOCKS_APART_S)) return false
  const expected = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest()
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

async function textOf(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > BODY_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
