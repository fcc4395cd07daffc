/** `npm run backup` and `npm run restore` with all that a deployment may have: several workspaces of a tenant, the registry, the index database. */
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import * as z from 'zod'
import { makeDataDir, removeDataDir, startService, type Service } from '../../scripts/lib/service.mjs'
import { call, callTask, ENV, runScript } from './support.ts'

const folder = makeDataDir()
const at = (name: string) => join(folder, name)
const ADMIN_KEY = 'operator-of-the-end-to-end-tests-only'
const env = {
  ...ENV,
  API_KEYS: 'dev:dev-key',
  ADMIN_KEY,
  SIGNING_SECRET: 's'.repeat(32),
  TENANT_SHARDS: 'dev:4',
  INDEX_DATABASE: 'true',
}
let running: Service | null = null
afterAll(async () => {
  await running?.stop()
  removeDataDir(folder)
})

const run = (script: string, dataDir: string, ...args: string[]) =>
  runScript(script, args, { ...env, DATA_DIR: dataDir })

const Key = z.looseObject({ id: z.string(), key: z.string() })
const Page = z.object({
  data: z.array(z.looseObject({ id: z.string(), status: z.string() })),
  next_cursor: z.string().nullable(),
})
async function admin(service: Service, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' }
  const response = await fetch(`${service.url}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? null : response.json()
}
const statusWith = async (service: Service, key: string) =>
  (await fetch(`${service.url}/tasks`, { headers: { authorization: `Bearer ${key}` } })).status

/** Each task of all pages with its status, the newest first. */
async function listed(service: Service, query = ''): Promise<string[]> {
  const found: string[] = []
  for (let after = ''; ;) {
    const page = Page.parse(await call(service, 'GET', `/tasks?limit=50${query}${after}`))
    found.push(...page.data.map(({ id, status }) => `${id} ${status}`))
    if (page.next_cursor === null) return found
    after = `&after=${page.next_cursor}`
  }
}

/** Makes, works off and deletes tasks until it is told to stop. */
async function load(service: Service, isOver: () => boolean): Promise<number> {
  let made = 0
  const one = async (worker: number) => {
    for (let turn = 0; !isOver(); turn++) {
      const { id } = await callTask(service, 'POST', '/tasks', { goal: `buy milk ${worker}-${turn}`, rounds: 2 })
      if (turn % 3 === 1) await callTask(service, 'POST', `/tasks/${id}/step`, { rounds: 9 })
      if (turn % 4 === 3) await call(service, 'DELETE', `/tasks/${id}`)
      made++
    }
  }
  await Promise.all([1, 2, 3].map(one))
  return made
}

it('OPS-20 a backup under load of shards, registry and index is restored: journals replay, lists are those of the tasks, keys are as they were', async () => {
  running = await startService({ dataDir: at('source'), env })
  await admin(running, 'POST', '/admin/tenants', { name: 'dev', limits: { open_tasks: 900 } })
  const [live, revoked] = [
    Key.parse(await admin(running, 'POST', '/admin/keys', { tenant: 'dev', name: 'live' })),
    Key.parse(await admin(running, 'POST', '/admin/keys', { tenant: 'dev', name: 'revoked' })),
  ]
  await admin(running, 'DELETE', `/admin/keys/${revoked.id}`)
  const before: string[] = []
  for (let turn = 0; turn < 12; turn++)
    before.push((await callTask(running, 'POST', '/tasks', { goal: `call mum ${turn}`, rounds: 0 })).id)
  let over = false
  const loaded = load(running, () => over)
  const made = await run('backup', at('source'), at('backup'))
  over = true
  expect(made, made.printed).toMatchObject({ code: 0 })
  expect(await loaded).toBeGreaterThan(0)
  await running.stop()

  const placed = await run('restore', at('restored'), at('backup'))
  expect(placed, placed.printed).toMatchObject({ code: 0 })
  expect(placed.printed).toMatch(/\d+ journals with \d+ rows, 0 of them not equal/)
  expect(placed.printed).toMatch(/dev: \d+ tasks entered/)
  running = await startService({ dataDir: at('restored'), env })
  const service = running
  expect([await statusWith(service, live.key), await statusWith(service, revoked.key)]).toEqual([200, 401])

  const calls = await listed(service, '&q=call%20mum')
  expect(calls).toEqual(before.toReversed().map((id) => `${id} running`))
  // Whatever a list shows is there and in this status, and the tasks that the restore has counted are all of them.
  const all = await listed(service)
  const shown = await Promise.all(
    all.map(async (entry) => {
      const { id, status } = await callTask(service, 'GET', `/tasks/${entry.split(' ')[0]}`)
      return `${id} ${status}`
    }),
  )
  expect(all).toEqual(shown)
  expect(placed.printed).toContain(`dev: ${all.length} tasks entered`)
  expect((await listed(service, '&q=buy%20milk')).length).toBe(all.length - before.length)
  for (const entry of all)
    expect(await call(service, 'POST', `/tasks/${entry.split(' ')[0]}/replay`)).toMatchObject({ equal: true })

  // The index goes on to be fed: what is made, changed and deleted now is found by it.
  const { id } = await callTask(service, 'POST', '/tasks', { goal: 'call dad', rounds: 0 })
  await call(service, 'DELETE', `/tasks/${before[0]}`)
  expect(await listed(service, '&q=call')).toEqual([`${id} running`, ...calls.slice(0, -1)])
  await service.stop()
  running = await startService({ dataDir: at('restored'), env: { ...env, INDEX_DATABASE: 'false' } })
  expect(await listed(running, '&q=call')).toEqual([`${id} running`, ...calls.slice(0, -1)])
}, 120_000)
