/** Tools of a client through the built service: the example of docs/examples, tools that fail, and a kill -9 during a call (docs/tools.md). */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../scripts/lib/service.mjs'
import { offeredTools } from '../../src/core/engine/tools/offered-tools.ts'
import { startFaultServer, type FaultServer, type Reply } from '../support/fault-server.ts'
import { act, closed, done, planned } from '../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { callTask, journalOf, newPlace, type Place } from './support.ts'

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const PARAMETERS = {
  type: 'object',
  properties: { room: { type: 'string' }, day: { type: 'string', format: 'date' } },
  required: ['room', 'day'],
}
const OAK = JSON.stringify({ room: 'Oak', day: '2026-11-27' })
const says = (body: object): Reply => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

let place: Place
let server: FaultServer
let model: ScriptedOpenai | null
let example: ChildProcess | null
beforeEach(async () => {
  place = newPlace()
  server = await startFaultServer()
  model = null
  example = null
})
afterEach(async () => {
  example?.kill()
  await place.leave()
  await model?.close()
  await server.close()
})

/** A service whose model plans one item and then thinks so. */
async function start(...thought: object[]): Promise<Service> {
  model = await startScriptedOpenai({ plan: [planned('Book a room')], thought, replan: [closed('It is booked.')] })
  return place.start(environment())
}
const environment = () => ({ ...openaiAt(model?.base_url), WEBHOOK_SECRET: `dev:${SECRET}` })
const book = (input = OAK) => act(input, 'book_room')
const create = (service: Service, url: string, more: object = {}, rest: object = {}) =>
  callTask(service, 'POST', '/tasks', {
    goal: 'book a room',
    rounds: 50,
    tools: [{ name: 'book_room', parameters: PARAMETERS, url, ...more }],
    ...rest,
  })
const Messages = z.array(z.object({ content: z.string() }))
/** The observations of the latest thought. */
function observed(): unknown {
  const thought = model?.calls.findLast(({ phase }) => phase === 'thought')
  const [, user] = Messages.parse(thought?.body['messages'])
  return JSON.parse(user?.content ?? '{}').observations
}
const outcomes = async (service: Service, id: string) =>
  (await journalOf(service, id)).map(({ outcome, kind }) => outcome ?? kind)
