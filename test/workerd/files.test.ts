/** Files of a task through the whole service in workerd, with R2 itself: streamed up and down, replaced, deleted, swept, counted. */
import type { RemoteTask } from '../../src/core/replay/stored-task.ts'
import { env, exports } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import worker, { type Env } from '../../src/index.ts'
import { TaskView } from '../../src/core/terms/view.ts'
import { expectContract } from '../support/contract.ts'
import { png } from '../support/pictures.ts'
import { generated, looked } from '../support/streams.ts'

const MIB = 1_048_576
const KEY = { authorization: 'Bearer dev-key' }
const bucket = env.FILES
if (bucket === undefined) throw new Error('no bucket is bound')

type Fetch = (request: Request) => Promise<Response>
const service: Fetch = (request) => exports.default.fetch(request)
/** The same service with other variables. */
const serviceWith = (more: Partial<Env> & Record<string, unknown>): Fetch => {
  const other: Env = { ...env, ...more }
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} } as never
  // A context of which only this is used.
  return async (request) => worker.fetch(request as never, other, context)
}

/** The bucket, but for what is given. */
const bucketWith = (own: Partial<Record<keyof R2Bucket, unknown>>): R2Bucket =>
  new Proxy(bucket, {
    get(target, name) {
      const found: unknown = Reflect.get(own, name) ?? Reflect.get(target, name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })

async function call(
  method: string,
  path: string,
  body: BodyInit | null = null,
  headers: Record<string, string> = {},
  fetch = service,
): Promise<Response> {
  const response = await fetch(new Request(`http://service${path}`, { method, body, headers: { ...KEY, ...headers } }))
  await expectContract(method, path, response)
  return response
}
/** Without a look at a body that is meant to be streamed. */
const plain = (method: string, path: string, body: BodyInit | null = null, headers: Record<string, string> = {}) =>
  service(new Request(`http://service${path}`, { method, body, headers: { ...KEY, ...headers } }))

async function newTask(fetch = service): Promise<TaskView> {
  const goal = JSON.stringify({ goal: 'buy milk', rounds: 0 })
  return TaskView.parse(
    await (await call('POST', '/tasks', goal, { 'content-type': 'application/json' }, fetch)).json(),
  )
}
const keysOf = async (task: string) => (await bucket.list({ prefix: `dev/${task}/` })).objects.map(({ key }) => key)
const codeOf = async (response: Response) => [response.status, (await response.json<{ code: string }>()).code]
const desk = () => env.WORKSPACES.getByName('["dev"]')
const counted = (task: string) =>
  runInDurableObject(desk(), (_object, { storage: { sql } }) =>
    Number(sql.exec('SELECT coalesce(sum(bytes), 0) AS n FROM stored WHERE task = ?', task).one()['n']),
  )

afterEach(() => void vi.restoreAllMocks())

/** Of many megabytes, on a machine that has other things to do. */
const LONG = { timeout: 120_000 }

describe('a large file', () => {
  it.each([
    ['50 MiB of known length', 50 * MIB, true],
    ['12 MiB that do not say how many they are', 12 * MIB, false],
  ])('is uploaded and downloaded byte for byte: %s', LONG, async (_name, size, known) => {
    const { id } = await newTask()
    const fixed = new FixedLengthStream(size)
    const body = generated(size)
    const sent = known ? (void body.pipeTo(fixed.writable), fixed.readable) : body
    const up = await plain('PUT', `/tasks/${id}/files/big.csv`, sent, known ? { 'content-length': `${size}` } : {})
    expect([up.status, await up.json()]).toMatchObject([201, { name: 'big.csv', size }])
    const down = await plain('GET', `/tasks/${id}/files/big.csv`)
    expect(down.headers.get('content-length')).toBe(`${size}`)
    const seen = await looked(down.body)
    expect(seen).toMatchObject({ bytes: size, wrong: null })
    expect(seen.largest).toBeLessThan(6 * MIB)
    expect(await counted(id)).toBe(size)
    expect((await plain('DELETE', `/tasks/${id}`)).status).toBe(204)
  })

  it(
    'of one byte too many is refused during the upload, whatever length it declares, and nothing of it is stored or counted',
    LONG,
    async () => {
      const { id } = await newTask()
      let made = 0
      const endless = generated(200 * MIB, MIB, (bytes) => (made = bytes))
      expect(await codeOf(await plain('PUT', `/tasks/${id}/files/big.csv`, endless))).toEqual([413, 'file_too_large'])
      expect(made).toBeLessThan(60 * MIB)
      const sheet = generated(10 * MIB + 1, MIB)
      expect(await codeOf(await plain('PUT', `/tasks/${id}/files/a.XLSX`, sheet))).toEqual([413, 'file_too_large'])
      expect((await plain('PUT', `/tasks/${id}/files/a.xlsx`, generated(10 * MIB, MIB))).status).toBe(201)
      expect(await keysOf(id)).toHaveLength(1)
      expect(await counted(id)).toBe(10 * MIB)
    },
  )
})

describe('blobs and rows', () => {
  it('a file that is uploaded again is a new blob, and the old one is deleted', async () => {
    const { id } = await newTask()
    const path = `/tasks/${id}/files/a.csv`
    expect((await call('PUT', path, 'a,b\n1,2\n')).status).toBe(201)
    const [first] = await keysOf(id)
    const before = await call('GET', path)
    expect((await call('PUT', path, 'a,b\n3,4\n5,6\n')).status).toBe(200)
    const keys = await keysOf(id)
    expect(keys).toHaveLength(1)
    expect(keys[0]).not.toBe(first)
    expect(await counted(id)).toBe(12)
    const after = await call('GET', path, null, { 'if-none-match': before.headers.get('etag') ?? '' })
    expect([after.status, await after.text()]).toEqual([200, 'a,b\n3,4\n5,6\n'])
    const etag = after.headers.get('etag') ?? ''
    expect((await call('GET', path, null, { 'if-none-match': etag })).status).toBe(304)
  })

  it('a deleted file is gone with its blob: 204, then 404', async () => {
    const { id } = await newTask()
    const path = `/tasks/${id}/files/a.csv`
    await call('PUT', path, 'a,b\n')
    expect((await call('DELETE', path)).status).toBe(204)
    expect(await codeOf(await call('DELETE', path))).toEqual([404, 'file_not_found'])
    expect(await codeOf(await call('GET', path))).toEqual([404, 'file_not_found'])
    expect([await keysOf(id), await counted(id)]).toEqual([[], 0])
  })

  it('the deletion of a task deletes all its blobs, also those that no row names', async () => {
    const { id } = await newTask()
    const other = await newTask()
    await call('PUT', `/tasks/${id}/files/a.csv`, 'a')
    await call('PUT', `/tasks/${other.id}/files/a.csv`, 'b')
    // Its worker died before the row.
    const may = await (env.TASKS.getByName(JSON.stringify(['dev', id])) as unknown as RemoteTask).ask({
      kind: 'may_write',
      name: 'b.csv',
      seq: null,
    })
    expect(may.ok).toBe(true)
    const orphan = `${may.ok ? may.value : ''}.orphan`
    expect(
      await desk().tell({ kind: 'hold_bytes', task: id, blob: orphan, bytes: 1, max: 9_999_999_999 }),
    ).toMatchObject({ ok: true })
    await bucket.put(`dev/${id}/${orphan}`, 'x')
    await bucket.put(`dev/${id}0/of-another`, 'x')
    expect((await call('DELETE', `/tasks/${id}`)).status).toBe(204)
    expect([await keysOf(id), await counted(id)]).toEqual([[], 0])
    expect(await keysOf(other.id)).toHaveLength(1)
    expect(await keysOf(`${id}0`)).toHaveLength(1)
  })

  it('a DELETE whose worker died after the call of the object is finished a minute later, by the next DELETE or by a list', async () => {
    for (const finish of [(id: string) => call('DELETE', `/tasks/${id}`), () => call('GET', '/tasks')]) {
      const { id } = await newTask()
      await call('PUT', `/tasks/${id}/files/a.csv`, 'a')
      await env.TASKS.getByName(JSON.stringify(['dev', id])).remove()
      await finish(id)
      // It may still be on its way.
      expect([(await keysOf(id)).length, await counted(id)]).toEqual([1, 1])
      await runInDurableObject(desk(), (_object, { storage: { sql } }) => {
        sql.exec('UPDATE tasks SET at = at - 61000 WHERE id = ?', id)
      })
      await finish(id)
      expect([await keysOf(id), await counted(id)]).toEqual([[], 0])
      expect(await desk().ask({ kind: 'admission', id })).toBeNull()
    }
  })

  it('an upload whose worker died is swept by the alarm of its workspace, and blobs that a row names stay', async () => {
    const { id } = await newTask()
    await call('PUT', `/tasks/${id}/files/a.csv`, 'a')
    const [kept] = await keysOf(id)
    const blobs = ['orphan', (kept ?? '').split('/').at(-1) ?? '']
    await bucket.put(`dev/${id}/orphan`, 'xx')
    for (const [at, blob] of blobs.entries())
      await desk().tell({ kind: 'hold_bytes', task: id, blob, bytes: 2 - at, max: 1e12 })
    await runInDurableObject(desk(), (_object, { storage: { sql } }) => {
      sql.exec('UPDATE unfinished SET due = 1 WHERE task = ?', id)
    })
    await runInDurableObject(desk(), async (object) => object.alarm())
    await vi.waitFor(async () => expect(await counted(id)).toBe(1), { timeout: 20_000 })
    expect(await keysOf(id)).toEqual([kept])
    expect(await (await call('GET', `/tasks/${id}/files/a.csv`)).text()).toBe('a')
    await call('DELETE', `/tasks/${id}`)
  })

  it('an upload to a task that is deleted meanwhile is refused, and leaves neither a blob nor a counted byte', async () => {
    const { id } = await newTask()
    let sent = 0
    const source = generated(12 * MIB, MIB, (bytes) => (sent = bytes))
    const reader = source.getReader()
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        if (sent === 9 * MIB) expect((await plain('DELETE', `/tasks/${id}`)).status).toBe(204)
        controller.enqueue(value)
      },
    })
    expect(await codeOf(await plain('PUT', `/tasks/${id}/files/a.csv`, body))).toEqual([404, 'task_not_found'])
    expect([await keysOf(id), await counted(id)]).toEqual([[], 0])
  })
})

