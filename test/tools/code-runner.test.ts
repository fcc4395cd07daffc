/** One run at a runner that a test scripts: what it is sent, what its answer means, and every way in which it can fail (docs/code-runner.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CodeJob, OpenFile } from '../../src/shell/ports.ts'
import { remotePythonRunner, RUNNER_EXTRA_MS } from '../../src/tools/run-code/remote-python.ts'
import { startFaultServer, type FaultServer, type Reply } from '../support/fault-server.ts'
import { openFile } from '../support/open-file.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const SECRET = 'canary-secret-of-the-runner'
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const JOB: CodeJob = {
  tenant: 'acme',
  code: 'print("销售")',
  dataset: null,
  sheet: null,
  results: null,
  key: 'task_1:7',
  timeout_ms: 30_000,
  locale: 'en',
  pause: () => Promise.resolve(),
}
const RAN = {
  status: 'success',
  exit_code: 0,
  timed_out: false,
  stdout: '销售\n',
  stderr: '',
  results: null,
  charts: [],
  duration_ms: 3,
}
const json = (value: unknown, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: typeof value === 'string' ? value : JSON.stringify(value),
})
const says = (more: object = {}) => json({ ...RAN, ...more })
const run = (more: Partial<CodeJob> = {}, fetch: typeof globalThis.fetch = globalThis.fetch) =>
  remotePythonRunner({ url: server.origin, secret: SECRET, fetch }).run({ ...JOB, ...more })
const sent = () => server.received.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{64}$/, '<id>')}`)
const bodyOf = (at: number) => JSON.parse(server.received[at]?.body ?? 'null') as Record<string, unknown>
const idIn = (at: number) => (bodyOf(at)['dataset'] as { id: string } | null)?.id ?? ''
/** A runner without the dataset: it names what it was just asked for. */
const lacking = async (file: OpenFile, ...after: Reply[]) => {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const asked = await globalThis.fetch(input, init)
    if (asked.status !== 599 || server.received.length !== 1) return asked
    server.script(...after)
    return Response.json({ missing: [idIn(0)] }, { status: 409 })
  }
  return run({ dataset: file }, fetch)
}

