/** The job that sends reminders: over the workspace in memory, with a receiver that answers from a script. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Ports } from '../../src/shell/ports.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import { RUN_MAX } from '../../src/shell/callbacks/send-reminders.ts'
import { benchOf } from '../support/scripted.ts'

const NOW = Date.parse('2026-03-18T10:00:00Z')
const ZONES = { reader: 'person' as const, locale: 'en' as const, timezone: 'UTC', caller_timezone: 'UTC' }
const WINDOWS = { schedule_window_days: 31, conflict_preview_days: 31 }

interface Message {
  id: string
  type: string
  data: Record<string, unknown>
}
type Answer = 'delivered' | 'failed' | 'throws'

const Sent = z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) })
const SECRETS = new Map([['alice', [`whsec_${Buffer.alloc(32, 1).toString('base64')}`]]])

/** A tenant that is told at one URL; `answers` says what becomes of a message, by how often its id came before. */
function desk(
  answers: (message: Message, before: number) => Answer = () => 'delivered',
  url: string | null = 'https://r.example.com/in',
) {
  const { ports, store, clock } = benchOf({})
  clock.now = NOW
  const sent: Message[] = []
  const receive: typeof globalThis.fetch = async (to, init) => {
    expect(to).toBe(url)
    const id = new Headers(init?.headers).get('webhook-id') ?? ''
    const message = { id, ...Sent.parse(JSON.parse(String(init?.body))) }
    const before = sent.filter((other) => other.id === id).length
    sent.push(message)
    const answer = answers(message, before)
    if (answer === 'throws') throw new Error('broken receiver')
    return new Response(null, { status: answer === 'delivered' ? 204 : 500 })
  }
  const all: Ports = {
    ...ports,
    webhooks: { ...ports.webhooks, fetch: receive, secrets: SECRETS },
    webhook_urls: new Map(url === null ? [] : [['alice', url]]),
  }
  return {
    sent,
    clock,
    run: () => runJob(all, { kind: 'remind', tenant: 'alice' }),
    unsigned: () =>
      runJob({ ...all, webhooks: { ...all.webhooks, secrets: new Map() } }, { kind: 'remind', tenant: 'alice' }),
    async command(...commands: string[]) {
      for (const command of commands) {
        const call = { command, key: null, request: null, ...ZONES, ...WINDOWS, wall_ms: clock.now }
        expect(await store.workspace('alice').tell({ kind: 'run_command', ...call })).toMatchObject({
          value: { result: { ok: true } },
        })
      }
    },
  }
}
const todoAt = (time: string) => `/todo add buy milk --due 2026-03-18 12:00 --remind 2026-03-18 ${time}`
const contents = (sent: Message[]) => sent.map(({ data }) => data.id)

