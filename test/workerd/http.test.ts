/** The whole service in workerd, on its embedded default: goal → question → command while waiting → answer → done. */
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { TaskView } from '../../src/core/terms/view.ts'
import { expectContract } from '../support/contract.ts'

const KEY = { authorization: 'Bearer dev-key' }
const GOAL = 'Plan my Friday: buy milk, book the dentist at 3pm, and look up who designed the Sydney Opera House'

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await exports.default.fetch(`http://service${path}`, {
    method,
    ...json,
    headers: { ...KEY, ...type, ...headers },
  })
  await expectContract(method, path, response)
  return response
}
async function task(method: string, path: string, body?: unknown): Promise<TaskView> {
  return TaskView.parse(await (await call(method, path, body)).json())
}
async function stepUntil(id: string, status: string): Promise<TaskView> {
  let now = await task('GET', `/tasks/${id}`)
  for (let n = 0; n < 30 && now.status === 'running'; n++) now = await task('POST', `/tasks/${id}/step`)
  expect(now.status).toBe(status)
  return now
}

describe('the service with the built-in model', () => {
  it('completes a goal: plan, thoughts, actions, a question with its answer, budget, result', async () => {
    const created = await call('POST', '/tasks', { goal: GOAL, rounds: 0 })
    expect(created.status).toBe(201)
    const first = TaskView.parse(await created.json())
    expect(created.headers.get('location')).toBe(`/tasks/${first.id}`)
    expect(created.headers.get('etag')).toBe(`"${first.version}"`)
    expect(first).toMatchObject({ status: 'running', step_count: 0, last_thought: null })
    expect(first.plan.items).toHaveLength(3)

    const asking = await stepUntil(first.id, 'input_required')
    expect(asking.pending).toMatchObject({ kind: 'question' })

    const command = await call('POST', `/tasks/${first.id}/input`, { input: '/todo list' })
    const beside = (await command.json()) as { command: { kind: string; rows: unknown[] }; version: number }
    expect(beside.command).toMatchObject({ kind: 'todo_list', ok: true })
    expect(beside.version).toBe(asking.version)

    const answered = await task('POST', `/tasks/${first.id}/input`, { input: '45 minutes' })
    expect(answered.slice?.advanced).toBe(true)
    const done = await stepUntil(first.id, 'completed')
    expect(done.result?.text).toContain('dentist')
    expect(done.stop_reason).toBe('done')
    expect(done.step_count).toBe(done.budget.used)
    expect(done.counters.successful_actions).toBe(2) // the search has no network here, and says so

    const again = await task('POST', `/tasks/${first.id}/step`)
    expect(again.slice).toEqual({ advanced: false, rounds: 0, events: [] })

    const schedule = await call('POST', '/commands', { command: '/schedule list' })
    expect(((await schedule.json()) as { rows: { title: string; duration: number }[] }).rows).toMatchObject([
      { title: 'dentist', duration: 45 },
    ])
  })

  it('names the built-in model in the journal, and counts there as step_count does', async () => {
    const made = await task('POST', '/tasks', { goal: '明天下午三点开会', rounds: 50 })
    const page = (await (await call('GET', `/tasks/${made.id}/journal?limit=100`)).json()) as {
      data: { counted: boolean; model: string | null; kind: string; request_exact: boolean | null }[]
    }
    expect(page.data.filter((row) => row.counted)).toHaveLength(made.step_count)
    const calls = page.data.filter((row) => row.kind === 'call_model')
    expect(new Set(calls.map((row) => row.model))).toEqual(new Set(['offline-rules']))
    expect(calls.every((row) => row.request_exact)).toBe(true)
    const events = (await (await call('GET', `/tasks/${made.id}/events?limit=100`)).json()) as {
      data: { seq: number }[]
    }
    expect(events.data.map((event) => event.seq)).toEqual(events.data.map((_, index) => index + 1))
  })

  it('answers a cancel with 200, a delete with 204, and later requests with 404', async () => {
    const made = await task('POST', '/tasks', { goal: 'buy milk', rounds: 0 })
    expect((await task('POST', `/tasks/${made.id}/cancel`)).status).toBe('canceled')
    expect((await task('POST', `/tasks/${made.id}/cancel`)).slice?.advanced).toBe(false)
    expect((await call('POST', `/tasks/${made.id}/input`, { input: 'more' })).status).toBe(409)
    expect((await call('DELETE', `/tasks/${made.id}`)).status).toBe(204)
    expect((await call('GET', `/tasks/${made.id}`)).status).toBe(404)
    expect((await call('DELETE', `/tasks/${made.id}`)).status).toBe(404)
  })

  it('gives answers of at most 4 KB without the slice at any step of the demo task', async () => {
    const made = await task('POST', '/tasks', { goal: GOAL, rounds: 3 })
    const { slice: _slice, ...rest } = made
    expect(JSON.stringify(rest).length).toBeLessThan(4_096)
  })

  it('serves the contract, its page, the liveness answer and the console without a key', async () => {
    for (const [path, type] of [
      ['/health', 'application/json'],
      ['/openapi.json', 'application/json'],
      ['/openapi.yaml', 'application/yaml'],
      ['/docs', 'text/html'],
      ['/', 'text/html'],
    ]) {
      const response = await exports.default.fetch(`http://service${path}`)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        expect.stringContaining(type ?? ''),
      ])
    }
  })
})

