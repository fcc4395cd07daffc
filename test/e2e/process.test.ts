/** The service as a process: how it starts, refuses to start, and ends; and what the bundle weighs. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { call, newPlace, processesWith, type Place } from './support.ts'

let place: Place
afterEach(() => place.leave())

describe('npm start', () => {
  it('prints one line when ready and ends with its children on SIGTERM', async () => {
    place = newPlace()
    const service = await place.start()
    expect(await call(service, 'GET', '/health')).toMatchObject({ status: 'ok' })
    const line = `loop-agent is listening on ${service.url} (model: offline, key: dev-key, data: ${place.dataDir})\n`
    await expect.poll(() => service.output()).toBe(line)
    expect((await processesWith(place.dataDir)).some((process) => process.includes('workerd'))).toBe(true)
    await service.stop()
    expect(await processesWith(place.dataDir)).toEqual([])
  })

  it('leaves no workerd behind when only the process itself is killed', async () => {
    place = newPlace()
    const service = await place.start()
    process.kill(service.pid, 'SIGKILL')
    await expect.poll(() => processesWith(place.dataDir), { timeout: 5_000 }).toEqual([])
  })

  it('ruling 21 takes the defaults of the settings from the environment', async () => {
    place = newPlace()
    const service = await place.start({ MAX_STEPS: '7', TIMEZONE: 'Asia/Shanghai' })
    const task = await call(service, 'POST', '/tasks', { goal: 'buy milk', rounds: 0 })
    expect(task).toMatchObject({ budget: { max: 7 }, timezone: 'Asia/Shanghai' })
  })

  it.each([
    ['a port that is taken', (port: string) => ({ PORT: port }), /error: port \d+ is taken/],
    ['a port that is none', () => ({ PORT: '70000' }), /error: PORT must be/],
    [
      'openai without a model',
      () => ({ MODEL_PROVIDER: 'openai', OPENAI_API_KEY: 'sk-x' }),
      /error: OPENAI_MODEL must/,
    ],
    ['an unknown time zone', () => ({ TIMEZONE: 'Mars/Base' }), /error: TIMEZONE must/],
    ['keys that are none', () => ({ API_KEYS: 'secret' }), /error: API_KEYS entry 1 is not/],
    [
      'production without keys and with something else that is wrong',
      () => ({ ENVIRONMENT: 'production', TIMEZONE: 'Mars/Base' }),
      /error: TIMEZONE must/,
    ],
    [
      'a search without its key',
      () => ({ SEARCH_PROVIDER: 'brave', SEARCH_BASE_URL: undefined }),
      /error: .*SEARCH_API_KEY/,
    ],
  ])('ruling 21 refuses to start with %s, and says why', async (_, env, reason) => {
    place = newPlace()
    const port = await portOf(place, env.length > 0)
    await expect(place.start(env(port))).rejects.toThrow(reason)
  })
})

describe('production without API_KEYS', () => {
  it('ruling 21 starts, says so, and refuses every request with 503 not_configured', async () => {
    place = newPlace()
    const service = await place.start({ ENVIRONMENT: 'production' })
    await expect.poll(() => service.output()).toContain('no keys: every request is 503 until API_KEYS is set')
    for (const path of ['/health', '/tasks', '/openapi.yaml', '/nowhere']) {
      const response = await fetch(`${service.url}${path}`, { headers: { authorization: 'Bearer dev-key' } })
      expect([response.status, await response.json()]).toEqual([
        503,
        expect.objectContaining({ code: 'not_configured', detail: expect.stringContaining('API_KEYS must be set') }),
      ])
    }
  })
})

async function portOf(somewhere: Place, needed: boolean): Promise<string> {
  return needed ? new URL((await somewhere.start()).url).port : ''
}

describe('the bundle', () => {
  it('ruling 28 is at most 250 KB gzip at start and 3 MB in all', () => {
    const { size } = JSON.parse(readFileSync('dist/manifest.json', 'utf8'))
    expect(size.start.gzip).toBeLessThanOrEqual(250_000)
    expect(size.upload.gzip).toBeLessThanOrEqual(3_000_000)
    // The openai package is a module of its own, loaded on first use.
    expect(size.upload.gzip - size.start.gzip).toBeGreaterThan(50_000)
  })

  it.each([
    ['what is called of the openai package', '/chat/completions', 1],
    ['the rest of it, which is nowhere', '/fine_tuning/jobs', 0],
    ['the rules of the built-in model', 'offline-rules', 1],
    ['the schemas of answers', 'mean relative error', 1],
    ['ruling 28 the reader of workbooks', 'Unsupported ZIP', 1],
    ['ruling 28 the library of charts', 'http://www.w3.org/2000/svg', 1],
    ['ruling 28 the client of a runner', '/datasets/', 1],
  ])('is started without %s', (_, text, modules) => {
    const manifest: { modules: string[]; start: string[] } = JSON.parse(readFileSync('dist/manifest.json', 'utf8'))
    const having = manifest.modules.filter((name) => readFileSync(`dist/${name}`, 'utf8').includes(text))
    expect(having).toHaveLength(modules)
    expect(manifest.start).toContain('index.js')
    expect(manifest.start.filter((name) => having.includes(name))).toEqual([])
  })

  it('ruling 28 the interpreter is a module of its own, which no start parses', () => {
    const manifest: { modules: string[]; start: string[] } = JSON.parse(readFileSync('dist/manifest.json', 'utf8'))
    expect(manifest.modules.filter((name) => name.endsWith('.wasm'))).toHaveLength(1)
    expect(manifest.start.filter((name) => name.endsWith('.wasm'))).toEqual([])
  })

  it('is what a deployment uploads', async () => {
    place = newPlace()
    const outdir = `${place.dataDir}/upload`
    const printed = await new Promise<string>((resolve, reject) => {
      const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' }
      const args = ['node_modules/wrangler/bin/wrangler.js', 'deploy', '--dry-run', '--outdir', outdir]
      execFile(process.execPath, args, { env }, (error, stdout) => (error === null ? resolve(stdout) : reject(error)))
    })
    expect(printed).toContain('env.TASKS (TaskObject)')
    const { modules } = JSON.parse(readFileSync('dist/manifest.json', 'utf8'))
    for (const name of modules) expect(readFileSync(`${outdir}/${name}`)).toEqual(readFileSync(`dist/${name}`))
  })
})