async function called(): Promise<void> {
  for (const end = Date.now() + 20_000; server.received.length === 0;) {
    if (Date.now() > end) throw new Error('the tool was not called')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('the example server of docs/examples', () => {
  /** Where it listens. */
  async function startExample(): Promise<string> {
    const env = { ...process.env, WEBHOOK_SECRET: SECRET, PORT: '0' }
    example = spawn(process.execPath, ['docs/examples/tool-server.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    if (example.stdout === null) throw new Error('it has no output')
    const [line] = await once(example.stdout, 'data')
    return /http:\S+/.exec(String(line))?.[0] ?? ''
  }

  it('Tools: does what the model asks, and its answer goes to the model', async () => {
    const url = await startExample()
    const service = await start(book(), book(), book('{"room":"Elm","day":"soon"}'), done('booked'))
    const task = await create(service, url, {}, { settings: { failure_limit: 3 } })
    expect(task).toMatchObject({
      status: 'completed',
      step_count: 8,
      tools: [...offeredTools({ mode: 'plan_execute', tools: [] }).map(({ name }) => name), 'book_room'],
      counters: { model_calls: 6, actions: 3, successful_actions: 1, failed_actions: 2 },
    })
    expect(observed()).toMatchObject([
      {
        tool: 'book_room',
        input: OAK,
        ok: true,
        result: JSON.stringify({ status: 'success', number: 1, room: 'Oak', day: '2026-11-27' }),
      },
      { ok: false, result: JSON.stringify({ status: 'error', message: 'Oak is taken on 2026-11-27' }) },
      { ok: false, result: expect.stringContaining('not called: the arguments do not fit the parameters') },
    ])
    expect(JSON.stringify([task, await journalOf(service, task.id)])).not.toContain(url)
    expect(model?.leftovers()).toEqual({})
  })

  it('Tools: acts once under one key, and refuses callers that cannot sign or repeat an old call', async () => {
    const url = await startExample()
    const text = JSON.stringify({
      task_id: 'task_1',
      call_id: 'task_1:4',
      tool: 'book_room',
      arguments: JSON.parse(OAK),
    })
    const post = async (at: Date, signature: string | null = null, body = text) => {
      const headers = {
        'idempotency-key': 'task_1:4',
        'webhook-id': 'task_1:4',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': signature ?? new Webhook(SECRET).sign('task_1:4', at, text),
      }
      const response = await fetch(url, { method: 'POST', headers, body })
      return [response.status, await response.json()]
    }
    const booked = [200, { status: 'success', number: 1, room: 'Oak', day: '2026-11-27' }]
    const refused = [401, { detail: 'the signature is not right' }]
    expect(await post(new Date(), 'v1,')).toEqual(refused)
    expect(await post(new Date(), 'v1,AAAA')).toEqual(refused)
    expect(await post(new Date(), null, text.replace('Oak', 'Elm'))).toEqual(refused)
    expect(await post(new Date(Date.now() - 600_000))).toEqual(refused)
    expect(await post(new Date())).toEqual(booked)
    expect(await post(new Date())).toEqual(booked)
    const older = `v1,${Buffer.alloc(32).toString('base64')} ${new Webhook(SECRET).sign('task_1:4', new Date(), text)}`
    expect(await post(new Date(), older)).toEqual(booked)
  })
})

describe('a tool that fails', () => {
  it('Tools: gives a failed action each time, and never a 5xx, for every kind of failure; the ledger stays exact', async () => {
    const html: Reply = { body: '<html>canary' }
    const replies: Reply[] = [
      { status: 500, body: 'canary' },
      html,
      { fault: 'reset' },
      { status: 302, headers: { location: '/x' } },
    ]
    server.script(...replies, says({ status: 'success' }))
    const service = await start(...Array.from({ length: 5 }, () => book()), done())
    const task = await create(service, `${server.origin}/book`, {}, { settings: { failure_limit: 9 } })
    expect(task).toMatchObject({
      status: 'completed',
      step_count: 12,
      counters: { actions: 5, successful_actions: 1, failed_actions: 4 },
    })
    expect(observed()).toMatchObject([
      { ok: false, result: 'the tool answered HTTP 500' },
      { ok: false, result: 'the answer of the tool is no JSON' },
      { ok: false, result: 'the tool could not be reached' },
      { ok: false, result: 'the tool answered with a redirect (HTTP 302), which is not followed' },
      { ok: true, result: '{"status":"success"}' },
    ])
    expect(server.received.map(({ path }) => path)).toEqual(Array.from({ length: 5 }, () => '/book'))
    for (const { headers, body } of server.received) {
      const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
      expect(new Webhook(SECRET).verify(body, texts)).toMatchObject({
        task_id: task.id,
        call_id: texts['idempotency-key'],
      })
    }
    const rows = await journalOf(service, task.id)
    expect(rows.filter(({ counted }) => counted)).toHaveLength(12)
    const keys = rows.filter(({ kind }) => kind === 'run_tool').map(({ seq }) => `${task.id}:${String(seq)}`)
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(keys)
  })

  it('Tools: gives a failed action at its deadline when it never answers, and the request is answered', async () => {
    server.script({ ...says({ status: 'success' }), fault: 'after_headers' })
    const service = await start(book(), done())
    const task = await create(service, server.origin, {}, { settings: { max_seconds: 5 } })
    expect(task).toMatchObject({
      status: 'paused',
      stop_reason: 'budget_exhausted:seconds',
      counters: { failed_actions: 1 },
    })
    expect(await outcomes(service, task.id)).toEqual(['task_created', 'ok', 'ok', 'tool_error', 'budget_spent'])
    const more = await callTask(service, 'POST', `/tasks/${task.id}/budget`, { add: { seconds: 600 } })
    const ended = await callTask(service, 'POST', `/tasks/${more.id}/step`, { rounds: 50 })
    expect(ended).toMatchObject({ status: 'completed', step_count: 4 })
    expect(observed()).toMatchObject([
      { ok: false, result: expect.stringContaining('may or may not have had its effect') },
    ])
    expect(server.received).toHaveLength(1)
  })
})

describe('F4 D4 a kill -9 during a tool call', () => {
  /** The service dies in the middle of the call; what its task is when the next one has gone on with it. */
  async function killed(idempotent: boolean) {
    server.script({ fault: 'before_headers' }, says({ status: 'success' }))
    const first = await start(book(), done())
    const { id } = await create(first, server.origin, { idempotent }, { rounds: 0 })
    const cut = callTask(first, 'POST', `/tasks/${id}/step`, {}).catch(() => 'cut')
    await called()
    await first.kill()
    expect(await cut).toBe('cut')
    const second = await place.start(environment())
    const task = await callTask(second, 'POST', `/tasks/${id}/step`, { rounds: 50 })
    expect(task).toMatchObject({ status: 'completed', step_count: 4, counters: { actions: 1 } })
    return { task, outcomes: await outcomes(second, id) }
  }

  it('D4 leads to a second call of an idempotent tool, under the same key with the same body, and is counted once', async () => {
    const { task, outcomes } = await killed(true)
    expect([task.counters.successful_actions, outcomes]).toEqual([1, ['task_created', 'ok', 'ok', 'ok', 'ok', 'ok']])
    const [first, again] = server.received
    expect(server.received).toHaveLength(2)
    expect([again?.body, again?.headers['idempotency-key']]).toEqual([first?.body, `${task.id}:4`])
    expect(first?.headers['idempotency-key']).toBe(`${task.id}:4`)
  })

  it('D4 leads to an unknown outcome for any other tool, which is never called twice, and is counted once', async () => {
    const { task, outcomes } = await killed(false)
    expect([task.counters.failed_actions, outcomes[3]]).toEqual([1, 'outcome_unknown'])
    expect(server.received).toHaveLength(1)
    expect(observed()).toMatchObject([
      { tool: 'book_room', ok: false, result: expect.stringContaining('outcome unknown') },
    ])
  })
})
