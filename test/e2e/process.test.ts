/** The service as a process: how it starts, refuses to start, and ends; and what the bundle weighs. */
import { execFile } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { call, newPlace, processesWith, type Place } from './support.ts'

let place: Place
afterEach(() => place.leave())

describe('npm start', () => {
  it('prints one line when it is ready, and ends with its children on SIGTERM', async () => {
    place = newPlace()
    const service = await place.start()
    expect(await call(service, 'GET', '/health')).toMatchObject({ status: 'ok' })
    const why = 'development, as ENVIRONMENT says'
    const line = `loop-agent is listening on ${service.url} (${why}; model: offline, key: dev-key, data: ${place.dataDir})\n`
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

  it('U21 takes the defaults of the settings from the environment', async () => {
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
      'U41 keys, but no secret for links',
      () => ({ ENVIRONMENT: undefined, API_KEYS: 'a:a-key', PUBLIC_URL: 'https://agent.example' }),
      /error: SIGNING_SECRET must be set in production.*openssl rand -base64 32/,
    ],
    [
      'U41 keys, but no address for links',
      () => ({ ENVIRONMENT: undefined, API_KEYS: 'a:a-key', SIGNING_SECRET: 'sixteen characters' }),
      /error: PUBLIC_URL must be set in production/,
    ],
    [
      'a search without its key',
      () => ({ SEARCH_PROVIDER: 'brave', SEARCH_BASE_URL: undefined }),
      /error: .*SEARCH_API_KEY/,
    ],
  ])('U21 refuses to start with %s, and says why', async (_, env, reason) => {
    place = newPlace()
    const port = await portOf(place, env.length > 0)
    await expect(place.start({ DATA_DIR: `${place.dataDir}/other`, ...env(port) })).rejects.toThrow(reason)
  })
})

describe('production without API_KEYS', () => {
  it('U21 starts, says so, and refuses every request with 503 not_configured', async () => {
    place = newPlace()
    const service = await place.start({ ENVIRONMENT: 'production' })
    await expect
      .poll(() => service.output())
      .toContain('no keys: every request is 503 until API_KEYS or ADMIN_KEY is set')
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

interface Manifest {
  modules: string[]
  start: string[]
  size: { start: { gzip: number }; upload: { gzip: number } }
}
const BUNDLES = { api: 'dist', compute: 'dist/compute', single: 'dist/single' }
const manifestOf = (directory: string): Manifest => JSON.parse(readFileSync(`${directory}/manifest.json`, 'utf8'))

describe('the bundle', () => {
  it('U28 is at most 250 KB gzipped at start and 3 MB in all for each Worker', () => {
    for (const directory of Object.values(BUNDLES)) {
      const { size } = manifestOf(directory)
      expect(size.start.gzip).toBeLessThanOrEqual(250_000)
      expect(size.upload.gzip).toBeLessThanOrEqual(3_000_000)
    }
    const [api, single] = [manifestOf(BUNDLES.api).size, manifestOf(BUNDLES.single).size]
    // The openai package is a module of its own, loaded on first use.
    expect(api.upload.gzip - api.start.gzip).toBeGreaterThan(50_000)
    // What computes is uploaded with the compute Worker.
    expect(api.upload.gzip).toBeLessThan(single.upload.gzip / 2)
  })

  it.each([
    ['what is called of the openai package', '/chat/completions', { api: 1, compute: 0, single: 1 }],
    ['the rest of it, which is nowhere', '/fine_tuning/jobs', { api: 0, compute: 0, single: 0 }],
    ['the rules of the built-in model', 'no action is left for the current item', { api: 1, compute: 0, single: 1 }],
    ['U28 the modes', 'You do no work yourself', { api: 1, compute: 0, single: 1 }],
    ['U28 the prices of models', 'genai-prices@', { api: 1, compute: 0, single: 1 }],
    ['the schemas of answers', 'mean relative error', { api: 1, compute: 0, single: 1 }],
    ['U28 the reader of workbooks', 'Unsupported ZIP', { api: 0, compute: 1, single: 1 }],
    ['U28 the library of charts', '[ECharts]', { api: 0, compute: 1, single: 1 }],
    ['U28 the client of a runner', '/datasets/', { api: 1, compute: 0, single: 1 }],
  ])('starts without %s', (_, text, expected) => {
    const having = (directory: string) =>
      manifestOf(directory).modules.filter((name) => readFileSync(`${directory}/${name}`, 'utf8').includes(text))
    const counts = Object.entries(BUNDLES).map(([name, directory]) => [name, having(directory).length])
    expect(Object.fromEntries(counts)).toEqual(expected)
    for (const directory of Object.values(BUNDLES)) {
      const { start } = manifestOf(directory)
      expect(start).toContain('index.js')
      expect(start.filter((name) => having(directory).includes(name))).toEqual([])
    }
  })

  it('U28, U44 has the interpreter as a module of its own, which no start parses and which the API does not have', () => {
    const wasm = (names: string[]) => names.filter((name) => name.endsWith('.wasm')).length
    const counts = Object.entries(BUNDLES).map(([name, directory]) => [name, wasm(manifestOf(directory).modules)])
    expect(Object.fromEntries(counts)).toEqual({ api: 0, compute: 1, single: 1 })
    for (const directory of Object.values(BUNDLES)) expect(wasm(manifestOf(directory).start)).toBe(0)
  })

  it('is what a deployment uploads: the API with its objects and its binding, and the compute Worker without objects', async () => {
    place = newPlace()
    const upload = async (config: string, directory: string) => {
      const outdir = `${place.dataDir}/${config}`
      const printed = await new Promise<string>((resolve, reject) => {
        const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' }
        const wrangler = ['node_modules/wrangler/bin/wrangler.js', 'deploy', '--config', config]
        const args = [...wrangler, '--dry-run', '--outdir', outdir]
        execFile(process.execPath, args, { env }, (error, stdout) => (error === null ? resolve(stdout) : reject(error)))
      })
      const { modules } = manifestOf(directory)
      for (const name of modules)
        expect(readFileSync(`${outdir}/${name}`)).toEqual(readFileSync(`${directory}/${name}`))
      expect(readdirSync(outdir).filter((name) => /\.(?:js|wasm|txt)$/.test(name))).toHaveLength(modules.length)
      return printed
    }
    const [api, compute] = await Promise.all([
      upload('wrangler.toml', BUNDLES.api),
      upload('wrangler.compute.toml', BUNDLES.compute),
    ])
    expect(api).toContain('env.TASKS (TaskObject)')
    expect(api).toContain('env.COMPUTE (loop-agent-compute)')
    expect(compute).not.toContain('env.')
  }, 120_000)

  it('has the same settings when it is deployed as one Worker', () => {
    const settings = (path: string) =>
      readFileSync(path, 'utf8')
        .replaceAll(/^#.*\n/gm, '')
        .replace('"dist/single/', '"dist/')
        .replace('[[services]]\nbinding = "COMPUTE"\nservice = "loop-agent-compute"\n', '')
        .replaceAll(/\n{2,}/g, '\n')
    expect(settings('wrangler.single.toml')).toBe(settings('wrangler.toml'))
  })
})
