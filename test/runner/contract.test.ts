/** The reference runner over HTTP: the contract of docs/code-runner.md, and requests that do not keep to it. Needs python3. */
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remotePythonRunner } from '../../src/tools/run-code/remote-python.ts'
import { openFile } from '../support/open-file.ts'
import { asked, healthOf, NO_PYTHON, post, ran, startRunner, type Runner } from '../support/runner.ts'

const SECRET = 'a-secret-of-the-runner'
/** A pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const CSV = 'date,region,amount\n2024-01-01,北京,10\n2024-01-02,South,32\n'
const JOB = {
  code: '',
  dataset: null,
  sheet: null,
  pause: () => Promise.resolve(),
  results: null,
  tenant: 'acme',
  key: 'task_1:7',
  timeout_ms: 30_000,
  locale: 'en' as const,
}

/** What the requirements S1 ask of code, with the standard library. */
const ANALYSIS = `
import base64, csv, json
rows = list(csv.DictReader(open('sales.csv', encoding='utf-8')))
total = sum(int(row['amount']) for row in rows)
open('result.png', 'wb').write(base64.b64decode('${PNG}'))
json.dump({'total': total, 'regions': sorted(row['region'] for row in rows)}, open('result.json', 'w'), ensure_ascii=False)
print('关键发现', total)
`