describe('U22: reminders are sent', () => {
  it('U22 what is due, with its row, once, however often the job is asked for', async () => {
    const { sent, run, command, clock } = desk()
    await command(todoAt('09:58'), todoAt('10:01'))
    await run()
    await run()
    expect(sent).toMatchObject([
      {
        id: 'reminder_todo_1_202603181200_202603180958',
        type: 'todo.reminder',
        data: { id: 1, remind_at: '2026-03-18 09:58' },
      },
    ])
    clock.now += 60_000
    await Promise.all([run(), run()])
    expect(contents(sent)).toEqual([1, 2])
  })

  it('U22 late by less than five minutes it is sent, an older one is dropped', async () => {
    const { sent, run, command } = desk()
    await command(todoAt('09:55'), todoAt('09:56'))
    await run()
    expect(contents(sent)).toEqual([2])
  })

  it('2.5 a failed delivery is tried again under the same id for a day, at growing intervals', async () => {
    const { sent, run, command, clock } = desk(() => 'failed')
    await command(todoAt('10:00'))
    const counts: number[] = []
    for (let minute = 0; minute < 26 * 60; minute++) {
      await run()
      clock.now += 60_000
      if ([5, 60, 24 * 60 - 1, 26 * 60 - 1].includes(minute)) counts.push(sent.length)
    }
    const [soon = 0, hour = 0, day = 0, end = 0] = counts
    expect(soon).toBeGreaterThanOrEqual(5)
    expect(hour - soon).toBeLessThan(20)
    expect(day).toBeGreaterThan(hour + 20)
    expect(end).toBe(day)
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect([sent[0]?.data['late_s'], sent.at(-1)?.data['late_s']]).toEqual([undefined, expect.any(Number)])
  })

  it('2.5 one that its receiver did not take in time is sent late, and says how late', async () => {
    const { sent, run, command, clock } = desk((_message, before) => (before === 0 ? 'failed' : 'delivered'))
    await command(todoAt('10:00'))
    await run()
    clock.now += 2 * 3_600_000
    await run()
    await run()
    expect(sent.map(({ data }) => data['late_s'])).toEqual([undefined, 7_200])
  })

  it('2.5 once it is delivered it is not tried again', async () => {
    const { sent, run, command, clock } = desk((_message, before) => (before === 0 ? 'failed' : 'delivered'))
    await command(todoAt('10:00'))
    for (let minute = 0; minute < 4; minute++) {
      await run()
      clock.now += 60_000
    }
    expect(sent).toHaveLength(2)
  })

  it.each(['failed', 'throws'] as const)('2.5 one that %s does not stop the others', async (answer) => {
    const { sent, run, command } = desk(({ data }) => (data.id === 2 ? answer : 'delivered'))
    await command(...Array.from({ length: 9 }, () => todoAt('10:00')))
    await run()
    expect(contents(sent).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('2.5 at most 200 in a run, the earliest first; the next run goes on', async () => {
    const { sent, run, command } = desk()
    await command(...Array.from({ length: RUN_MAX + 5 }, (_, n) => todoAt(n < 10 ? '10:00' : '09:59')))
    await run()
    expect(sent).toHaveLength(RUN_MAX)
    expect(new Set(contents(sent.slice(0, 195))).has(1)).toBe(false)
    await run()
    expect(new Set(contents(sent)).size).toBe(RUN_MAX + 5)
    expect(sent).toHaveLength(RUN_MAX + 5)
  })

  it('2.5 each occurrence of an event by itself, none that is switched off', async () => {
    const { sent, run, command, clock } = desk()
    await command('/schedule add 2026-03-18 10:05 stand up --interval 60 --remind 2026-03-18 10:00')
    await run()
    clock.now += 3_600_000
    await run()
    expect(sent.map(({ data }) => data.occurrence_start)).toEqual(['2026-03-18 10:05', '2026-03-18 11:05'])
    await command('/schedule repeat 1 off')
    clock.now += 3_600_000
    await run()
    expect(sent).toHaveLength(2)
  })

  it('2.5 a todo that is done or deleted meanwhile sends no reminder', async () => {
    const { sent, run, command } = desk()
    await command(todoAt('10:00'), todoAt('10:00'), todoAt('10:00'), '/todo done 1', '/todo delete 2')
    await run()
    expect(contents(sent)).toEqual([3])
  })

  it('2.5 a reminder changes nothing of its todo', async () => {
    const { sent, run, command } = desk()
    await command(todoAt('10:00'))
    await run()
    expect(sent).toMatchObject([{ data: { status: 'open' } }])
    await command('/todo done 1')
  })

  it('U22 nothing is asked of a tenant without WEBHOOK_URL, and nothing is sent that cannot be signed', async () => {
    const untold = desk(() => 'delivered', null)
    await untold.command(todoAt('10:00'))
    await untold.run()
    expect(untold.sent).toEqual([])
    const mute = desk()
    await mute.command(todoAt('10:00'))
    await mute.unsigned()
    expect(mute.sent).toEqual([])
    mute.clock.now += 60_000
    await mute.run()
    expect(contents(mute.sent)).toEqual([1])
  })

  it('2.5 what was delivered is forgotten when it cannot be due again', async () => {
    const { sent, run, command, clock } = desk()
    await command('/schedule add 2026-03-18 10:00 tick --duration 1 --interval 1 --remind 2026-03-18 10:00')
    for (let minute = 0; minute < 60; minute++) {
      await run()
      clock.now += 60_000
    }
    expect(sent).toHaveLength(60)
    clock.now += 26 * 3_600_000
    await run()
    // The five of the last five minutes; and of those before none is kept that could come again.
    expect(sent).toHaveLength(65)
  })
})
