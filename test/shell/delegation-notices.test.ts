/** The job that tells a tenant of commands for workers: over the workspace in memory, with a receiver that answers from a script. */
import { describe, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import * as z from 'zod'
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import type { DelegationEntry } from '../../src/core/workspace/delegation-index.ts'
import type { Ports } from '../../src/shell/ports.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import { RUN_MAX } from '../../src/shell/callbacks/send-reminders.ts'
import { benchOf, NO_TOTAL } from '../support/scripted.ts'

const NOW = Date.parse('2026-03-18T10:00:00Z')
const MINUTE = 60_000
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const URL = 'https://r.example.com/in'
const JOB = { kind: 'remind', tenant: 'alice' } as const

const Sent = z.object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) })
interface Message extends z.infer<typeof Sent> {
  id: string
  /** When it was sent, ms from the start. */
  at: number
}
type Answer = number | 'throws'

/** A tenant with two open tasks that is told at one URL; `answers` says what becomes of a message, by how often its id came before. */
async function desk(answers: (message: Message, before: number) => Answer = () => 204, url: string | null = URL) {
  const { ports, store, clock } = benchOf({})
  clock.now = NOW
  const sent: Message[] = []
  const receive: typeof globalThis.fetch = async (_to, init) => {
    const headers = new Headers(init?.headers)
    const [id, body] = [headers.get('webhook-id') ?? '', String(init?.body)]
    // What the library verifies, at the time of the test.
    expect(headers.get('webhook-signature')).toBe(new Webhook(SECRET).sign(id, new Date(clock.now), body))
    const message = { id, at: clock.now - NOW, ...Sent.parse(JSON.parse(body)) }
    const answer = answers(message, sent.filter(({ id }) => id === message.id).length)
    sent.push(message)
    if (answer === 'throws') throw new Error('broken receiver')
    return new Response(null, { status: answer })
  }
  const all: Ports = {
    ...ports,
    webhooks: { ...ports.webhooks, fetch: receive, secrets: new Map([['alice', [SECRET]]]) },
    webhook_urls: new Map(url === null ? [] : [['alice', url]]),
  }
  const workspace = store.workspace('alice')
  for (const id of ['task_1', 'task_2']) {
    const entry = { id, mode: 'orchestrator', status: 'running' as const, metadata: {}, goal: '', slice: 's' }
    await workspace.tell({ kind: 'admit', entry, open_max: 9, daily: NO_TOTAL })
  }
  const run = () => runJob(all, JOB)
  return {
    ports: all,
    store,
    sent,
    clock,
    workspace,
    run,
    enter: (seq: number, more: Partial<DelegationEntry> = {}) =>
      workspace.tell({ kind: 'enter_delegation', entry: entryOf(seq, clock.now, more) }),
    /** Asks for the job every 15 s, as the alarm does while something is due. */
    async passes(ms: number) {
      for (const end = clock.now + ms; clock.now < end; clock.now += 15_000) await run()
    },
  }
}
const idOf = (seq: number) => delegationId('task_1', seq)
const entryOf = (seq: number, at: number, more: Partial<DelegationEntry>): DelegationEntry => ({
  id: idOf(seq),
  task: 'task_1',
  type: 'new',
  at,
  deadline: at + 10 * MINUTE,
  ...more,
})
const seconds = (sent: Message[]) => sent.map(({ at }) => at / 1_000)