describe.skipIf(NO_PYTHON)('the reference runner (needs python3 from 3.9 on)', () => {
  let runner: Runner
  beforeAll(async () => {
    runner = await startRunner()
  }, 60_000)
  afterAll(() => runner.stop())
  const via = (code: string, more: object = {}) =>
    remotePythonRunner({ url: runner.url, secret: null, fetch: globalThis.fetch }).run({ ...JOB, code, ...more })
  const put = (path: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
    fetch(`${runner.url}${path}`, { method: 'PUT', headers, body })

  it('S1-17, S1-18 runs code over a dataset: what it prints, result.json and result.png come back', async () => {
    const told = await via(ANALYSIS, { dataset: openFile(CSV) })
    expect(told).toMatchObject({ ok: true, stdout: '关键发现 42\n', stderr: '' })
    expect(JSON.parse(told.results ?? 'null')).toEqual({ total: 42, regions: ['South', '北京'] })
    expect(told.charts).toEqual([{ extension: 'png', content: new Uint8Array(Buffer.from(PNG, 'base64')) }])
    const again = openFile(CSV)
    expect(await via(ANALYSIS, { dataset: again })).toEqual(told)
    expect([again.taken(), again.cancelled()]).toEqual([0, true])
  })

  it('asks for a dataset that it does not hold by its id, and keeps the first that is put', async () => {
    const dataset = { name: 'a b 数据.csv', id: 'id_first-1' }
    const code = `print(open('a b 数据.csv').read())`
    const lacking = await post(runner.url, asked(code, { dataset }))
    expect([lacking.status, await lacking.json()]).toEqual([409, { missing: ['id_first-1'] }])
    expect((await put('/datasets/id_first-1', 'one')).status).toBe(204)
    expect((await put('/datasets/id_first-1', 'two')).status).toBe(204)
    expect((await ran(runner, code, { dataset })).stdout).toBe('one\n')
  })

  it('O1-08 says how a run ended: exit code, trace, time-out, signal', async () => {
    expect(await ran(runner, 'import sys; print(1); sys.exit(3)')).toMatchObject({
      status: 'error',
      exit_code: 3,
      stdout: '1\n',
    })
    const failed = await ran(runner, 'def f():\n  raise ValueError("坏")\nf()')
    expect(failed).toMatchObject({
      status: 'error',
      exit_code: 1,
      stderr: expect.stringMatching(/line 2[^]*ValueError: 坏/),
    })
    expect(await ran(runner, 'print(1)\nwhile True: pass', { timeout_s: 0.3 })).toMatchObject({
      status: 'error',
      exit_code: null,
      timed_out: true,
      stdout: '1\n',
    })
    expect(await ran(runner, 'import os; os.abort()')).toMatchObject({
      status: 'error',
      exit_code: -6,
      timed_out: false,
    })
    expect(await ran(runner, 'print(')).toMatchObject({
      status: 'error',
      stderr: expect.stringContaining('SyntaxError'),
    })
  })

  it('gives a run what runs before it left; another run sees nothing of it', async () => {
    const code = `import json; r = json.load(open('result.json')); r['b'] = 2; json.dump(r, open('result.json', 'w'))`
    expect(await ran(runner, code, { results: '{"a": 1}' })).toMatchObject({ results: '{"a": 1, "b": 2}' })
    expect(await ran(runner, `import os; print(os.listdir('.'))`)).toMatchObject({ stdout: '[]\n', results: null })
  })

  it('charts are png and svg in order, result.png first; what is none is named and left out', async () => {
    const code = `
import base64
png = base64.b64decode('${PNG}')
for name in ['chart-10.png', 'chart-2.png', 'result.png']: open(name, 'wb').write(png)
open('b.svg', 'w').write('<svg xmlns="http://www.w3.org/2000/svg"></svg>')
open('half.png', 'wb').write(png[:-9])
open('z.txt', 'w').write('x')
`
    const told = await ran(runner, code)
    expect(told.charts.map(({ name, content_type }) => `${name} ${content_type}`)).toEqual([
      'result.png image/png',
      'b.svg image/svg+xml',
      'chart-2.png image/png',
      'chart-10.png image/png',
    ])
    expect(told).toMatchObject({ status: 'success', stderr: '[runner] half.png is not kept, it is no whole image\n' })
  })

  it('result.json is JSON: NaN becomes null, anything else is a failed run', async () => {
    const nan = await ran(runner, `import json; json.dump({'a': float('nan')}, open('result.json', 'w'))`)
    expect(nan).toMatchObject({ status: 'success', results: '{"a": null}' })
    for (const text of [`'nope'`, `'['*100000`, `'"'+'x'*300000+'"'`]) {
      const told = await ran(runner, `open('result.json', 'w').write(${text})`)
      expect(told).toMatchObject({ status: 'error', exit_code: 0, results: null })
      expect(told.stderr).toContain('[runner] result.json is not kept')
    }
  })

  it('a run that is asked for again under its key runs again and changes nothing', async () => {
    const body = asked('import os; print(os.listdir("."))', { key: 'same:1' })
    const both = await Promise.all([post(runner.url, body), post(runner.url, body)])
    for (const response of both) expect(await response.json()).toMatchObject({ status: 'success', stdout: '[]\n' })
  })

  it.each<[string, unknown, number]>([
    ['no JSON', '{', 400],
    ['no UTF-8 text', '"\\ud800"', 400],
    ['a list', [], 400],
    ['another version', asked('', { version: 2 }), 400],
    ['another language', asked('', { language: 'javascript' }), 400],
    ['no code', { ...asked(''), code: 7 }, 400],
    ['half a pair of surrogates', '{"version":1,"language":"python","code":"\\ud800"}', 400],
    ['code of 300 KB', asked('#'.repeat(300_000)), 413],
    ['3 MB', asked('', { key: 'x'.repeat(3_000_000) }), 413],
    ['31 s', asked('', { timeout_s: 31 }), 400],
    ['no time', asked('', { timeout_s: 0 }), 400],
    ['a name with folders', asked('', { dataset: { id: 'a', name: '../a.csv' } }), 400],
    ['a name that is a folder', asked('', { dataset: { id: 'a', name: '..' } }), 400],
    ['an absolute name', asked('', { dataset: { id: 'a', name: '/etc/passwd' } }), 400],
    ['the name of the results', asked('', { dataset: { id: 'a', name: 'result.json' } }), 400],
    ['an id that is a path', asked('', { dataset: { id: '../datasets/a', name: 'a.csv' } }), 400],
    ['an id of dots', asked('', { dataset: { id: '..', name: 'a.csv' } }), 400],
  ])('a request with %s is refused, and says why', async (_what, body, status) => {
    const response = await post(runner.url, body)
    expect([response.status, await response.json()]).toEqual([status, { error: expect.any(String) }])
  })

  it.each(['/datasets/..%2f..%2fetc', '/datasets/', '/datasets/a/b', '/datasets/a.b', '/run', '//etc/passwd'])(
    'PUT %s is no dataset',
    async (path) => {
      expect((await put(path, 'x')).status).toBe(404)
    },
  )

  /** What is answered to these bytes, when they are all that is sent. */
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      const { hostname, port } = new URL(runner.url)
      let answer = ''
      const socket = connect(Number(port), hostname, () => socket.end(text))
      socket
        .on('data', (chunk) => (answer += String(chunk)))
        .on('close', () => resolve(answer.split('\r\n', 1)[0] ?? ''))
    })
  const chunks = (count: number) => `${'100000\r\n'}${' '.repeat(1_048_576)}\r\n`.repeat(count)
  it.each<[string, string, string]>([
    ['larger than 50 MB', 'content-length: 52428801\r\n\r\n', '413'],
    ['larger than 50 MB in chunks', `transfer-encoding: chunked\r\n\r\n${chunks(51)}`, '413'],
    ['that breaks off', 'content-length: 9\r\n\r\nabc', '400'],
    ['that breaks off in a chunk', 'transfer-encoding: chunked\r\n\r\n9\r\nabc', '400'],
    ['without a last chunk', 'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n', '400'],
    ['with a chunk of no length', 'transfer-encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n', '400'],
    ['of two lengths', 'content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', '400'],
    ['of no length', '\r\n', '411'],
  ])('a dataset %s is refused, and nothing of it is kept', async (_what, rest, status) => {
    const line = await raw(`PUT /datasets/refused HTTP/1.1\r\nhost: x\r\n${rest}`)
    expect(line).toContain(` ${status} `)
    expect(readdirSync(join(runner.data_dir, 'datasets')).filter((name) => /refused|^\./.test(name))).toEqual([])
  })

  it('one of 50 MB is taken', async () => {
    const told = await via(`import os; print(os.path.getsize('sales.csv'))`, {
      dataset: openFile(new Uint8Array(65_536), 800),
    })
    expect(told).toMatchObject({ ok: true, stdout: '52428800\n' })
  })

  it('says what it has', async () => {
    expect(await healthOf(runner)).toMatchObject({
      python: expect.stringMatching(/^3\./),
      packages: expect.any(Object),
    })
  })
})

