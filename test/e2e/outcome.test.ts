/**
 * What it is all for: a task is posted and then works by itself; a signed webhook brings each question to a person, who answers by its
 * link; the last webhook brings the result.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../scripts/lib/service.mjs'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'
import { callTask, journalOf, newPlace, type Place } from './support.ts'

const PATIENCE_MS = 80_000
const LONG = { timeout: 120_000 }
const TAKEN = { status: 204 }

let place: Place
let receiver: FaultServer
beforeEach(async () => {
  place = newPlace()
  receiver = await startFaultServer()
  receiver.script(...Array.from({ length: 100 }, () => TAKEN))
})
afterEach(async () => {
  await place.leave()
  await receiver.close()
})

async function until<T>(what: string, look: () => T | null): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ;) {
    const found = look()
    if (found !== null) return found
    if (Date.now() > end) throw new Error(`still no ${what} among ${receiver.received.length} messages`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

const Pending = z.looseObject({ question: z.string().optional(), answer_url: z.string().nullable().optional() })
const Body = z.object({
  type: z.string(),
  data: z.looseObject({ id: z.string(), status: z.string(), pending: Pending.nullable(), result: z.unknown() }),
})
/** Each message once, however often it came. */
function told() {
  const messages = receiver.received.map(({ headers, body }) => {
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    return { id: texts['webhook-id'] ?? '', headers: texts, text: body, ...Body.parse(JSON.parse(body)) }
  })
  return [...new Map(messages.map((message) => [message.id, message])).values()]
}

const create = (service: Service, goal: string) =>
  callTask(service, 'POST', '/tasks', { goal, drive: 'background', callback_url: `${receiver.origin}/hook` })

describe('a task that is posted once', LONG, () => {
  it('asks three people by webhook, is answered through their links, and gives its result', async () => {
    const service = await place.start()
    const goal =
      'book the dentist on Friday at 3pm, book the barber on Saturday at 4pm and book the vet on Sunday at 5pm'
    const { id, status } = await create(service, goal)
    expect(status).toBe('queued')
    const forms = [
      { type: 'application/x-www-form-urlencoded', body: 'answer=45+minutes' },
      { type: 'application/json', body: '{"input":"30 minutes"}' },
      // As a service that brings text messages sends them.
      { type: 'application/x-www-form-urlencoded', body: 'From=%2B4915112345&Body=20+minutes&NumMedia=0' },
    ]
    for (const [index, { type, body }] of forms.entries()) {
      const { data } = await until(`question ${index + 1}`, () => told().filter(isQuestion)[index] ?? null)
      const url = data.pending?.answer_url ?? ''
      const page = await fetch(url)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      const answered = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
      expect(answered.status).toBe(200)
    }
    const last = await until('result', () => told().find(({ type }) => type === 'task.completed') ?? null)
    expect(last.data).toMatchObject({ id, status: 'completed', pending: null, result: { text: expect.any(String) } })
    expect(told().map(({ type }) => type)).toEqual([...forms.map(() => 'task.input_required'), 'task.completed'])
    const { WEBHOOK_SECRET } = z
      .object({ WEBHOOK_SECRET: z.string() })
      .parse(JSON.parse(readFileSync(join(place.dataDir, 'secrets.json'), 'utf8')))
    const webhook = new Webhook(WEBHOOK_SECRET.slice('dev:'.length))
    for (const { text, headers } of told()) expect(() => webhook.verify(text, headers)).not.toThrow()
  })

  it('ten tasks end in spite of a kill -9: their ledgers are exact, and every end is delivered under one id', async () => {
    const first = await place.start()
    const tasks = await Promise.all(
      Array.from({ length: 10 }, (_, at) => create(first, `buy milk and buy bread ${at}`)),
    )
    await first.kill()
    const second = await place.start()
    const ends = await until('ten ends', () => {
      const found = told().filter(({ type }) => type === 'task.completed')
      return found.length >= tasks.length ? found : null
    })
    expect(ends.map(({ data }) => data.id).toSorted()).toEqual(tasks.map(({ id }) => id).toSorted())
    for (const { id } of tasks) {
      const task = await callTask(second, 'GET', `/tasks/${id}`)
      const counted = (await journalOf(second, id)).filter((row) => row['counted'] === true)
      expect([task.status, task.step_count]).toEqual(['completed', counted.length])
    }
  })
})

const isQuestion = ({ type }: { type: string }) => type === 'task.input_required'
