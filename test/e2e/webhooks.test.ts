/** Callbacks of the built service, to a receiver that listens on a port of its own: signed, in order, at least once, through a kill -9. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../scripts/lib/service.mjs'
import { startFaultServer, type FaultServer, type Reply } from '../support/fault-server.ts'
import { call, callTask, newPlace, type Place } from './support.ts'

const PATIENCE_MS = 80_000
const LONG = { timeout: 120_000 }
const DONE = 'buy milk and buy bread'
const ASKS = 'book the dentist on Friday at 3pm'
const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`
const OK: Reply = { status: 204 }
const again = (seconds: number): Reply => ({ status: 503, headers: { 'retry-after': String(seconds) } })

let place: Place
let receiver: FaultServer
beforeEach(async () => {
  place = newPlace()
  receiver = await startFaultServer()
})
afterEach(async () => {
  await place.leave()
  await receiver.close()
})

/** Looks until there is something; a receiver's own time is not ours. */
async function until<T>(what: string, look: () => Promise<T | null> | T | null): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ;) {
    const found = await look()
    if (found !== null) return found
    if (Date.now() > end)
      throw new Error(`still no ${what}; came: ${receiver.received.map(({ body }) => body.slice(0, 40))}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
const received = (count: number) =>
  until(`${count} messages`, () => (receiver.received.length >= count ? messages() : null))

const Body = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: z.looseObject({ id: z.string(), status: z.string() }),
})
function messages() {
  return receiver.received.map(({ headers, body }) => {
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    return { id: texts['webhook-id'] ?? '', headers: texts, text: body, ...Body.parse(JSON.parse(body)) }
  })
}
const Secrets = z.object({ SIGNING_SECRET: z.string(), WEBHOOK_SECRET: z.string().startsWith('dev:') })
const madeSecret = () =>
  Secrets.parse(JSON.parse(readFileSync(join(place.dataDir, 'secrets.json'), 'utf8'))).WEBHOOK_SECRET.slice(
    'dev:'.length,
  )

const create = (service: Service, goal: string, more: object = {}) =>
  callTask(service, 'POST', '/tasks', { goal, rounds: 50, callback_url: `${receiver.origin}/hook`, ...more })
const Deliveries = z.object({ data: z.array(z.looseObject({ id: z.string(), status: z.string(), attempts: z.int() })) })
const deliveries = async (service: Service, status: string) =>
  Deliveries.parse(await call(service, 'GET', `/webhooks/deliveries?status=${status}`)).data

describe('a callback', () => {
  it('receives each change in order, signed with the secret for development', async () => {
    receiver.script(OK, OK)
    const service = await place.start()
    const { id } = await create(service, ASKS)
    await received(1)
    await call(service, 'POST', `/tasks/${id}/input`, { input: '45 minutes', rounds: 50 })
    const [asked, ended] = await received(2)
    expect([asked?.type, ended?.type]).toEqual(['task.input_required', 'task.completed'])
    expect([asked?.data, ended?.data]).toMatchObject([
      { id, pending: { kind: 'question' } },
      { id, status: 'completed' },
    ])
    expect(asked?.data).not.toHaveProperty('slice')
    expect(asked?.id).not.toBe(ended?.id)
    const webhook = new Webhook(madeSecret())
    for (const { text, headers } of messages()) expect(() => webhook.verify(text, headers)).not.toThrow()
    expect(await deliveries(service, 'failed')).toEqual([])
  })

  it('F38 F41 receives a message again at the time that it has named, under the same webhook-id', async () => {
    receiver.script(again(1), { status: 302, headers: { location: '/elsewhere', 'retry-after': '1' } }, again(1), OK)
    const service = await place.start({ WEBHOOK_SECRET: `dev:${secretOf(1)},dev:${secretOf(2)}` })
    await create(service, DONE)
    const all = await received(4)
    expect([new Set(all.map(({ id }) => id)).size, new Set(all.map(({ text }) => text)).size]).toEqual([1, 1])
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook', '/hook', '/hook'])
    for (const { text, headers } of all)
      for (const secret of [secretOf(1), secretOf(2)])
        expect(() => new Webhook(secret).verify(text, headers)).not.toThrow()
  })

  it('F41 that refuses further messages is listed, and receives the message again on request', async () => {
    receiver.script({ status: 410, body: 'canary' }, OK)
    const service = await place.start()
    await create(service, DONE)
    const [gone] = await until('record', async () => {
      const found = await deliveries(service, 'gone')
      return found.length > 0 ? found : null
    })
    expect(gone).toMatchObject({ id: messages()[0]?.id, status: 'gone', attempts: 1, detail: 'HTTP 410' })
    await call(service, 'POST', `/webhooks/deliveries/${gone?.id}/redeliver`)
    const all = await received(2)
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    await until('delivery', async () => ((await deliveries(service, 'delivered')).length === 1 ? true : null))
  })
})

describe('F38 a kill -9', LONG, () => {
  it('between two tries leads to the next try after the restart, with the same webhook-id and secret', async () => {
    receiver.script(again(2), OK)
    const first = await place.start()
    await create(first, DONE)
    await received(1)
    await first.kill()
    const secret = madeSecret()
    await place.start()
    const [before, after] = await received(2)
    expect([after?.id, after?.text]).toEqual([before?.id, before?.text])
    expect(madeSecret()).toBe(secret)
    for (const { text, headers } of messages()) expect(() => new Webhook(secret).verify(text, headers)).not.toThrow()
  })

  it('while eight tasks end loses no message, and no message has two ids', async () => {
    receiver.script(...Array.from({ length: 100 }, () => OK))
    const first = await place.start()
    const tasks = await Promise.all(
      Array.from({ length: 8 }, (_, at) => create(first, `${DONE} ${at}`, { drive: 'background' })),
    )
    await received(3)
    await first.kill()
    const second = await place.start()
    const told = await until('message of each task', () => {
      const ended = messages().filter(({ type }) => type === 'task.completed')
      return tasks.every(({ id }) => ended.some(({ data }) => data.id === id)) ? ended : null
    })
    const idsOf = (task: string) => new Set(told.filter(({ data }) => data.id === task).map(({ id }) => id))
    expect(tasks.map(({ id }) => idsOf(id).size)).toEqual(tasks.map(() => 1))
    expect(await deliveries(second, 'failed')).toEqual([])
  })
})