describe.skipIf(NO_PYTHON)('the reference runner, configured (needs python3 from 3.9 on)', () => {
  it('with a secret nothing is answered without it', async () => {
    const runner = await startRunner({ RUNNER_SECRET: SECRET })
    try {
      for (const authorization of ['', 'Bearer', `Bearer ${SECRET}x`, `Basic ${SECRET}`, 'Bearer \u00fc']) {
        const headers: Record<string, string> = authorization === '' ? {} : { authorization }
        expect((await post(runner.url, asked('print(1)'), headers)).status).toBe(401)
        expect((await fetch(`${runner.url}/health`, { headers })).status).toBe(401)
        expect((await fetch(`${runner.url}/datasets/a`, { method: 'PUT', body: 'x', headers })).status).toBe(401)
      }
      const wrong = await remotePythonRunner({ url: runner.url, secret: null, fetch: globalThis.fetch }).run({
        ...JOB,
        code: 'print(1)',
      })
      expect(wrong).toMatchObject({ ok: false, stderr: 'the Python runner answered HTTP 401' })
      const right = remotePythonRunner({ url: runner.url, secret: SECRET, fetch: globalThis.fetch })
      expect(
        await right.run({ ...JOB, code: 'print(open("sales.csv").read())', dataset: openFile('x') }),
      ).toMatchObject({ ok: true, stdout: 'x\n' })
      expect(runner.log()).not.toContain(SECRET)
    } finally {
      await runner.stop()
    }
  }, 60_000)

  it('runs as many at once as it is allowed to; another is told to come again', async () => {
    const runner = await startRunner({ RUNNER_PARALLEL: '2', RUNNER_QUEUE_S: '0' })
    try {
      const long = asked('while True: pass', { timeout_s: 2 })
      const answers = await Promise.all([long, long, long, long].map((body) => post(runner.url, body)))
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([200, 200, 503, 503])
      expect(answers.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('5')
    } finally {
      await runner.stop()
    }
  }, 60_000)

  it.each([
    [{ RUNNER_PORT: 'x' }, 'RUNNER_PORT must be a whole number'],
    [{ RUNNER_SECRET: 'short' }, 'RUNNER_SECRET must be 16 to 512'],
    [{ RUNNER_PYTHON: '/nowhere/python' }, 'RUNNER_PYTHON'],
    [{ RUNNER_REQUIRE_ISOLATION: '1', RUNNER_NO_ISOLATION: '1' }, 'are not both possible'],
  ])(
    'does not start with %j',
    async (env, said) => {
      await expect(startRunner(env)).rejects.toThrow(said)
    },
    60_000,
  )
})
