/** The log: its levels, a line for each slice, and what stands in no line. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { errorFacts, framesOf } from '../../src/telemetry/error-facts.ts'
import { jsonLog, LOG_LEVELS, type LogLevel } from '../../src/telemetry/log.ts'
import { ACME, linkBench, pathOf } from '../support/link-bench.ts'
import { act, ask, benchOf, CALLER, closed, createTask, done, NONE, ONE, planned, taken } from '../support/scripted.ts'
import { keptTelemetry } from '../support/telemetry.ts'

const LINES = [
  { event: 'metrics_delayed', error: 'Error', reason: 'unexpected' },
  { event: 'alarm_failed', error: 'Error', reason: 'unexpected' },
  { event: 'request', request_id: 'r', method: 'GET', route: '/', status: 200, duration_ms: 1 },
  { event: 'job', kind: 'drive', duration_ms: 1 },
] as const

describe('the levels', () => {
  it.each<[LogLevel, string[]]>([
    ['off', []],
    ['error', ['alarm_failed']],
    ['warn', ['metrics_delayed', 'alarm_failed']],
    ['info', ['metrics_delayed', 'alarm_failed', 'request']],
    ['debug', ['metrics_delayed', 'alarm_failed', 'request', 'job']],
  ])('LOG-04 %s shows its own lines and those that are more urgent', (level, expected) => {
    const said: string[] = []
    const heard: string[] = []
    const log = jsonLog({
      level: () => level,
      now_ms: () => 0,
      print: (own, text) => said.push(`${own} ${text}`),
      onError: (event) => heard.push(event),
    })
    for (const line of LINES) log.write(line)
    expect(said.map((text) => JSON.parse(text.slice(text.indexOf('{'))).event)).toEqual(expected)
    for (const text of said) expect(JSON.parse(text.slice(text.indexOf('{'))).level).toBe(text.split(' ', 1)[0])
    expect(heard).toEqual(['alarm_failed'])
  })

  it.each([
    [{ ENVIRONMENT: 'production' }, 'info'],
    [{ API_KEYS: 'a:b' }, 'info'],
    [{ ENVIRONMENT: 'development' }, 'warn'],
    [{ ENVIRONMENT: 'development', LOG_LEVEL: 'debug' }, 'debug'],
    [{ ENVIRONMENT: 'production', LOG_LEVEL: 'off' }, 'off'],
  ])('LOG-04 with %j the level is %s: in development the lines for people do not drown', (env, level) => {
    expect(parseConfig(env).log_level).toBe(level)
  })

  it.each([
    ['LOG_LEVEL', 'verbose', `must be one of ${LOG_LEVELS.join(', ')}`],
    ['METRICS_TENANTS', '1001', 'must be a whole number from 0 to 1000'],
    ['METRICS_TENANTS', '-1', 'must be a whole number from 0 to 1000'],
    ['METRICS_TOKEN', 'short', 'must have 16 to 512 of the characters'],
    ['METRICS_TOKEN', 'with a blank in it, so no token', 'must have 16 to 512 of the characters'],
  ])('LOG-04 %s=%s is refused with what is allowed, and not repeated', (name, value, words) => {
    const errors = parseConfig({ ENVIRONMENT: 'development', [name]: value }).config_errors
    expect(errors).toEqual([expect.stringContaining(`${name} ${words}`)])
    expect(errors.join()).not.toContain(value)
  })
})

describe('a slice', () => {
  it('LOG-01 writes one line with the task, what caused it, what it did and what it cost', async () => {
    const { telemetry, lines, points, counts } = keptTelemetry()
    const script = { plan: [planned('A')], thought: [act(), done()], replan: [closed()] }
    const bench = benchOf({ ...script, tools: [{ ok: true }] }, { telemetry })
    const caller = { ...CALLER, request_id: 'r-1' }
    const { id } = await createTask(bench, {}, NONE, { caller })
    await bench.service.stepTask(caller, id, ONE)
    const ended = taken(await bench.service.stepTask({ ...CALLER }, id, { rounds: 9, max_ms: 9_000 }))
    const slices = lines('slice')
    expect(slices).toHaveLength(3)
    expect(slices.map(({ by }) => by)).toEqual(['command', 'request', 'drive'])
    expect(slices[1]).toEqual({
      time: '2026-11-28T00:00:00.000Z',
      level: 'info',
      event: 'slice',
      request_id: 'r-1',
      tenant: 'acme',
      task: id,
      mode: 'plan_execute',
      by: 'request',
      outcome: 'advanced',
      status: expect.any(String),
      duration_ms: 0,
      rounds: 1,
      steps: expect.any(Number),
      tokens: expect.any(Number),
      cost_usd: '0.000000',
    })
    expect(slices[2]).not.toHaveProperty('request_id')
    const sum = (name: string) => slices.reduce((total, line) => total + Number(line[name]), 0)
    expect([sum('steps'), sum('tokens')]).toEqual([ended.budget.used, ended.budget.tokens.used])
    const counted = counts()
    expect(counted['steps']).toEqual({ '["plan_execute"]': [ended.budget.used] })
    expect(counted['tokens']).toEqual({ '["plan_execute"]': [ended.budget.tokens.used] })
    expect(counted['tasks_ended']).toEqual({ '["plan_execute","completed","done"]': [1] })
    expect(points).toHaveLength(4)
  })

  it('MET-07 gives the analytics one point, and the end of its task another, in documented columns', async () => {
    const { telemetry, points } = keptTelemetry('off')
    const bench = benchOf(
      { plan: [planned('A')], thought: [act(), done()], replan: [closed()], tools: [{ ok: true }] },
      { telemetry },
    )
    const { id } = await createTask(bench)
    const task = taken(await bench.service.stepTask({ ...CALLER, request_id: 'r' }, id, { rounds: 9, max_ms: 9_000 }))
    const { used, tokens } = task.budget
    const [, slice, whole] = points
    expect(slice).toEqual({
      indexes: ['acme'],
      blobs: ['slice', 'acme', 'plan_execute', 'scripted', 'advanced', 'completed', 'request'],
      doubles: [0, expect.any(Number), expect.any(Number), expect.any(Number), 0],
    })
    expect(whole).toEqual({
      indexes: ['acme'],
      blobs: ['task', 'acme', 'plan_execute', 'scripted', 'done', 'completed', 'request'],
      doubles: [0, 0, used, tokens.used, 0],
    })
  })

  it('LOG-01 that is shown again under its key charges nothing a second time', async () => {
    const { telemetry, lines, counts } = keptTelemetry()
    const bench = benchOf(
      { plan: [planned('A')], thought: [act()], replan: [planned('B')], tools: [{ ok: true }] },
      { telemetry },
    )
    const { id } = await createTask(bench)
    const caller = { ...CALLER, key: { scope: `POST /tasks/${id}/step`, key: 'k', digest: 'd' } }
    await bench.service.stepTask(caller, id, ONE)
    const before = counts()['steps']
    expect(before).toBeDefined()
    await bench.service.stepTask(caller, id, ONE)
    expect(counts()['steps']).toBeUndefined()
    expect(lines('slice').at(-1)).toMatchObject({ steps: 0, tokens: 0 })
  })

  it('LOG-02 that throws is a warning', async () => {
    const { telemetry, lines } = keptTelemetry()
    const bench = benchOf({ plan: [planned('A')] }, { telemetry })
    const { id } = await createTask(bench)
    const { store } = bench
    const task = store.of(CALLER.tenant, id)
    store.of = () => ({ ...task, commit: () => Promise.reject(new TypeError('x')) })
    await expect(bench.service.stepTask(CALLER, id, ONE)).rejects.toThrow('x')
    expect(lines('slice').at(-1)).toMatchObject({ level: 'warn', outcome: 'failed', task: id })
  })
})

describe('what stands in no line', () => {
  const CANARY = 'CANARY7f3a'
  const WEBHOOK_SECRET = `acme:whsec_${btoa('CANARY7f3a: a secret of 32 bytes')}`

  it('LOG-03 a secret, a goal, a query string, a token or a header, wherever it came from', async () => {
    const { telemetry, texts, lines } = keptTelemetry('debug')
    const said = `${CANARY} said`
    const script = {
      plan: [planned(said), planned(said)],
      thought: [ask(`${CANARY}?`), act(`/todo add ${CANARY}`), act(said, CANARY), new Error(said), said, said, said],
      replan: [planned(said), planned(said)],
      tools: [
        { ok: false, text: said, code: CANARY },
        { ok: true, text: said },
      ],
    }
    const env = {
      SIGNING_SECRET: `${CANARY}-signs-the-links`,
      METRICS_TOKEN: `${CANARY}-metrics-token`,
      WEBHOOK_SECRET,
    }
    const bench = linkBench(script, env, telemetry)
    const path = pathOf(await bench.asking())
    const json = { ...ACME, 'content-type': 'application/json' }
    const secrets = {
      'user-agent': CANARY,
      cookie: CANARY,
      'x-forwarded-for': CANARY,
      referer: `https://${CANARY}.example`,
    }
    const post = (path: string, body: unknown, more = {}) =>
      bench.quick('POST', path, typeof body === 'string' ? body : JSON.stringify(body), { ...json, ...more })
    await bench.quick('PUT', '/secrets/API', JSON.stringify({ value: said, hosts: ['a.example'] }), json)
    const goal = { goal: said, title: said, metadata: { note: said }, instructions: said, rounds: 1 }
    const created = await post(
      '/tasks',
      { ...goal, callback_url: `https://hooks.example.com/${CANARY}?key=${CANARY}` },
      secrets,
    )
    const made_text = await created.text()
    expect(created.status, made_text).toBe(201)
    const { id } = JSON.parse(made_text)
    for (let made = 0; made < 3; made++)
      await post(`/tasks/${id}/step?token=${CANARY}`, {}, { ...secrets, 'idempotency-key': `${CANARY}-${made}` })
    await bench.quick('GET', path)
    await bench.quick('POST', path, said, { 'content-type': 'text/plain' })
    await post(`/tasks/${id}/input`, { input: said })
    await post('/commands', { command: `/todo add ${said}` })
    await bench.quick('GET', `/tasks?q=${CANARY}&metadata.note=${CANARY}`, null, ACME)
    await bench.quick('GET', '/tasks', null, { authorization: `Bearer ${CANARY}` })
    await bench.quick('GET', `/tasks/${CANARY}/${CANARY}`, null, ACME)
    await bench.quick('GET', `/answers/${CANARY}`)
    await bench.quick('GET', `/tasks/${CANARY}`, null, ACME)
    await post('/tasks', `{"goal": "${CANARY}`)
    await post('/tasks', { [CANARY]: said })
    await bench.quick('PUT', `/tasks/${id}/files/${CANARY}.txt`, said, { ...ACME, 'content-type': 'text/plain' })
    for (const thrown of [
      new Error(said),
      new SyntaxError(said),
      new TypeError(`${said}\n    at ${CANARY} (${CANARY}.js:1:2)`),
    ]) {
      bench.store.of = () => {
        throw thrown
      }
      expect((await bench.quick('GET', `/tasks/${id}`, null, ACME)).status).toBe(500)
    }
    expect(lines('request').length).toBeGreaterThan(15)
    expect(lines('slice').length).toBeGreaterThan(3)
    expect(lines('request_failed')).toHaveLength(3)
    const token = path.split('/').at(-1) ?? ''
    for (const text of texts) expect(text).not.toMatch(new RegExp(`${CANARY}|acme-key|${token.slice(-20)}`, 'i'))
  })

  it.each([
    [
      new TypeError("Cannot read properties of null (reading 'head')"),
      { error: 'TypeError', reason: "Cannot read properties of null (reading 'head')" },
    ],
    [new TypeError('x.y is not a function'), { error: 'TypeError', reason: 'x.y is not a function' }],
    [
      new TypeError("Cannot read properties of null (reading 'a secret')"),
      { error: 'TypeError', reason: 'unexpected' },
    ],
    [new Error('database or disk is full: SQLITE_FULL'), { error: 'Error', reason: 'storage_full' }],
    [Object.assign(new Error('secret'), { overloaded: true }), { error: 'Error', reason: 'overloaded' }],
    [Object.assign(new Error('secret'), { durableObjectReset: true }), { error: 'Error', reason: 'object_reset' }],
    [new DOMException('secret', 'TimeoutError'), { error: 'TimeoutError', reason: 'timeout' }],
    [Object.assign(new Error('secret'), { name: 'a secret of mine' }), { error: 'Error', reason: 'unexpected' }],
    ['a text', { error: 'unknown', reason: 'unexpected' }],
  ])('LOG-03 of %j only its class and a known reason are told', (thrown, facts) => {
    expect(errorFacts(thrown)).toEqual(facts)
  })

  it('LOG-03 the frames of a stack are told without its message', () => {
    const error = new Error('a secret\n    at goal (secret.js:1:2)')
    expect(framesOf(error)).toMatch(/^at .*log\.test\.ts:\d+:\d+/)
    expect(framesOf(error)).not.toContain('secret')
    error.message = 'changed since'
    expect(framesOf(error)).toBe('')
  })
})

it('LOG-06 nothing in the service writes to the console but its one log', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const writers = files.filter((name) =>
    /^(?!\s*(?:\/?\*|'|\/\/)).*\bconsole(?:\.(?:log|error|warn|info|debug)|\[)/m.test(
      readFileSync(join('src', name), 'utf8'),
    ),
  )
  expect(writers).toEqual(['telemetry/isolate.ts'])
})
