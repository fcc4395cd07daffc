/** Bindings that may be left out of wrangler.toml: the service starts without each of them, works, and says what is missing where it is needed. */
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { readManifest, readModules } from '../../scripts/lib/bundle.mjs'
import { call, callTask } from './support.ts'

let running: Miniflare | null = null
afterEach(async () => {
  await running?.dispose()
  running = null
})

const NEEDED = new Set(['TASKS', 'WORKSPACES', 'REGISTRY'])
const Manifest = z.object({
  worker: z.looseObject({ name: z.string(), durableObjects: z.record(z.string(), z.unknown()) }),
  modules: z.array(z.string()),
})

/** The bundle of the API with the two classes that it cannot do without, and with what `more` binds. */
async function startBare(more: object = {}, dist = 'dist') {
  const { worker, modules } = Manifest.parse(readManifest(dist))
  const objects = Object.entries(worker.durableObjects).filter(([name]) => NEEDED.has(name))
  const bare = {
    name: worker.name,
    compatibilityDate: worker['compatibilityDate'],
    compatibilityFlags: worker['compatibilityFlags'],
    bindings: { ENVIRONMENT: 'development', MODEL_PROVIDER: 'offline', LOG_LEVEL: 'error' },
    durableObjects: Object.fromEntries(objects),
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    modules: readModules(join(process.cwd(), dist), modules),
    ...more,
  }
  const options = { host: '127.0.0.1', port: 0, cf: false, telemetry: { enabled: false }, workers: [bare] }
  // The manifest was written by the same version.
  running = new Miniflare(convertV4MiniflareOptions(options as never))
  return { url: (await running.unsafeGetDirectURL()).origin }
}

const KEY = { authorization: 'Bearer dev-key' }
const LONG = `name,value\n${'row,1\n'.repeat(50_000)}`
const problem = async (response: Response) => [response.status, await response.json()]

describe('OPS-14 with no optional binding at all', () => {
  it('OPS-14 tasks of both drives are worked off, and each thing that is missing is named where it is needed', async () => {
    const service = await startBare()
    expect(await call(service, 'GET', '/health')).toMatchObject({ status: 'ok' })
    expect(await callTask(service, 'POST', '/tasks', { goal: 'buy milk tomorrow', rounds: 20 })).toMatchObject({
      status: 'completed',
    })
    // Without JOBS the object does its job itself.
    const driven = await callTask(service, 'POST', '/tasks', { goal: 'buy milk tomorrow', drive: 'background' })
    await expect
      .poll(async () => (await callTask(service, 'GET', `/tasks/${driven.id}`)).status, { timeout: 20_000 })
      .toBe('completed')

    const analysis = await callTask(service, 'POST', '/tasks', {
      goal: 'Analyse a.csv',
      mode: 'autonomous',
      settings: { dataset: 'a.csv' },
      rounds: 0,
    })
    const put = await fetch(`${service.url}/tasks/${analysis.id}/files/a.csv`, {
      method: 'PUT',
      headers: KEY,
      body: LONG,
    })
    expect(await problem(put)).toEqual([503, expect.objectContaining({ code: 'not_configured' })])
    for (const path of ['/', '/docs', '/openapi.json'])
      expect(await problem(await fetch(`${service.url}${path}`))).toEqual([
        503,
        expect.objectContaining({ code: 'not_configured', detail: expect.stringContaining('ASSETS is not bound') }),
      ])
    expect(await problem(await fetch(`${service.url}/metrics`))).toEqual([
      404,
      expect.objectContaining({ detail: expect.stringContaining('METRICS is bound') }),
    ])
  }, 60_000)

  it('OPS-14 without COMPUTE a dataset cannot be read, and the task is told so', async () => {
    const service = await startBare({ r2Buckets: { FILES: 'files' } })
    const task = await callTask(service, 'POST', '/tasks', {
      goal: 'Analyse a.csv',
      mode: 'autonomous',
      settings: { dataset: 'a.csv' },
      rounds: 0,
    })
    await fetch(`${service.url}/tasks/${task.id}/files/a.csv`, { method: 'PUT', headers: KEY, body: LONG })
    await callTask(service, 'POST', `/tasks/${task.id}/step`, { rounds: 3 })
    const journal = JSON.stringify(await call(service, 'GET', `/tasks/${task.id}/journal?limit=100`))
    expect(journal).toContain('deployed without its compute Worker')
  }, 60_000)
})