describe('U22: a tenant is told of commands for workers', () => {
  it('U22 once per new or continued command, with its identity and without its text, even if the job runs several times', async () => {
    const { sent, enter, run, clock } = await desk()
    await enter(4)
    await enter(6, { type: 'continue', deadline: NOW + MINUTE })
    await enter(8, { type: 'end' })
    await Promise.all([run(), run()])
    clock.now += 10 * MINUTE
    await run()
    const of = { type: 'delegation.pending', timestamp: '2026-03-18T10:00:00.000Z', at: 0 }
    const created_at = '2026-03-18T10:00:00.000Z'
    expect(sent).toEqual([
      {
        ...of,
        id: 'delegation_1_4_pending',
        data: {
          id: 'delegation_1_4',
          task_id: 'task_1',
          command_type: 'new',
          deadline: '2026-03-18T10:10:00.000Z',
          created_at,
          pool: null,
        },
      },
      {
        ...of,
        id: 'delegation_1_6_pending',
        data: {
          id: 'delegation_1_6',
          task_id: 'task_1',
          command_type: 'continue',
          deadline: '2026-03-18T10:01:00.000Z',
          created_at,
          pool: null,
        },
      },
    ])
  })

  it.each([500, 302, 410, 'throws'] as const)(
    'U22 answered by %s it is told again under the same id, later each time, up to its deadline',
    async (answer) => {
      const { sent, enter, passes } = await desk(() => answer)
      await enter(4)
      await passes(60 * MINUTE)
      expect(seconds(sent)).toEqual([0, 30, 90, 210, 450])
      expect(new Set(sent.map(({ id }) => id))).toEqual(new Set(['delegation_1_4_pending']))
    },
  )

  it('U22 it is told again an hour later at the latest', async () => {
    const { sent, enter, passes } = await desk(() => 500)
    await enter(4, { deadline: NOW + 6 * 60 * MINUTE })
    await passes(6 * 60 * MINUTE)
    const pauses = seconds(sent).map((at, n, all) => (n === 0 ? 0 : at - (all[n - 1] ?? 0)))
    expect(pauses).toEqual([0, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600, 3_600])
  })

  it('U22 once it was taken it is not told again, nor when a lease ends and it is pending again', async () => {
    const { sent, enter, passes, workspace } = await desk((_message, before) => (before === 0 ? 500 : 200))
    await enter(4)
    await passes(MINUTE)
    await workspace.tell({ kind: 'claim_delegation', id: idOf(4), worker: 'w1', lease_ms: MINUTE })
    await passes(3 * MINUTE)
    expect(await workspace.ask({ kind: 'delegations', status: 'pending', before: 0, limit: 9 })).toMatchObject({
      entries: [{ id: idOf(4) }],
    })
    await passes(10 * MINUTE)
    expect(seconds(sent)).toEqual([0, 30])
  })

  it('U22 a worker who has it by then ends nothing: it is told until somebody takes the message', async () => {
    const { sent, enter, passes, workspace } = await desk((_message, before) => (before === 0 ? 500 : 204))
    await enter(4)
    await workspace.tell({ kind: 'claim_delegation', id: idOf(4), worker: 'w1', lease_ms: 5 * MINUTE })
    await passes(5 * MINUTE)
    expect(seconds(sent)).toEqual([0, 30])
  })

  it.each(['reported', 'expired', 'canceled'] as const)(
    'U22 a command that is %s is not sent again',
    async (status) => {
      const { sent, enter, passes, workspace } = await desk(() => 500)
      await enter(4)
      await enter(6)
      await workspace.tell({ kind: 'settle_delegation', id: idOf(6), status })
      await passes(MINUTE)
      await workspace.tell({ kind: 'settle_delegation', id: idOf(4), status })
      await passes(10 * MINUTE)
      expect(sent.map(({ id, at }) => [id, at / 1_000])).toEqual([
        ['delegation_1_4_pending', 0],
        ['delegation_1_4_pending', 30],
      ])
    },
  )

  it('U22 nor is one whose task has ended or was deleted', async () => {
    const { sent, enter, passes, workspace } = await desk()
    await enter(4)
    await enter(1, { id: delegationId('task_2', 1), task: 'task_2' })
    await workspace.tell({ kind: 'set_status', id: 'task_1', status: 'canceled', version: 9, spend: null })
    await workspace.tell({ kind: 'drop', id: 'task_2', admitted: ['life_s'] })
    await enter(6)
    await passes(MINUTE)
    expect(sent).toEqual([])
  })

  it('U22 what could not be told before its deadline is not told after it', async () => {
    const { sent, enter, run, clock } = await desk()
    await enter(4)
    await enter(6, { deadline: NOW + 11 * MINUTE })
    clock.now += 10 * MINUTE
    await run()
    expect(sent.map(({ data }) => data.id)).toEqual([idOf(6)])
  })

  it('U22 a try whose worker was lost is made again after 30 s, under the same id', async () => {
    const { sent, enter, run, workspace, clock } = await desk()
    await enter(4)
    const call = { settled: [], max: 9, timezone: 'UTC' }
    expect(await workspace.tell({ kind: 'remind', ...call })).toHaveLength(1)
    clock.now += 29_999
    await run()
    expect(sent).toEqual([])
    clock.now += 1
    await run()
    expect(sent.map(({ id }) => id)).toEqual(['delegation_1_4_pending'])
  })

  it('U22 a slower try that failed does not undo that it was told', async () => {
    const { enter, workspace, clock } = await desk()
    await enter(4)
    const call = { settled: [], max: 9, timezone: 'UTC' }
    const [{ id, at } = { id: '', at: 0 }] = await workspace.tell({ kind: 'remind', ...call })
    for (const delivered of [true, false])
      await workspace.tell({ kind: 'remind', ...call, settled: [{ id, at, delivered }], max: 0 })
    clock.now += 5 * MINUTE
    expect(await workspace.tell({ kind: 'remind', ...call })).toEqual([])
  })

  it('U22 a notice that is refused stops neither the others nor the reminders, which go first', async () => {
    const { sent, enter, run, workspace, clock } = await desk(({ data }) => (data.id === idOf(4) ? 500 : 204))
    for (const seq of [4, 5, 6, 7, 8, 9, 10]) await enter(seq)
    const zones = { reader: 'person' as const, locale: 'en' as const, timezone: 'UTC', caller_timezone: 'UTC' }
    const call = { key: null, request: null, ...zones, schedule_window_days: 31, conflict_preview_days: 31 }
    const command = '/todo add milk --due 2026-03-18 12:00 --remind 2026-03-18 10:00'
    await workspace.tell({ kind: 'run_command', ...call, command, wall_ms: clock.now })
    await run()
    clock.now += 30_000
    await run()
    expect(sent.map(({ data }) => data.id)).toEqual([1, ...[4, 5, 6, 7, 8, 9, 10].map(idOf), idOf(4)])
  })

  it('U22 at most 200 messages in a run, the oldest first; the next run goes on', async () => {
    const { sent, enter, run } = await desk()
    for (let seq = 1; seq <= RUN_MAX + 5; seq++) await enter(seq)
    await run()
    expect(sent.map(({ data }) => data.id)).toEqual(Array.from({ length: RUN_MAX }, (_, n) => idOf(n + 1)))
    await run()
    expect(new Set(sent.map(({ id }) => id)).size).toBe(RUN_MAX + 5)
    expect(sent).toHaveLength(RUN_MAX + 5)
  })

  it('U22 a tenant without WEBHOOK_URL is told nothing', async () => {
    const { sent, enter, run } = await desk(() => 204, null)
    await enter(4)
    await run()
    expect(sent).toEqual([])
  })
})

it('POOL-08 the notices of a pool come from its object, and name the pool', async () => {
  const { sent, ports, store, clock } = await desk()
  const pool = store.pool('alice', 'gpu')
  const standing = { status: 'running', since: 0 } as const
  await pool.tell({ kind: 'enter_delegation', entry: entryOf(4, clock.now, {}), standing })
  await runJob(ports, JOB)
  expect(sent).toEqual([])
  await runJob(ports, { ...JOB, pool: 'gpu' })
  expect(sent).toMatchObject([{ id: `${idOf(4)}_pending`, data: { id: idOf(4), pool: 'gpu' } }])
  clock.now += MINUTE
  await runJob(ports, { ...JOB, pool: 'gpu' })
  expect(sent).toHaveLength(1)
})
