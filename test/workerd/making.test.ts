/** Tasks that are made whole in one request (U52), through the real service in workerd: with files, or held until they are resumed. */
import { env, exports } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { TaskView } from '../../src/core/terms/view.ts'
import { expectContract } from '../support/contract.ts'
import { png } from '../support/pictures.ts'

const KEY = { authorization: 'Bearer dev-key' }
const CSV = `month,revenue\n${Array.from({ length: 24 }, (_, n) => `2026-${n},${100 + n}`).join('\n')}\n`
/** Nothing here waits for time; a loaded machine may be slow all the same. */
const PATIENCE = { timeout: 30_000, interval: 20 }
const bucket = env.FILES
if (bucket === undefined) throw new Error('no bucket is bound')

async function call(method: string, path: string, body: BodyInit | null = null, headers: Record<string, string> = {}) {
  const sent = { method, body, headers: { ...KEY, ...headers } }
  const response = await exports.default.fetch(new Request(`http://service${path}`, sent))
  await expectContract(method, path, response)
  return response
}
const JSON_TYPE = { 'content-type': 'application/json' }
const taskIn = async (response: Response) => TaskView.parse(await response.json())
const viewOf = (id: string) => env.TASKS.getByName(JSON.stringify(['dev', id])).ask({ kind: 'view' })
const untilEnded = (id: string) =>
  vi.waitFor(async () => expect(await viewOf(id)).toMatchObject({ value: { status: 'completed' } }), PATIENCE)

type Sent = [name: string, content: string | Uint8Array<ArrayBuffer>]
function form(fields: Record<string, string>, files: readonly Sent[]): FormData {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.append(name, value)
  for (const [name, content] of files) made.append('file', new File([content], name))
  return made
}
const GOAL = { mode: 'autonomous', goal: 'Analyse the revenue of sales.csv', settings: { dataset: 'sales.csv' } }
const background = JSON.stringify({ ...GOAL, drive: 'background' })
const post = (fields: Record<string, string>, files: readonly Sent[], headers: Record<string, string> = {}) =>
  call('POST', '/tasks', form(fields, files), headers)

const desk = () => env.WORKSPACES.getByName('["dev"]')
const countedIn = () =>
  runInDurableObject(desk(), (_object, { storage: { sql } }) => ({
    tasks: Number(sql.exec('SELECT count(*) AS n FROM tasks').one()['n']),
    bytes: Number(sql.exec('SELECT coalesce(sum(bytes), 0) AS n FROM stored').one()['n']),
  }))
const blobs = async () => (await bucket.list({ prefix: 'dev/' })).objects.length

