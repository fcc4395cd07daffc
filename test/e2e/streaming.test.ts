/** Replies that are read as a stream, over real HTTP on both sides: their words are seen, and a call ends when nobody waits for it. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EventSource } from 'eventsource'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../scripts/lib/service.mjs'
import { closed, done, planned } from '../support/scripted.ts'
import { openaiAt } from '../support/scripted-openai.ts'
import { call, callTask, journalOf, newPlace, until, type Place } from './support.ts'

/** A call that the endpoint holds: the test sends its reply piece by piece. */
interface HeldCall {
  phase: string
  say(text: string): void
  finish(): void
  /** Whether the service has closed the request. */
  isClosed(): boolean
}
interface HoldingEndpoint {
  base_url: string
  calls: HeldCall[]
  close(): Promise<void>
}
const Metadata = z.object({ phase: z.string() })

/** An endpoint that streams. The replies of `script` come whole, and all later calls are held. */
async function startHolding(script: object[]): Promise<HoldingEndpoint> {
  const left = [...script]
  const calls: HeldCall[] = []
  const server = createServer((request, response) => {
    const { phase } = Metadata.parse(JSON.parse(String(request.headers['cf-aig-metadata'])))
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const reply = left.shift()
    const held = heldCall(phase, response)
    if (reply === undefined) {
      calls.push(held)
      return
    }
    held.say(JSON.stringify(reply))
    held.finish()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    base_url: `http://127.0.0.1:${port}/v1`,
    calls,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function heldCall(phase: string, response: ServerResponse): HeldCall {
  const send = (event: object) => response.write(`data: ${JSON.stringify({ model: 'scripted-1', ...event })}\n\n`)
  let isClosed = false
  response.on('close', () => (isClosed = true))
  send({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] })
  return {
    phase,
    say: (content) => send({ choices: [{ index: 0, delta: { content } }] }),
    finish() {
      send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
      send({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } })
      response.end('data: [DONE]\n\n')
    },
    isClosed: () => isClosed,
  }
}

let place: Place
let endpoint: HoldingEndpoint
const sources: EventSource[] = []
afterEach(async () => {
  for (const source of sources.splice(0)) source.close()
  await place.leave()
  await endpoint.close()
})

/** A task with a plan of one item, at a service whose next model call is held. */
async function newTask(drive: 'manual' | 'background' = 'manual') {
  place = newPlace()
  endpoint = await startHolding([planned('Buy milk')])
  const service = await place.start(openaiAt(endpoint.base_url))
  const task = await callTask(service, 'POST', '/tasks', { goal: 'buy milk', rounds: 0, drive })
  const heldCall = () => vi.waitFor(() => z.custom<HeldCall>(Boolean).parse(endpoint.calls.at(-1)), { timeout: 30_000 })
  return { service, id: task.id, heldCall }
}

const AUTHORIZED = { authorization: 'Bearer dev-key' }
const openStep = (service: Service, id: string, signal?: AbortSignal) =>
  fetch(`${service.url}/tasks/${id}/step`, {
    method: 'POST',
    headers: { ...AUTHORIZED, accept: 'text/event-stream', 'content-type': 'application/json' },
    body: '{}',
    ...(signal && { signal }),
  })
const lastOutcome = async (service: Service, id: string) => (await journalOf(service, id)).at(-1)?.['outcome']
/** Goes on after the first call that was held: a thought that ends the item, and a replan that ends the task. */
async function goOn(service: Service, id: string) {
  const going = callTask(service, 'POST', `/tasks/${id}/step`, { rounds: 5 })
  for (const [at, reply] of [done('bought'), closed('Bought.')].entries()) {
    const model = await vi.waitFor(() => z.custom<HeldCall>(Boolean).parse(endpoint.calls[at + 1]), PATIENCE)
    model.say(JSON.stringify(reply))
    model.finish()
  }
  return going
}
const PATIENCE = { timeout: 30_000, interval: 50 }

describe('the words of a reply', () => {
  it('U47 come with a streamed step as the model says them, and the task behind them', async () => {
    const { service, id, heldCall } = await newTask()
    const stepping = openStep(service, id)
    const model = await heldCall()
    const [first, second] = [
      JSON.stringify(done('milk is bought')).slice(0, 30),
      JSON.stringify(done('milk is bought')).slice(30),
    ]
    model.say(first)
    const reader = (await stepping).body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('thought_delta')) text += (await reader?.read())?.value ?? ''
    // The rest is said only now.
    model.say(second)
    model.finish()
    for (let more = await reader?.read(); more?.done === false; more = await reader?.read()) text += more.value
    const words = [...text.matchAll(/^event: thought_delta\ndata: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data ?? '') as { phase: string; from: number; text: string },
    )
    const saidIn = (phase: string) =>
      words
        .filter((one) => one.phase === phase)
        .map((one) => one.text)
        .join('')
    expect(JSON.parse(saidIn('thought'))).toEqual(done('milk is bought'))
    expect(words.filter(({ phase }) => phase === 'thought').map(({ from }) => from)).toEqual([0, first.length])
    expect(text).toMatch(/\nid: \d+\nevent: thought_decided\n/)
    const [, answer = ''] = text.split('event: answer\ndata: ')
    expect(JSON.parse(answer)).toMatchObject({ id, step_count: 1, slice: { advanced: true, rounds: 1 } })
  })
  it('reach everyone who follows the task, as events without an id', async () => {
    const { service, id, heldCall } = await newTask()
    const source = new EventSource(`${service.url}/tasks/${id}/events`, {
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...AUTHORIZED } }),
    })
    sources.push(source)
    const heard: { data: string }[] = []
    source.addEventListener('thought_delta', (event) => heard.push(event))
    await new Promise((resolve) => source.addEventListener('plan_created', resolve))
    const stepping = callTask(service, 'POST', `/tasks/${id}/step`, {})
    const model = await heldCall()
    model.say('{"thought": "现在')
    await vi.waitFor(() => expect(heard).toHaveLength(1), PATIENCE)
    expect(JSON.parse(heard[0]?.data ?? '')).toEqual({
      type: 'thought_delta',
      journal_seq: 3,
      phase: 'thought',
      from: 0,
      text: '{"thought": "现在',
    })
    await callTask(service, 'POST', `/tasks/${id}/cancel`)
    await stepping
  })
})

