/** Events as they happen, for the clients people have: the `eventsource` package, curl, a WebSocket; through a kill -9 and a restart. */
import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { EventSource } from 'eventsource'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../scripts/lib/service.mjs'
import { EVENT_TYPES } from '../../src/core/terms/plain/wire-names.ts'
import { call, callTask, newPlace, sharedService, type Place } from './support.ts'

const shared = sharedService()
let place: Place
const closing: (() => void)[] = []
beforeEach(() => {
  place = newPlace()
})
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await place.leave()
})

const AUTHORIZED = { authorization: 'Bearer dev-key' }
const Seqs = z.object({ data: z.array(z.object({ seq: z.int() })) })
const Sent = z.object({ seq: z.int(), type: z.string() })

async function storedSeqs(service: Service, id: string): Promise<number[]> {
  return Seqs.parse(await call(service, 'GET', `/tasks/${id}/events?limit=100`)).data.map(({ seq }) => seq)
}

/** What a browser is given: the link that answers carry. */
async function linkOf(service: Service, id: string): Promise<string> {
  const answered = await fetch(`${service.url}/tasks/${id}`, { headers: AUTHORIZED })
  const link = /^<(\S+)>; rel="monitor"$/.exec(answered.headers.get('link') ?? '')?.[1] ?? ''
  return new URL(link, service.url).href
}

/** Everything an EventSource is told until the task has ended; after a break it comes again by itself. */
function listen(url: string) {
  const source = new EventSource(url)
  closing.push(() => source.close())
  const seen: number[] = []
  const heard = new Map<string, () => void>()
  for (const type of EVENT_TYPES) {
    source.addEventListener(type, ({ lastEventId, data }) => {
      const event = Sent.parse(JSON.parse(data))
      // An id that is not the seq of its event can be in no list of seqs.
      seen.push(event.type === type && String(event.seq) === lastEventId ? event.seq : -1)
      heard.get(type)?.()
    })
  }
  const ended = new Promise<unknown>((resolve) => {
    source.addEventListener('end', ({ data }) => {
      source.close()
      resolve(JSON.parse(data))
    })
  })
  const first = (type: string) => new Promise<void>((resolve) => heard.set(type, resolve))
  return { seen, ended, first }
}

const background = (service: Service, goal: string) =>
  callTask(service, 'POST', '/tasks', { goal, drive: 'background' })

describe('live events', () => {
  it('U4 F63 an EventSource sees a task that runs in the background, each event once, and its end', async () => {
    const service = await shared()
    const { id } = await background(service, 'buy milk and buy bread')
    const { seen, ended } = listen(await linkOf(service, id))
    expect(await ended).toEqual({ status: 'completed' })
    expect(seen).toEqual(await storedSeqs(service, id))
    expect(seen.length).toBeGreaterThan(10)
  })

  it('F63 an EventSource reconnects by itself after a kill -9 and sees each event once', async () => {
    const first = await place.start()
    const { id } = await background(first, 'book the dentist on Friday at 3pm')
    const source = listen(await linkOf(first, id))
    await source.first('clarification_requested')
    const before = source.seen.length
    await first.kill()

    const second = await place.start({ PORT: new URL(first.url).port })
    await call(second, 'POST', `/tasks/${id}/input`, { input: '45 minutes', rounds: 0 })
    expect(await source.ended).toEqual({ status: 'completed' })
    expect(before).toBeGreaterThan(2)
    expect(source.seen.length).toBeGreaterThan(before)
    expect(source.seen).toEqual(await storedSeqs(second, id))
  })

  it('a hundred watchers see the same events, and a step does not wait for a watcher that does not read', async () => {
    const service = await shared()
    const { id } = await callTask(service, 'POST', '/tasks', { goal: 'buy milk and buy bread', rounds: 0 })
    const headers = { ...AUTHORIZED, accept: 'text/event-stream' }
    const streams = await Promise.all(
      Array.from({ length: 100 }, () => fetch(`${service.url}/tasks/${id}/events`, { headers })),
    )
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await callTask(service, 'POST', `/tasks/${id}/step`, { rounds: 50 })).toMatchObject({ status: 'completed' })
    const texts = await Promise.all(streams.map((stream) => stream.text()))
    const [text = ''] = texts
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))).toEqual(await storedSeqs(service, id))
    expect(new Set(texts).size).toBe(1)
  })

  it('curl prints progress lines as they happen, and ends with the task', async () => {
    const service = await shared()
    const { id } = await callTask(service, 'POST', '/tasks', { goal: 'buy milk and buy bread', rounds: 0 })
    const url = `${service.url}/tasks/${id}/events`
    const curl = spawn('curl', [
      '-sN',
      '-H',
      `authorization: ${AUTHORIZED.authorization}`,
      '-H',
      'accept: text/plain',
      url,
    ])
    closing.push(() => void curl.kill())
    let printed = ''
    const lines = (async function* () {
      for await (const chunk of curl.stdout) yield (printed += String(chunk))
    })()
    const until = async (wanted: string) => {
      while (!printed.includes(wanted)) if ((await lines.next()).done === true) throw new Error(`it ended:\n${printed}`)
    }
    await until('Plan ready: 2 steps')
    expect(printed).not.toContain('Action:')
    await callTask(service, 'POST', `/tasks/${id}/step`)
    await until('Action: todo -> /todo add buy milk\nResult: success')
    expect(printed).not.toContain('buy bread (')
    await callTask(service, 'POST', `/tasks/${id}/step`, { rounds: 50 })
    for await (const _ of lines);
    expect(printed).toContain('\nFinished: completed\n')
  })

  it.each([[['Upgrade: websocket']], [['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: x']]])(
    'an invalid handshake (%j) is answered without opening a socket',
    async (headers) => {
      const service = await shared()
      const { id } = await callTask(service, 'POST', '/tasks', { goal: 'buy milk', rounds: 0 })
      const sent = [`authorization: ${AUTHORIZED.authorization}`, 'connection: upgrade', ...headers]
      const asked = [
        '-s',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code} %{content_type}',
        ...sent.flatMap((one) => ['-H', one]),
      ]
      const { stdout } = await promisify(execFile)('curl', [...asked, `${service.url}/tasks/${id}/events`])
      expect(stdout).toBe('200 application/json')
    },
  )

  it('a WebSocket gets the same events by the link alone, and a normal close', async () => {
    const service = await shared()
    const { id } = await callTask(service, 'POST', '/tasks', { goal: 'buy milk and buy bread', rounds: 0 })
    const socket = new WebSocket((await linkOf(service, id)).replace('http', 'ws'))
    closing.push(() => socket.close())
    const seen: number[] = []
    socket.addEventListener('message', ({ data }) => void seen.push(Sent.parse(JSON.parse(String(data))).seq))
    const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve))
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    await callTask(service, 'POST', `/tasks/${id}/step`, { rounds: 50 })
    expect(await closed).toMatchObject({ code: 1000, reason: 'completed' })
    expect(seen).toEqual(await storedSeqs(service, id))
  })
})