describe('the quota for all files of a tenant', () => {
  const small = serviceWith({ MAX_STORED_BYTES: '1200000', API_KEYS: 'quota:dev-key' })
  const usedBy = async () =>
    runInDurableObject(env.WORKSPACES.getByName('["quota"]'), (_object, { storage: { sql } }) =>
      Number(sql.exec('SELECT coalesce(sum(bytes), 0) AS n FROM stored').one()['n']),
    )

  it('is not exceeded by concurrent uploads; files that are replaced, deleted or gone with their task are free again', async () => {
    const [one, other] = [await newTask(small), await newTask(small)]
    const put = (id: string, name: string, bytes: number) =>
      call('PUT', `/tasks/${id}/files/${name}`, generated(bytes, 10_000), {}, small)
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) => put(n % 2 === 0 ? one.id : other.id, `f${n}.csv`, 300_000)),
    )
    const statuses = all.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 201, 201, 429, 429, 429, 429, 429, 429, 429])
    const refusal = await all.find(({ status }) => status === 429)?.json()
    expect(refusal).toMatchObject({ code: 'quota_exceeded', detail: expect.stringContaining('Delete tasks or files') })
    expect(refusal).toMatchObject({ quota: 'bytes', used: expect.any(Number), max: 1_200_000 })
    expect(await usedBy()).toBe(900_000)

    const kept = all.findIndex(({ status }) => status === 201)
    const owner = kept % 2 === 0 ? one.id : other.id
    expect((await put(owner, `f${kept}.csv`, 100_000)).status).toBe(200)
    expect(await usedBy()).toBe(700_000)
    expect((await call('DELETE', `/tasks/${owner}/files/f${kept}.csv`, null, {}, small)).status).toBe(204)
    expect(await usedBy()).toBe(600_000)
    for (const { id } of [one, other]) await call('DELETE', `/tasks/${id}`, null, {}, small)
    expect(await usedBy()).toBe(0)
  })

  it('refuses a body before it is read when its length exceeds the quota', async () => {
    const { id } = await newTask(small)
    const response = await call('PUT', `/tasks/${id}/files/a.csv`, 'x'.repeat(1_200_001), {}, small)
    expect(await codeOf(response)).toEqual([429, 'quota_exceeded'])
    expect(await usedBy()).toBe(0)
  })
})