describe('a call that nobody waits for', () => {
  it.each(['manual', 'background'] as const)('U47 ends within seconds of a cancel (drive %s)', async (drive) => {
    const { service, id, heldCall } = await newTask(drive)
    const stepping = drive === 'manual' ? callTask(service, 'POST', `/tasks/${id}/step`, {}) : null
    const model = await heldCall()
    model.say('{"thought": ')
    expect(await callTask(service, 'POST', `/tasks/${id}/cancel`)).toMatchObject({ status: 'canceled' })
    await vi.waitFor(() => expect(model.isClosed()).toBe(true), { timeout: 5_000, interval: 50 })
    if (stepping !== null) expect(await stepping).toMatchObject({ status: 'canceled' })
    const rows = await journalOf(service, id)
    expect(rows.slice(-2).map(({ outcome, kind }) => outcome ?? kind)).toEqual(['abandoned', 'canceled'])
  })
  it('U47 ends when the reader of a streamed step leaves: charged as lost, no failure, and the task goes on', async () => {
    const { service, id, heldCall } = await newTask()
    const leaving = new AbortController()
    const stepping = openStep(service, id, leaving.signal)
    const model = await heldCall()
    model.say('{"thought": ')
    const response = await stepping
    leaving.abort()
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' })
    // A runtime notices that a reader has left when it next writes to it.
    const saying = setInterval(() => model.say('more '), 100)
    await vi.waitFor(() => expect(model.isClosed()).toBe(true), PATIENCE).finally(() => clearInterval(saying))
    await vi.waitFor(async () => expect(await lastOutcome(service, id)).toBe('abandoned'), PATIENCE)
    const task = await callTask(service, 'GET', `/tasks/${id}`)
    expect(task).toMatchObject({ status: 'running', step_count: 1 })
    expect(task.budget.tokens.used).toBeGreaterThan(4_096)
    expect(await goOn(service, id)).toMatchObject({ status: 'completed' })
  })
  it('U10 is finished where the caller of a whole answer hangs up', async () => {
    const { service, id, heldCall } = await newTask()
    const leaving = new AbortController()
    const stepping = fetch(`${service.url}/tasks/${id}/step`, {
      method: 'POST',
      headers: AUTHORIZED,
      signal: leaving.signal,
    })
    const model = await heldCall()
    model.say(JSON.stringify(done('bought')).slice(0, 10))
    leaving.abort()
    await expect(stepping).rejects.toMatchObject({ name: 'AbortError' })
    model.say(JSON.stringify(done('bought')).slice(10))
    model.finish()
    await until(service, id, ({ step_count }) => step_count === 1)
    expect(model.isClosed()).toBe(true)
    expect(await lastOutcome(service, id)).toBe('ok')
  })
})

it('F25 a kill -9 in the middle of a stream costs one attempt, and the next step goes on', async () => {
  const { service, id, heldCall } = await newTask()
  const stepping = call(service, 'POST', `/tasks/${id}/step`, {}).catch(() => null)
  const model = await heldCall()
  model.say('{"thought": ')
  await service.kill()
  await stepping
  const second = await place.start(openaiAt(endpoint.base_url))
  expect(await goOn(second, id)).toMatchObject({ status: 'completed', step_count: 3 })
  const outcomes = (await journalOf(second, id)).map(({ outcome }) => outcome)
  expect(outcomes).toContain('orphaned')
})