describe('Python: what the service posts', () => {
  it('the code with its key, its time and the results of earlier runs, under the secret', async () => {
    server.script(says())
    await run({ results: '{"a":1}', sheet: '表 1' })
    expect(sent()).toEqual(['POST /run'])
    expect(server.received[0]?.headers).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      'content-type': 'application/json',
    })
    expect(bodyOf(0)).toEqual({
      version: 1,
      language: 'python',
      code: JOB.code,
      key: 'task_1:7',
      timeout_s: 30,
      dataset: null,
      sheet: '表 1',
      results: '{"a":1}',
    })
  })

  it('no authorization without a secret, and U+FFFD for a lone surrogate', async () => {
    server.script(says())
    await remotePythonRunner({ url: server.origin, secret: null, fetch: globalThis.fetch }).run({
      ...JOB,
      code: '"\ud800"',
    })
    expect(server.received[0]?.headers).not.toHaveProperty('authorization')
    expect(bodyOf(0)['code']).toBe('"\uFFFD"')
  })

  it('no dataset that the runner already has, whose body stays unread', async () => {
    server.script(says())
    const file = openFile('a,b\n1,2\n')
    expect(await run({ dataset: file })).toMatchObject({ ok: true })
    expect([sent(), file.taken(), file.cancelled()]).toEqual([['POST /run'], 0, true])
    expect(bodyOf(0)['dataset']).toEqual({ name: 'sales.csv', id: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  it('a dataset that the runner lacks, streamed once, and then the same request again', async () => {
    const file = openFile('日期,额\n'.repeat(1_000))
    expect(await lacking(file, { status: 204 }, says())).toMatchObject({ ok: true, stdout: '销售\n' })
    expect(sent()).toEqual(['POST /run', 'PUT /datasets/<id>', 'POST /run'])
    expect(server.received[1]).toMatchObject({ path: `/datasets/${idIn(0)}`, body: '日期,额\n'.repeat(1_000) })
    expect(server.received[1]?.headers).toMatchObject({ authorization: `Bearer ${SECRET}` })
    expect(server.received[2]?.body).toBe(server.received[0]?.body)
  })

  it('50 MB without holding them in memory', async () => {
    const file = openFile(new Uint8Array(65_536), 800)
    let [read, ahead] = [0, 0]
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      if (init?.method === 'PUT') {
        // A body of fetch is a stream here, for that is what was handed out.
        for await (const chunk of init.body as ReadableStream<Uint8Array>) {
          read += chunk.byteLength
          ahead = Math.max(ahead, file.taken() - read)
        }
        return new Response(null, { status: 204 })
      }
      if (read > 0) return Response.json(RAN)
      const asked = JSON.parse(String(init?.body)) as { dataset: { id: string } }
      return Response.json({ missing: [asked.dataset.id] }, { status: 409 })
    }
    expect(await run({ dataset: file }, fetch)).toMatchObject({ ok: true })
    expect(read).toBe(52_428_800)
    expect(ahead).toBeLessThanOrEqual(65_536)
  })

  it('an id that depends on the bytes only and reveals nothing of the file', async () => {
    const ids: string[] = []
    const of = async (file: OpenFile, key = 'task_1:7') => {
      server.reset()
      server.script(says())
      await run({ dataset: file, key })
      ids.push(idIn(0))
    }
    await of(openFile('x'))
    await of(openFile('x'), 'task_1:9')
    await of(openFile('x'), 'task_2:7')
    for (const change of [{ seq: 5 }, { at: 9 }, { bytes: 2 }, { name: 'b.csv' }]) {
      const file = openFile('x')
      await of({ ...file, entry: { ...file.entry, ...change } })
    }
    expect(ids[1]).toBe(ids[0])
    expect(new Set(ids).size).toBe(6)
  })
})

describe('Python: what an answer means', () => {
  it('O1-08 a run that succeeded gives its output, its results and its charts in order', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>额</text></svg>'
    const charts = [
      { name: 'result.png', content_type: 'image/png', base64: Buffer.from(PNG).toString('base64') },
      { name: 'b.svg', content_type: 'image/svg+xml', base64: Buffer.from(svg).toString('base64') },
    ]
    server.script(says({ results: '{"总":7}', stderr: 'a warning\n', charts }))
    expect(await run()).toEqual({
      ok: true,
      stdout: '销售\n',
      stderr: 'a warning\n',
      results: '{"总":7}',
      charts: [
        { extension: 'png', content: PNG },
        { extension: 'svg', content: svg },
      ],
    })
  })

  it.each<[string, object, string, string]>([
    [
      'it failed',
      { status: 'error', exit_code: 1, stderr: 'ValueError: x\n' },
      'ValueError: x\nexit code 1',
      '退出码 1',
    ],
    ['its exit code is not 0', { exit_code: 3 }, 'exit code 3', '退出码 3'],
    ['it was killed', { status: 'error', exit_code: -9 }, 'exit code -9', '退出码 -9'],
    ['it timed out', { status: 'error', exit_code: null, timed_out: true }, 'time limit', '时间上限'],
    ['it timed out, whatever it says', { timed_out: true }, 'time limit', '时间上限'],
    ['it failed without a code', { status: 'error', stderr: '[runner] no JSON\n' }, '[runner] no JSON', '[runner]'],
  ])('O1-08 the run is not a success when %s', async (_what, more, en, zh) => {
    server.script(says(more), says(more))
    expect(await run()).toMatchObject({ ok: false, stdout: '销售\n', stderr: expect.stringContaining(en) })
    expect(await run({ locale: 'zh' })).toMatchObject({ ok: false, stderr: expect.stringContaining(zh) })
  })

  it('invalid or too large parts are cut or left out: long texts, NUL, no JSON, no image, a ninth chart', async () => {
    const base64 = Buffer.from(PNG).toString('base64')
    const png = { name: 'a.png', content_type: 'image/png', base64 }
    const no = [
      { ...png, base64: '***' },
      { ...png, base64: 'AAAA' },
      { ...png, content_type: 'image/svg+xml' },
    ]
    const stdout = `\0${'😀'.repeat(60_000)}`
    server.script(says({ stdout, stderr: 'x'.repeat(200_000), results: '{"a":', charts: no }))
    const told = await run()
    expect(told).toMatchObject({ ok: true, results: null, charts: [] })
    expect([told.stdout.length, told.stdout.isWellFormed(), told.stdout[0]]).toEqual([100_000, true, '\uFFFD'])
    expect(told.stderr).toHaveLength(100_000)
    server.script(says({ charts: Array.from({ length: 9 }, () => png) }))
    expect((await run()).charts).toHaveLength(8)
  })
})

