/**
 * What reading a body of known length in one go rests on, asked of the real runtime: a length that lies, in either direction
 * and beside any coding, lets in no more than the cap.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planned } from '../support/scripted.ts'
import { callTask, journalOf, newPlace, type Place } from './support.ts'

const LONG = 'x'.repeat(4 * 1_048_576)
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const TEXT = JSON.stringify(planned('Buy milk'))
const PLAN = JSON.stringify({
  choices: [{ message: { content: TEXT } }],
  usage: { prompt_tokens: 10, completion_tokens: 5 },
})
const BOMB = gzipSync(LONG)

let place: Place
let service: Awaited<ReturnType<Place['start']>>
let model: Server
let reply: { headers: string; body: string | Buffer }

beforeAll(async () => {
  // Written byte by byte, since no HTTP server sends what these replies say.
  model = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${reply.headers}\r\n`)
      socket.end(reply.body)
    })
  }).listen(0, '127.0.0.1')
  await once(model, 'listening')
  // A server that listens on a port has an address of this kind.
  const { port } = model.address() as AddressInfo
  place = newPlace()
  service = await place.start({
    MODEL_PROVIDER: 'openai',
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_MODEL: 'm',
  })
})
afterAll(async () => {
  await place.leave()
  model.close()
})

describe('the reply of a model', () => {
  const length = PLAN.length
  it.each<[string, string, string | Buffer, object]>([
    ['with its length', `content-length: ${length}\r\n`, PLAN, { text: TEXT }],
    ['in chunks', 'transfer-encoding: chunked\r\n', chunked(PLAN), { text: TEXT }],
    ['longer than it says', `content-length: ${length}\r\n`, PLAN + LONG, { text: TEXT }],
    ['shorter than it says', `content-length: ${length + 1}\r\n`, PLAN, { reason: 'connection lost' }],
    [
      'in more chunks than it says',
      'content-length: 5\r\ntransfer-encoding: chunked\r\n',
      chunked(LONG),
      { reason: 'reply too large' },
    ],
    [
      'that unpacks to more than it says',
      `content-length: ${BOMB.length}\r\ncontent-encoding: gzip\r\n`,
      BOMB,
      { reason: 'reply too large' },
    ],
  ])('F22 %s', async (_, headers, body, read) => {
    reply = { headers, body }
    const goal = { goal: 'Buy milk', rounds: 0, settings: { plan_retries: 0 } }
    const { id } = await callTask(service, 'POST', '/tasks', goal)
    const rows = await journalOf(service, id)
    expect(rows.find(({ kind }) => kind === 'call_model')?.reply).toMatchObject(read)
  })
})

/** The status line of the answer to these bytes. */
async function statusOf(headers: string, body: string): Promise<string> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const head = `POST /commands HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer dev-key\r\ncontent-type: application/json\r\n`
  socket.write(`${head}${headers}\r\n${body}`)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer).split('\r\n', 1)[0] ?? ''
}

describe('the body of a request', () => {
  const COMMAND = '{"command":"/todo list"}'
  // No byte is sent that is not read: a connection that is closed before would lose the answer.
  it.each([
    ['with its length', `content-length: ${COMMAND.length}\r\n`, COMMAND, '200 OK'],
    ['in chunks', 'transfer-encoding: chunked\r\n', chunked(COMMAND), '200 OK'],
    ['longer than it says', `content-length: ${COMMAND.length}\r\n`, `${COMMAND}xyz`, '200 OK'],
    [
      'in more chunks than it says',
      'content-length: 5\r\ntransfer-encoding: chunked\r\n',
      chunked(LONG).slice(0, '400000\r\n'.length + 1_048_577),
      '413 Payload Too Large',
    ],
  ])('API4 %s', async (_, headers, body, status) => {
    expect(await statusOf(headers, body)).toBe(`HTTP/1.1 ${status}`)
  })
})