it('U22 serves the calendar of the tenant, with a todo and a repeating event, also by a link without a key', async () => {
  await call('POST', '/commands', { command: '/todo add pay rent --due 2090-03-01 12:00 --remind 2090-03-01 09:00' })
  await call('POST', '/commands', { command: '/schedule add 2090-03-02 10:00 stand up --interval 1440 --times 5' })
  const response = await call('GET', '/calendar.ics')
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const text = await response.text()
  expect(text).toContain('SUMMARY:pay rent\r\nDUE:20900301T120000Z\r\n')
  expect(text).toContain('DTSTART:20900302T100000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;INTERVAL=1;COUNT=5\r\n')
  const link = /^<http:\/\/service([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1] ?? ''
  const linked = await call('GET', link, undefined, { authorization: '' })
  expect([linked.status, await linked.text()]).toEqual([200, text])
})

describe('the links of a task', () => {
  const LINK = { authorization: '' }
  const ASKS = 'book the dentist on Friday at 3pm'

  /** What opens its events, its files and its question now, as paths. */
  async function linksOf(id: string) {
    const seen = await call('GET', `/tasks/${id}`)
    const { pending } = TaskView.parse(await seen.json())
    const events = /<([^>]+)>/.exec(seen.headers.get('link') ?? '')?.[1] ?? ''
    const files = (await (await call('GET', `/tasks/${id}/files`)).json()) as { data: { url: string }[] }
    const answer = pending?.kind === 'question' ? (pending.answer_url ?? '') : ''
    return { events: `${events}&limit=1`, files: pathOf(files.data[0]?.url ?? ''), answer: pathOf(answer) }
  }
  const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')
  const statusesOf = async (links: Record<string, string>) =>
    Promise.all(Object.values(links).map(async (path) => (await call('GET', path, undefined, LINK)).status))

  it('U41 all end by DELETE …/links, and new ones give access again', async () => {
    const { id } = await task('POST', '/tasks', { goal: ASKS, rounds: 20 })
    const put = { method: 'PUT', headers: KEY, body: 'a,b\n1,2\n' }
    expect((await exports.default.fetch(`http://service/tasks/${id}/files/sales.csv`, put)).status).toBe(201)
    const before = await linksOf(id)
    expect(await statusesOf(before)).toEqual([200, 200, 200])
    const { headers } = await call('GET', `/tasks/${id}`)
    const live = before.events.replace('&limit=1', '')
    const stream = await exports.default.fetch(`http://service${live}`, { headers: { accept: 'text/event-stream' } })
    expect(stream.status).toBe(200)

    expect((await call('DELETE', `/tasks/${id}/links`, undefined, LINK)).status).toBe(401)
    expect(await statusesOf(before)).toEqual([200, 200, 200])
    expect((await call('DELETE', `/tasks/${id}/links`)).status).toBe(204)
    expect(await statusesOf(before)).toEqual([401, 401, 404])
    // Who watches is cut off: the stream ends without the end of the task.
    expect(await stream.text()).not.toContain('event: end')
    const tag = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await call('GET', `/tasks/${id}`, undefined, tag)).status).toBe(200)

    const after = await linksOf(id)
    expect(await statusesOf(after)).toEqual([200, 200, 200])
    expect((await call('DELETE', `/tasks/${id}/links`)).status).toBe(204)
    expect(await statusesOf(after)).toEqual([401, 401, 404])
    expect((await call('DELETE', '/tasks/task_none/links')).status).toBe(404)
    expect((await task('POST', `/tasks/${id}/input`, { input: '45 minutes' })).slice?.advanced).toBe(true)
  })
})