describe('Python: every failure of the runner is an outcome in our own words', () => {
  const body = JSON.stringify({ ...RAN, stdout: 'canary' })
  const fault = (kind: Reply['fault'] & string) => ({ ...json(body), fault: kind })
  it.each<[string, Reply, string, string]>([
    ['500', { status: 500, body: 'canary' }, 'answered HTTP 500', '返回 HTTP 500'],
    ['401', json({ error: 'canary' }, 401), 'answered HTTP 401', '返回 HTTP 401'],
    ['404', { status: 404, body: 'canary' }, 'answered HTTP 404', '返回 HTTP 404'],
    ['201', json(body, 201), 'answered HTTP 201', '返回 HTTP 201'],
    ['503', { status: 503, headers: { 'retry-after': '5' } }, 'busy: the code did not run', '繁忙'],
    ['429', { status: 429 }, 'busy: the code did not run', '繁忙'],
    ['413', json({ error: 'canary' }, 413), 'too large', '过大'],
    ['409 without a dataset', json({ missing: ['canary'] }, 409), 'answered HTTP 409', '返回 HTTP 409'],
    ['a redirect', { status: 307, headers: { location: 'http://canary.example/run' } }, 'not followed', '不予跟随'],
    ['a page', { headers: { 'content-type': 'text/html' }, body: '<html>canary' }, 'could not be read', '无法读取'],
    ['half of its JSON', json(body.slice(0, -9)), 'could not be read', '无法读取'],
    ['nothing', json(''), 'could not be read', '无法读取'],
    ['another JSON', json({ ok: true, stdout: 'canary' }), 'could not be read', '无法读取'],
    ['a member of another type', says({ stdout: ['canary'] }), 'could not be read', '无法读取'],
    ['JSON without end', json('['.repeat(100_000)), 'could not be read', '无法读取'],
    ['more than 8 MB', says({ stdout: 'canary '.repeat(1_300_000) }), 'too large', '过大'],
    [
      'more than 8 MB of no length',
      { ...says({ stdout: 'canary '.repeat(1_300_000) }), unframed: true },
      'too large',
      '过大',
    ],
    ['a body that breaks off', fault('cut'), 'broke off', '连接中断'],
    ['a connection that is closed', { fault: 'reset' }, 'could not be reached', '无法连接'],
  ])('%s', async (_what, reply, en, zh) => {
    server.script(reply, reply)
    const told = await run()
    expect(told).toEqual({ ok: false, stdout: '', stderr: expect.stringContaining(en), results: null, charts: [] })
    expect(told.stderr).not.toMatch(/canary|127\.0\.0\.1|\d{5}/)
    expect(await run({ locale: 'zh' })).toMatchObject({ ok: false, stderr: expect.stringContaining(zh) })
    expect(server.received).toHaveLength(2)
  })

  it('no process listens', async () => {
    const nobody = await startFaultServer()
    await nobody.close()
    const told = await remotePythonRunner({ url: nobody.origin, secret: null, fetch: globalThis.fetch }).run(JOB)
    expect(told).toMatchObject({ ok: false, stderr: expect.stringContaining('could not be reached') })
  })

  it.each<[string, Reply[], string]>([
    ['the upload is refused', [{ status: 413 }], 'too large'],
    ['the upload fails', [{ status: 500 }], 'HTTP 500'],
    ['the upload is redirected', [{ status: 302, headers: { location: '/canary' } }], 'not followed'],
    ['it still lacks what it was sent', [{ status: 204 }, json({ missing: ['canary'] }, 409)], 'HTTP 409'],
    ['the run after the upload fails', [{ status: 204 }, { status: 500 }], 'HTTP 500'],
  ])('%s: nothing is sent again', async (_what, replies, said) => {
    const told = await lacking(openFile('a\n1\n'), ...replies)
    expect(told).toMatchObject({ ok: false, stderr: expect.stringContaining(said) })
    expect(server.received).toHaveLength(1 + replies.length)
  })

  it('a runner that asks for a dataset that was not offered gets none', async () => {
    server.script(json({ missing: ['../../etc/passwd'] }, 409))
    const file = openFile('a\n')
    expect(await run({ dataset: file })).toMatchObject({ ok: false, stderr: expect.stringContaining('HTTP 409') })
    expect([sent(), file.taken(), file.cancelled()]).toEqual([['POST /run'], 0, true])
  })

  it('a file that breaks off during the upload is a failed run', async () => {
    const told = await lacking(openFile('a\n', 3, 2))
    expect(told).toMatchObject({ ok: false, stderr: expect.stringMatching(/could not be reached|broke off/) })
  })

  it.each<['before_headers' | 'after_headers' | 'after_body']>([['before_headers'], ['after_headers'], ['after_body']])(
    'a runner that never answers (%s) is abandoned after the time for the run and the upload',
    async (kind) => {
      server.script(fault(kind))
      const waits = vi.spyOn(globalThis, 'setTimeout')
      const signals: AbortSignal[] = []
      const fetch: typeof globalThis.fetch = async (input, init) => {
        if (init?.signal) signals.push(init.signal)
        const [over, ms] = waits.mock.calls.find(([, wait]) => wait === JOB.timeout_ms + RUNNER_EXTRA_MS) ?? []
        expect(ms).toBe(50_000)
        const answered = globalThis.fetch(input, init)
        while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve))
        over?.()
        return answered
      }
      const told = await run({}, fetch)
      waits.mockRestore()
      expect(told).toMatchObject({ ok: false, stderr: 'the Python runner did not answer in time' })
      expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    },
  )
})

it.each<[string, Reply]>([
  ['an error', { status: 500, headers: {}, body: `denied: Bearer ${SECRET}` }],
  ['a refusal', json({ error: SECRET }, 401)],
  ['an answer that is none', { status: 200, headers: { 'content-type': 'text/html' }, body: SECRET }],
])('F66 a runner that repeats its secret in %s is reported in our own words', async (_name, reply) => {
  server.script(reply)
  const ran = await run()
  expect(ran.ok).toBe(false)
  expect(ran.stderr).not.toBe('')
  expect(JSON.stringify(ran)).not.toContain(SECRET)
})