it('without a bucket only tools can write files: a PUT gets 503 with the missing setting, and everything else works', async () => {
  const bare = serviceWith({ FILES: undefined })
  const { id } = await newTask(bare)
  const stub = env.TASKS.getByName(JSON.stringify(['dev', id]))
  await stub.upkeep({ kind: 'write_file', file: { name: 'notes.md', seq: 2, content: '# 字' } })
  const refused = await call('PUT', `/tasks/${id}/files/a.csv`, 'a', {}, bare)
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { code: 'not_configured', detail: expect.stringContaining('FILES') },
  ])
  const read = await call('GET', `/tasks/${id}/files/notes.md`, null, {}, bare)
  expect([await read.text(), read.headers.get('content-length')]).toEqual(['# 字', '5'])
  expect((await call('GET', `/tasks/${id}/files`, null, {}, bare)).status).toBe(200)
  expect((await call('DELETE', `/tasks/${id}/files/notes.md`, null, {}, bare)).status).toBe(204)
  expect((await call('DELETE', `/tasks/${id}`, null, {}, bare)).status).toBe(204)
})

it('an error of R2 is 503 with Retry-After, and changes nothing', async () => {
  const { id } = await newTask()
  const path = `/tasks/${id}/files/a.csv`
  await call('PUT', path, 'a,b\n')
  const lines = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const put = () => Promise.reject(new Error('put: internal error (10001)'))
  const away = serviceWith({ FILES: bucketWith({ put }) })
  const response = await call('PUT', path, 'c,d\n', {}, away)
  expect(await codeOf(response)).toEqual([503, 'unavailable'])
  expect(response.headers.get('retry-after')).toBe('5')
  expect(String(lines.mock.calls[0])).toContain('"reason":"storage_away"')
  expect(await (await call('GET', path)).text()).toBe('a,b\n')
  expect(await counted(id)).toBe(4)
})

describe('an image', () => {
  it('U46 is put and fetched as what it is, and one that is none is 422 with the reason', async () => {
    const { id } = await newTask()
    const up = await call('PUT', `/tasks/${id}/files/photo.png`, png(), { 'content-type': 'image/png' })
    expect([up.status, await up.json()]).toMatchObject([201, { content_type: 'image/png', size: png().length }])
    const down = await plain('GET', `/tasks/${id}/files/photo.png`)
    expect(down.headers.get('content-type')).toBe('image/png')
    expect(new Uint8Array(await down.arrayBuffer())).toEqual(png())
    const refused = await call('PUT', `/tasks/${id}/files/photo.gif`, png(), { 'content-type': 'image/gif' })
    const problem = await refused.json<{ code: string; errors: { message: string }[] }>()
    expect([refused.status, problem.code]).toEqual([422, 'validation_failed'])
    expect(problem.errors[0]?.message).toContain('put it under a name that ends with .png')
    expect(await keysOf(id)).toHaveLength(1)
    const large = await call('PUT', `/tasks/${id}/files/large.png`, new Uint8Array(5 * MIB + 1))
    expect(await codeOf(large)).toEqual([413, 'file_too_large'])
  })
})
