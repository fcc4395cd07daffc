/** The TypeScript client and the command `loop`, built, on the built service. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  isTaskMessage,
  LoopAgent,
  verifyWebhook,
  type Fetch,
  type LoopAgentOptions,
} from '../../clients/typescript/src/index.ts'
import type { Service } from '../../scripts/lib/service.mjs'
import { installClient } from '../support/client-package.ts'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'
import { newPlace, type Place } from './support.ts'

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
/** Asks how long it takes. Each at a time of its own, because an overlap would be another question. */
const asksAt = (time: string) => `Buy milk tomorrow and book the dentist on Monday at ${time}`
const DONE = 'buy milk and buy bread'

let place: Place
let service: Service
let receiver: FaultServer
let folder = ''
let command = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loop-agent-client-'))
  ;({ command } = installClient(folder))
  place = newPlace()
  receiver = await startFaultServer()
  service = await place.start({ WEBHOOK_SECRET: `dev:${SECRET}` })
})
afterAll(async () => {
  await place.leave()
  await receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

const clientOf = (options: Partial<LoopAgentOptions> = {}) =>
  new LoopAgent({ url: service.url, key: 'dev-key', ...options })

async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const entry of entries) found.push(entry)
  return found
}

describe('U59 the client', () => {
  it('U59 the five lines of its README work', async () => {
    const readme = readFileSync('clients/typescript/README.md', 'utf8')
    const marked = /<!-- five-lines:start -->([\s\S]*?)<!-- five-lines:end -->/.exec(readme)?.[1] ?? ''
    const lines = marked.replaceAll(/^```.*$/gm, '').trim()
    expect(lines.split('\n')).toHaveLength(5)
    const program = join(folder, 'five.mjs')
    writeFileSync(program, lines.replace('127.0.0.1:8787', new URL(service.url).host))
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 25_000 })
    expect(stdout).toMatch(/^running /)
    expect(stdout).toMatch(/\ncompleted .+/)
  })

  it('U59 runs a goal in the background to its end, with one question', async () => {
    const client = clientOf()
    const waits = await client.wait((await client.create({ goal: asksAt('8am'), drive: 'background' })).id)
    expect(waits).toMatchObject({ status: 'input_required', pending: { kind: 'question' } })
    await client.answer(waits, '45 minutes')
    const ended = await client.wait(waits.id, { timeoutSeconds: 25 })
    expect(ended).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
  })

  it('U59 makes a task once although the first answer was lost', async () => {
    let isFirst = true
    const losing: Fetch = async (input, init) => {
      const response = await globalThis.fetch(input, init)
      if (!isFirst) return response
      isFirst = false
      await response.text()
      throw new TypeError('the connection was lost')
    }
    const clock = {
      now: () => 0,
      random: () => 0,
      sleep: (ms: number) => (ms > 60_000 ? new Promise<void>(() => undefined) : Promise.resolve()),
    }
    const metadata = { test: 'lost-answer' }
    const task = await clientOf({ fetch: losing, clock }).create({ goal: DONE, metadata })
    expect((await all(clientOf().list({ metadata }))).map(({ id }) => id)).toEqual([task.id])
  })

  it('U59 gives every event once over connections that are cut every 500 bytes', async () => {
    const opened: string[] = []
    const cutting: Fetch = async (input, init) => {
      const response = await globalThis.fetch(input, init)
      if (!input.includes('/events') || response.body === null) return response
      opened.push(new URL(input).search)
      let left = 500
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          controller.enqueue(chunk.slice(0, left))
          left -= chunk.length
          if (left <= 0) controller.error(new TypeError('terminated'))
        },
      })
      return new Response(response.body.pipeThrough(cut), { headers: response.headers })
    }
    const task = await clientOf().create({ goal: DONE, rounds: 50 })
    expect(task.status).toBe('completed')
    const clock = {
      now: () => 0,
      random: () => 0,
      sleep: (ms: number) => (ms > 30_000 ? new Promise<void>(() => undefined) : Promise.resolve()),
    }
    const events = await all(clientOf({ fetch: cutting, clock }).events(task.id))
    const stored = await all(clientOf().pastEvents(task.id, { limit: 100 }))
    expect(events).toEqual(stored)
    expect(opened.length).toBeGreaterThan(2)
    expect(new Set(opened).size).toBeGreaterThan(2)
  })

  it('U59 gives every event once, and waits, through a kill -9 and a restart of the service', async () => {
    const own = newPlace()
    try {
      const first = await own.start()
      const client = new LoopAgent({ url: first.url, key: 'dev-key', retries: 10 })
      const waits = await client.wait((await client.create({ goal: asksAt('6pm'), drive: 'background' })).id)
      const seen: number[] = []
      let wake: () => void = () => undefined
      const asked = new Promise<void>((resolve) => (wake = resolve))
      const following = (async () => {
        for await (const { seq, type } of client.events(waits.id)) {
          seen.push(seq)
          if (type === 'clarification_requested') wake()
        }
      })()
      await asked
      const ended = client.wait(waits.id, { until: ({ status }) => status === 'completed' })
      await first.kill()
      await own.start({ PORT: new URL(first.url).port })
      await client.answer(waits, '45 minutes')
      expect(await ended).toMatchObject({ status: 'completed' })
      await following
      expect(seen).toEqual((await all(client.pastEvents(waits.id))).map(({ seq }) => seq))
    } finally {
      await own.leave()
    }
  })

  it('U59 makes a task with its files, and puts, fetches, lists and deletes files', async () => {
    const client = clientOf()
    const files = [{ name: 'sales.csv', data: 'month,amount\n2026-01,5\n2026-02,7\n2026-03,9\n' }]
    const body = { goal: 'Analyse the sales trend', mode: 'autonomous', settings: { dataset: 'sales.csv' } } as const
    const task = await client.create({ ...body, hold: true }, { files })
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'held' })
    expect(await (await client.files.get(task.id, 'sales.csv')).text()).toBe(files[0]?.data)
    const note = new TextEncoder().encode('Look at March. 看三月')
    expect(await client.files.put(task.id, 'note.md', note)).toMatchObject({ name: 'note.md', size: note.length })
    expect((await all(client.files.list(task.id))).map(({ name }) => name).toSorted()).toEqual(['note.md', 'sales.csv'])
    await client.files.delete(task.id, 'note.md')
    expect(await all(client.files.list(task.id))).toHaveLength(1)
  })

  it('U59 forks, changes, pauses, makes again and deletes tasks', async () => {
    const client = clientOf()
    const task = await client.create({ goal: DONE, rounds: 50 })
    const rows = await all(client.journal(task.id))
    const fork = await client.fork(task.id, { at: rows.find(({ finished_at }) => finished_at !== null)?.seq ?? 1 })
    expect(fork.forked_from?.id).toBe(task.id)
    const changed = await client.change(fork, { title: 'The other way' })
    expect(changed.title).toBe('The other way')
    expect((await client.pause(fork.id)).status).toBe('paused')
    expect((await client.resume(fork.id)).status).not.toBe('paused')
    const again = await client.retry(task.id)
    expect(again).toMatchObject({ goal: DONE })
    await client.delete(fork.id)
    await expect(client.get(fork.id)).rejects.toMatchObject({ status: 404, code: 'task_not_found' })
    await expect(client.changePlan(task, { items: [{ title: 'A' }] })).rejects.toMatchObject({ status: 409 })
  })

  it('U59 verifies callbacks and test deliveries of the service', async () => {
    receiver.script({ status: 204 }, { status: 204 })
    const client = clientOf()
    expect(await client.webhooks.test(`${receiver.origin}/test`)).toMatchObject({ ok: true })
    const task = await client.create({ goal: DONE, rounds: 50, callback_url: `${receiver.origin}/hook` })
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2)
    const [test, told] = await Promise.all(
      receiver.received.map(({ headers, body }) => verifyWebhook({ headers, body, secret: SECRET })),
    )
    expect(test).toMatchObject({ type: 'webhook.test' })
    expect(told).toMatchObject({ type: 'task.completed', data: { id: task.id } })
    expect(told !== undefined && isTaskMessage(told) && told.data.result?.outcome).toBe('done')
  })

  it('U59 a wrong key, a wrong field and a redirect are errors of one class', async () => {
    await expect(clientOf({ key: 'wrong' }).get('task_aaaaaaaaaaaaaaaaaaaa')).rejects.toMatchObject({ status: 401 })
    await expect(clientOf({ language: 'zh' }).create({ goal: '' })).rejects.toMatchObject({ code: 'validation_failed' })
    receiver.reset()
    receiver.script({ status: 307, headers: { location: `${receiver.origin}/other` } })
    const moved = clientOf({ url: receiver.origin })
    await expect(moved.create(DONE)).rejects.toMatchObject({ status: 307, code: 'redirect_refused' })
    expect(receiver.received.map(({ path }) => path)).toEqual(['/tasks'])
  })
})

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs the built command as a process of its own, without a terminal. */
function loop(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const variables = { ...process.env, LOOP_AGENT_URL: service.url, LOOP_AGENT_KEY: 'dev-key', ...env }
  return new Promise((resolve) => {
    const options = { env: variables, timeout: 25_000 }
    execFile(process.execPath, [command, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr })
    })
  })
}

describe('U60 the command loop', () => {
  it.each([
    ['background', '10am'],
    ['manual', '2pm'],
  ])('U60 runs a goal with drive %s, waits for the answer, and goes on with it', async (drive, time) => {
    const asked = await loop(['run', asksAt(time), '--drive', drive])
    expect(asked).toMatchObject({ code: 3, stderr: '' })
    expect(asked.stdout).toMatch(/^task_\S+ {2}plan_execute {2}/)
    expect(asked.stdout).toContain('Plan\n  1. ')
    expect(asked.stdout).toContain('Thought (')
    const [, id = ''] = /It goes on with: loop answer (task_\S+) "…"/.exec(asked.stdout) ?? []
    const answered = await loop(['answer', id, '45 minutes'])
    expect(answered).toMatchObject({ code: 0, stderr: '' })
    expect(answered.stdout).toContain('completed: done')
    expect(answered.stdout).not.toContain('Plan\n')
    const tail = await loop(['tail', id])
    expect(tail).toMatchObject({ code: 0, stderr: '' })
    expect(tail.stdout.trim().split('\n').at(-1)).toMatch(/^\d+ {2}\S+ {2}task_completed$/)
  })

  it('U60 prints the task as JSON, and lists, shows, cancels and makes tasks again', async () => {
    const run = await loop(['--json', 'run', DONE])
    const { id, status }: { id: string; status: string } = JSON.parse(run.stdout)
    expect([run.code, status]).toEqual([0, 'completed'])
    expect(run.stderr).toContain('Plan\n')
    expect((await loop(['list', '--limit', '100'])).stdout).toContain(`${id}  completed  done`)
    expect(await loop(['show', id])).toMatchObject({ code: 0, stdout: expect.stringContaining('completed: done') })
    expect(await loop(['watch', id])).toMatchObject({ code: 0 })
    const again = await loop(['retry', id, '--drive', 'manual'])
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).not.toContain(id)
    const { id: open } = await clientOf().create({ goal: asksAt('4pm'), rounds: 50 })
    expect(await loop(['cancel', open])).toMatchObject({ code: 0, stdout: expect.stringContaining('canceled') })
    expect(await loop(['watch', open])).toMatchObject({ code: 1 })
  })

  it('U60 takes files along', async () => {
    const path = join(folder, 'sales.csv')
    writeFileSync(path, 'month,amount\n2026-01,5\n2026-02,7\n2026-03,9\n')
    const argv = ['run', 'Analyse the sales trend', '--mode', 'autonomous', '--file', path, '--max-steps', '20']
    const { code, stdout, stderr } = await loop(argv)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('completed: done')
  })

  it('U60 ends with 1 after a refusal, and with 2 after a mistake in the command line', async () => {
    const refused = await loop(['list'], { LOOP_AGENT_KEY: 'wrong' })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('401 unauthorized')
    expect(await loop(['rnu', 'x'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "run"?') })
    expect(await loop(['run', 'x', '--file', join(folder, 'missing.csv')])).toMatchObject({ code: 2 })
  })
})
