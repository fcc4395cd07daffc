/** Reminders of the built service: a receiver of the tenant is told of a todo and of an event, each once, and the calendar shows them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'
import { call, newPlace, type Place } from './support.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const PATIENCE_MS = 40_000

let place: Place
let receiver: FaultServer
beforeEach(async () => {
  place = newPlace()
  receiver = await startFaultServer()
  receiver.script({ status: 204 }, { status: 204 }, { status: 204 })
})
afterEach(async () => {
  await place.leave()
  await receiver.close()
})

async function received(count: number) {
  for (const end = Date.now() + PATIENCE_MS; receiver.received.length < count;) {
    if (Date.now() > end) throw new Error(`${receiver.received.length} of ${count} messages`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return receiver.received
}
/** A wall clock in UTC, so many minutes from now: one that is just over is still told. */
const clock = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')

describe('2.5 reminders', () => {
  it('2.5 U22 of a todo and of an event reach the receiver of the tenant, signed, and only once in spite of a restart', async () => {
    const env = { WEBHOOK_URL: `dev:${receiver.origin}/hook`, WEBHOOK_SECRET: `dev:${SECRET}` }
    const first = await place.start(env)
    await call(first, 'POST', '/commands', { command: `/todo add milk --due ${clock(60)} --remind ${clock(-1)}` })
    await received(1)
    const event = `/schedule add ${clock(120)} dentist --duration 30 --remind ${clock(-1)}`
    expect(await call(first, 'POST', '/commands', { command: event })).toMatchObject({ ok: true })
    const [todo, schedule] = await received(2)
    const types = [todo, schedule].map((message) => JSON.parse(message?.body ?? '{}').type)
    expect(types).toEqual(['todo.reminder', 'schedule.reminder'])
    for (const { headers, body } of receiver.received) {
      const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
      expect(() => new Webhook(SECRET).verify(body, texts)).not.toThrow()
    }
    await first.kill()
    const second = await place.start(env)
    await call(second, 'POST', '/commands', { command: '/todo list' })
    const calendar = await fetch(`${second.url}/calendar.ics`, { headers: { authorization: 'Bearer dev-key' } })
    expect(calendar.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(await calendar.text()).toMatch(/BEGIN:VEVENT[\s\S]*SUMMARY:dentist/)
    expect(receiver.received).toHaveLength(2)
  })
})