describe('POST /tasks with files', () => {
  it('U52 one request has a CSV analysed in the background', async () => {
    const made = await taskIn(await post({ task: background }, [['sales.csv', CSV]]))
    expect(made).toMatchObject({ status: 'queued', drive: 'background', version: 1 })
    const got = await call('GET', `/tasks/${made.id}/files/sales.csv`)
    expect(await got.text()).toBe(CSV)
    await untilEnded(made.id)
    const ended = await taskIn(await call('GET', `/tasks/${made.id}`))
    expect(ended.result?.text).toContain('sales.csv')
    expect(ended.counters.actions).toBeGreaterThan(0)
    // It has asked for no file.
    const events: { data: { type: string }[] } = await (await call('GET', `/tasks/${made.id}/events?limit=100`)).json()
    expect(events.data.map(({ type }) => type)).not.toContain('file_requested')
  })

  it('U52 the files are there before the first effect, which begins in the same request', async () => {
    const task = JSON.stringify({ ...GOAL, rounds: 20 })
    const made = await taskIn(
      await post({ task }, [
        ['sales.csv', CSV],
        ['photo.png', png(2, 2)],
      ]),
    )
    expect(made).toMatchObject({ status: 'completed' })
    const listed: { data: { name: string }[] } = await (await call('GET', `/tasks/${made.id}/files`)).json()
    expect(listed.data.map(({ name }) => name)).toEqual(expect.arrayContaining(['photo.png', 'sales.csv']))
    expect((await call('DELETE', `/tasks/${made.id}`)).status).toBe(204)
  })

  it.each<[string, Sent, number, RegExp]>([
    [
      'an image that is none',
      ['photo.png', 'a,b\n'],
      422,
      /part 3, "file" \(photo\.png\): the name promises a PNG image/,
    ],
    ['an empty one', ['empty.csv', ''], 422, /part 3, "file" \(empty\.csv\): the file is empty/],
    ['one of another kind', ['run.sh', 'x'], 422, /part 3, "file" \(run\.sh\) must have a filename that ends with/],
    [
      'a text that is too large',
      ['long.md', 'x'.repeat(262_145)],
      413,
      /part 3, "file" \(long\.md\) may have at most 262144/,
    ],
  ])('U52 nothing is made if one file is refused: %s', async (_, refused, status, words) => {
    const before = [await countedIn(), await blobs()]
    const response = await post({ goal: 'g' }, [['sales.csv', CSV], refused], {
      'idempotency-key': crypto.randomUUID(),
    })
    const problem = await response.json<{ detail: string }>()
    expect([response.status, problem.detail]).toEqual([status, expect.stringMatching(words)])
    expect([await countedIn(), await blobs()]).toEqual(before)
  })

  it('U52 nothing is made of a name that the mode keeps for itself', async () => {
    const before = [await countedIn(), await blobs()]
    const response = await post({ goal: 'g', mode: 'orchestrator' }, [['MISSION.md', '# x']])
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'file_reserved' }])
    expect([await countedIn(), await blobs()]).toEqual(before)
  })

  it('U52 nothing is made of a form that breaks off', async () => {
    const before = [await countedIn(), await blobs()]
    const whole = new Response(form({ goal: 'g' }, [['sales.csv', CSV]]))
    const type = whole.headers.get('content-type') ?? ''
    const bytes = (await whole.arrayBuffer()).slice(0, -30)
    const response = await call('POST', '/tasks', bytes, { 'content-type': type })
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'unreadable_body' }])
    expect([await countedIn(), await blobs()]).toEqual(before)
  })

  it('U52 U6 under one key one task is made, with one set of files, and another byte is another request', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const send = (csv = CSV) => post({ goal: 'buy milk', rounds: '0' }, [['sales.csv', csv]], key)
    const first = await send()
    const before = [await countedIn(), await blobs()]
    const [again, other] = [await send(), await send(`${CSV}x`)]
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(await again.text()).toBe(await first.text())
    expect([other.status, await other.json()]).toMatchObject([422, { code: 'idempotency_key_reused' }])
    expect([await countedIn(), await blobs()]).toEqual(before)
  })

  it('U52 U6 several at once under one key are one task with one set of files', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const before = [await countedIn(), await blobs()] as const
    const send = () => post({ goal: 'buy milk', rounds: '0' }, [['sales.csv', CSV]], key)
    const answers = await Promise.all(Array.from({ length: 4 }, send))
    const done = answers.filter(({ status }) => status === 201)
    expect(done.length).toBeGreaterThan(0)
    const ids = await Promise.all(done.map(async (one) => (await taskIn(one)).id))
    expect(new Set(ids).size).toBe(1)
    const { tasks, bytes } = await countedIn()
    expect([tasks - before[0].tasks, bytes - before[0].bytes, (await blobs()) - before[1]]).toEqual([1, CSV.length, 1])
  })
})

it('U52 a held task takes its files, and is worked off by the service when it is resumed', async () => {
  const held = JSON.stringify({ ...GOAL, drive: 'background', hold: true })
  const { id, ...made } = await taskIn(await call('POST', '/tasks', held, JSON_TYPE))
  expect(made).toMatchObject({ status: 'paused', stop_reason: 'held', version: 2 })
  expect((await call('PUT', `/tasks/${id}/files/sales.csv`, CSV)).status).toBe(201)
  expect(await taskIn(await call('GET', `/tasks/${id}`))).toMatchObject({ status: 'paused', version: 2 })
  expect((await call('POST', `/tasks/${id}/resume`)).status).toBe(200)
  await untilEnded(id)
})

it('U52 a task that is changed to background is worked off by the service, and is found by its new labels', async () => {
  const { id } = await taskIn(await call('POST', '/tasks', JSON.stringify({ goal: 'buy milk', rounds: 0 }), JSON_TYPE))
  const label = crypto.randomUUID()
  const change = JSON.stringify({ drive: 'background', title: 'Milk', metadata: { label } })
  const changed = await taskIn(await call('PATCH', `/tasks/${id}`, change, JSON_TYPE))
  expect(changed).toMatchObject({ drive: 'background', title: 'Milk', metadata: { label } })
  const listed: { data: { id: string; title: string }[] } = await (
    await call('GET', `/tasks?metadata.label=${label}`)
  ).json()
  expect(listed.data).toMatchObject([{ id, title: 'Milk' }])
  await untilEnded(id)
})

it('U52 an ended task is made again over its files, and worked off once more', async () => {
  const { id } = await taskIn(await call('POST', '/tasks', JSON.stringify({ ...GOAL, rounds: 0 }), JSON_TYPE))
  expect((await call('POST', `/tasks/${id}/retry`)).status).toBe(409)
  expect((await call('PUT', `/tasks/${id}/files/sales.csv`, CSV)).status).toBe(201)
  expect((await call('POST', `/tasks/${id}/cancel`)).status).toBe(200)
  const response = await call('POST', `/tasks/${id}/retry`, JSON.stringify({ drive: 'background' }), JSON_TYPE)
  const again = await taskIn(response)
  expect(response.status).toBe(201)
  expect(again).toMatchObject({ status: 'queued', forked_from: { id, at: 1 } })
  await untilEnded(again.id)
  expect(await (await call('GET', `/tasks/${again.id}/files/sales.csv`)).text()).toBe(CSV)
})
