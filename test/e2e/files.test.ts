/** Files over real sockets: a body that breaks off is none, a refusal reaches who is still sending, and what is kept outlives a kill -9. */
import { once } from 'node:events'
import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { call, callTask, newPlace, type Place } from './support.ts'

const MIB = 1_048_576
const AUTH = { authorization: 'Bearer dev-key' }
const Listed = z.object({ data: z.array(z.object({ name: z.string(), size: z.int(), url: z.string() })) })

let place: Place
let service: Awaited<ReturnType<Place['start']>>

beforeAll(async () => {
  place = newPlace()
  service = await place.start()
})
afterAll(() => place.leave())

const newTask = async () => (await callTask(service, 'POST', '/tasks', { goal: 'buy milk', rounds: 0 })).id
const filesOf = async (id: string) => Listed.parse(await call(service, 'GET', `/tasks/${id}/files`)).data
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Sends what it is given, ends the connection, and answers what came back. */
async function sent(id: string, headers: string, body: Buffer | string): Promise<string> {
  const { port } = new URL(service.url)
  const socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  socket.on('error', () => undefined)
  socket.write(
    `PUT /tasks/${id}/files/a.csv HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer dev-key\r\n${headers}\r\n\r\n`,
  )
  socket.write(body)
  socket.end()
  await once(socket, 'close')
  return answer
}
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

describe('a body that is cut off', () => {
  it.each([
    ['of known length', 'content-length: 1000', 'a,b\n'],
    ['in chunks', 'transfer-encoding: chunked', chunk('a,b\n')],
    ['in chunks, after some parts', 'transfer-encoding: chunked', chunk('x'.repeat(11 * MIB))],
    ['within a chunk', 'transfer-encoding: chunked', '400\r\na,b\n'],
  ])('leaves no file: a body %s', async (_name, headers, body) => {
    const id = await newTask()
    expect(await sent(id, headers, body)).not.toContain('HTTP/1.1 2')
    expect(await filesOf(id)).toEqual([])
    expect(await sent(id, 'content-length: 4', 'a,b\n')).toContain('HTTP/1.1 201')
  })
})

it(
  'curl -T uploads 50 MiB, and the same bytes are fetched, with the key or by the link',
  { timeout: 120_000 },
  async () => {
    const id = await newTask()
    const bytes = randomBytes(50 * MIB)
    const url = `${service.url}/tasks/${id}/files/big.csv`
    const put = await fetch(url, { method: 'PUT', headers: AUTH, body: bytes })
    expect([put.status, await put.json()]).toMatchObject([201, { size: 50 * MIB }])
    const [file] = await filesOf(id)
    const head = await fetch(url, { method: 'HEAD', headers: AUTH })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(50 * MIB)])
    for (const [where, headers] of [
      [url, AUTH],
      [file?.url ?? '', {}],
    ] as const) {
      const got = await fetch(where, { headers })
      expect(got.headers.get('content-length')).toBe(String(50 * MIB))
      expect(digest(new Uint8Array(await got.arrayBuffer()))).toBe(digest(bytes))
    }
  },
)

it.each([
  ['of known length', 60 * MIB],
  ['that never says it', null],
])('a refusal reaches a client that is still sending: a body that is too large %s', async (_name, length) => {
  const id = await newTask()
  const { port } = new URL(service.url)
  const socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.on('data', (part) => (answer += String(part)))
  socket.on('error', () => undefined)
  // An error of the socket comes before its close, and what was answered before both.
  const first = (...events: string[]) =>
    new Promise<void>((resolve) => {
      for (const event of events) socket.once(event, () => resolve())
    })
  const over = first('data', 'close')
  const isOver = over.then(() => true)
  const coding = length === null ? 'transfer-encoding: chunked' : `content-length: ${length}`
  socket.write(
    `PUT /tasks/${id}/files/a.csv HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer dev-key\r\n${coding}\r\n\r\n`,
  )
  const piece = 'x'.repeat(MIB)
  for (let n = 0; n < 60; n++) {
    const taken = socket.write(length === null ? chunk(piece) : piece)
    const ended = await Promise.race([isOver, taken ? false : first('drain', 'close').then(() => false)])
    if (ended) break
  }
  await over
  socket.destroy()
  expect(answer).toContain('HTTP/1.1 413')
  expect(answer).toContain('"code":"file_too_large"')
  expect(await filesOf(id)).toEqual([])
})

it('kill -9 loses no file whose upload was answered', async () => {
  const id = await newTask()
  const bytes = randomBytes(6 * MIB)
  const put = await fetch(`${service.url}/tasks/${id}/files/a.csv`, { method: 'PUT', headers: AUTH, body: bytes })
  expect(put.status).toBe(201)
  await service.kill()
  service = await place.start()
  const got = await fetch(`${service.url}/tasks/${id}/files/a.csv`, { headers: AUTH })
  expect(digest(new Uint8Array(await got.arrayBuffer()))).toBe(digest(bytes))
})
