/** What earlier releases have left behind (test/fixtures/releases), under this one: it is readable, looks as it did, and goes on. */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { unpack, type PackedRelease } from '../../scripts/lib/release/pack.mjs'
import { makeDataDir, removeDataDir, startService, type Service } from '../../scripts/lib/service.mjs'
import { call, callTask, ENV, until } from './support.ts'

const RELEASES = globSync('test/fixtures/releases/*.json.br')
const env = { ...ENV, MAX_DRIVEN_TASKS: '4' }

/** What neither the time since nor the address of the service changes. */
const STEADY = [
  'id',
  'mode',
  'goal',
  'title',
  'metadata',
  'status',
  'stop_reason',
  'step_count',
  'created_at',
  'drive',
  'forked_from',
  'agent',
]
const steady = (task: Record<string, unknown>) =>
  Object.fromEntries(STEADY.filter((name) => name in task).map((name) => [name, task[name]]))
/** A report is awaited for a week at most, and what these data are compared with was told when they were made. */
const isWaitingForWorker = ({ mode }: Record<string, unknown>) => mode === 'orchestrator'
const Answered = z.object({ text: z.string() })
const Listed = z.object({ data: z.array(z.record(z.string(), z.unknown())) })
const dataOf = (value: unknown) => Listed.parse(value).data
const pick = (value: unknown, ...names: string[]) =>
  dataOf(value).map((one) => Object.fromEntries(names.map((name) => [name, one[name]])))

describe.each(RELEASES)('data of %s', (file) => {
  const dataDir = makeDataDir()
  let service: Service
  let release: PackedRelease
  const id = (name: string) => release.ids[name] ?? expect.fail(`the fixture has no task ${name}`)
  const at = (name: string) => `/tasks/${id(name)}`

  beforeAll(async () => {
    release = unpack(file, dataDir)
    service = await startService({ dataDir, env: { ...env, ...release.env } })
  }, 60_000)
  afterAll(async () => {
    await service.stop()
    removeDataDir(dataDir)
  })

  it('OPS-06 every task is readable and looks as it did, and every journal replays', async () => {
    expect(release.told.tasks.length).toBeGreaterThan(20)
    for (const before of release.told.tasks.filter((task) => !isWaitingForWorker(task))) {
      const now = await call(service, 'GET', `/tasks/${String(before['id'])}`)
      expect(now, JSON.stringify(before['goal'])).toMatchObject(steady(before))
      for (const member of ['plan', 'budget', 'result', 'handover'])
        expect(now).toMatchObject({ [member]: withoutLinks(before[member]) })
    }
    for (const { id: one } of release.told.tasks)
      expect(await call(service, 'POST', `/tasks/${String(one)}/replay`), String(one)).toMatchObject({ equal: true })
  })

  it('OPS-06 the workspace has what it had: lists, todos, calendar, secrets, agents, schedules, deliveries, files', async () => {
    const { paths, commands } = release.told
    const ids = (value: unknown) => dataOf(value).map(({ id: one }) => one)
    const listed = ids(await call(service, 'GET', '/tasks?limit=100'))
    expect(listed.filter((one) => !release.unfinished.includes(String(one)))).toEqual(ids(paths['/tasks?limit=100']))
    expect(new Set(listed)).toEqual(new Set([...ids(paths['/tasks?limit=100']), ...release.unfinished]))
    for (const [path, names] of Object.entries({
      '/secrets': ['name', 'hosts'],
      '/agents': ['name', 'version'],
      '/schedules': ['name', 'cron', 'paused'],
      '/webhooks/deliveries': ['id', 'type', 'status', 'task_id'],
    })) {
      const before = pick(paths[path], ...names)
      expect(before.length, path).toBeGreaterThan(0)
      expect(pick(await call(service, 'GET', path), ...names), path).toEqual(before)
    }
    // The tasks that were under way have added theirs meanwhile.
    for (const [command, before] of Object.entries(commands)) {
      const now = Answered.parse(await call(service, 'POST', '/commands', { command })).text.split('\n')
      expect(now).toEqual(expect.arrayContaining(Answered.parse(before).text.split('\n')))
    }
    const answer = await fetch(`${service.url}${at('analysis')}/files/sales.csv`, {
      headers: { authorization: 'Bearer dev-key' },
    })
    expect((await answer.text()).split('\n')).toHaveLength(202)
    const search = dataOf(await call(service, 'GET', '/tasks?q=dentist&limit=100'))
    expect(search.length).toBeGreaterThan(2)
  })

  it.runIf(file.includes('-operated'))(
    'OPS-23 the registry has what it had: tenants, keys in each state with their limits, and the audit log',
    async () => {
      const { told, keys = {}, env: given = {} } = release
      const ask = async (path: string, key = given['ADMIN_KEY'] ?? '') =>
        fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
      for (const [path, before] of Object.entries(told.registry ?? {})) {
        const entries = dataOf(await (await ask(path)).json())
        expect(dataOf(before).length, path).toBeGreaterThan(1)
        // When a key was used last, and what this test has asked, came later.
        const known = entries.slice(path.startsWith('/admin/audit') ? -dataOf(before).length : 0)
        expect(known.map(withoutUse)).toEqual(dataOf(before).map(withoutUse))
      }
      const statuses = Object.entries(keys).map(async ([name, key]) => [name, (await ask('/tasks', key)).status])
      expect(Object.fromEntries(await Promise.all(statuses))).toEqual({
        live: 200,
        reading: 200,
        revoked: 401,
        rotated: 401,
        successor: 200,
        of_stopped: 403,
      })
    },
  )

  it.runIf(file.includes('-operated'))(
    'OPS-23 lists of several workspaces and of the index database are those of the tasks, page by page, with more shards too',
    async () => {
      const pages = async () => {
        const found: unknown[] = []
        for (let after = ''; ;) {
          const page = await call(service, 'GET', `/tasks?limit=7${after}`)
          found.push(...dataOf(page).map(({ id: one }) => one))
          const { next_cursor } = z.object({ next_cursor: z.string().nullable() }).parse(page)
          if (next_cursor === null) return found
          after = `&after=${next_cursor}`
        }
      }
      const before = await pages()
      expect(new Set(before)).toEqual(new Set([...release.told.tasks.map(({ id: one }) => one), ...release.unfinished]))
      await service.stop()
      // Their number may only grow, so it stays.
      release.env = { ...release.env, TENANT_SHARDS: 'dev:8' }
      service = await startService({ dataDir, env: { ...env, ...release.env } })
      expect(await pages()).toEqual(before)
    },
    60_000,
  )

  it('OPS-07 every task goes on: by a step, an answer, an approval, more budget, a resume, a report, a fork, and by itself', async () => {
    const step = (name: string, rounds = 40) => callTask(service, 'POST', `${at(name)}/step`, { rounds })
    const tell = (name: string, input: string) => callTask(service, 'POST', `${at(name)}/input`, { input, rounds: 40 })
    expect((await step('created')).status).toBe('completed')
    expect((await step('underway')).step_count).toBeGreaterThan(0)
    expect((await tell('asking', '45 minutes')).status).toBe('completed')
    expect((await tell('approving', 'approve')).status).toBe('completed')
    expect((await tell('exhausted', 'continue')).step_count).toBeGreaterThan(1)
    await call(service, 'POST', `${at('stopped')}/resume`)
    expect((await step('stopped')).status).toBe('completed')
    expect((await tell('session', 'Note to buy tea')).status).not.toBe('failed')
    expect((await step('half_analysis')).status).toBe('completed')
    expect((await step('fork')).status).toBe('completed')
    const again = await callTask(service, 'POST', `${at('completed')}/retry`, {})
    expect(again.goal).toBe('buy milk tomorrow')
    for (const name of ['delegated', 'claimed'])
      expect((await callTask(service, 'GET', at(name))).mode).toBe('orchestrator')
    for (const one of release.unfinished)
      expect((await until(service, one, ({ status }) => status === 'completed')).drive).toBe('background')
    await call(service, 'POST', '/commands', { command: '/todo add "made by this release"' })
    for (const { id: one } of release.told.tasks)
      expect(await call(service, 'POST', `/tasks/${String(one)}/replay`), String(one)).toMatchObject({ equal: true })
  }, 120_000)

  it('OPS-08 a task of a later release is refused by name and left as it is, and all others are served', async () => {
    await service.stop()
    const newer = id('completed')
    const path = fileOf(dataDir, newer)
    const database = new DatabaseSync(path)
    database.exec(`UPDATE journal SET head = json_set(head, '$.schema_version', 999) WHERE head IS NOT NULL`)
    const stored = () => JSON.stringify(database.prepare('SELECT * FROM journal ORDER BY seq').all())
    const before = stored()
    service = await startService({ dataDir, env: { ...env, ...release.env } })
    for (const [method, route] of [
      ['GET', ''],
      ['POST', '/step'],
      ['POST', '/cancel'],
    ] as const)
      await expect(call(service, method, `/tasks/${newer}${route}`, method === 'GET' ? undefined : {})).rejects.toThrow(
        /state_unreadable/,
      )
    expect((await callTask(service, 'GET', at('analysis'))).status).toBe('completed')
    expect(dataOf(await call(service, 'GET', '/tasks?limit=100')).map(({ id: one }) => one)).toContain(newer)
    expect(stored()).toBe(before)
    database.close()
  })
})

/** The database of a task is found by what is in it, because its name is a digest. */
function fileOf(dataDir: string, task: string): string {
  const found = globSync(`${dataDir}/do/*-TaskObject/*.sqlite`).find((path) => {
    if (basename(path) === 'metadata.sqlite') return false
    const database = new DatabaseSync(path, { readOnly: true })
    const rows = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'journal'").all()
    const is =
      rows.length > 0 &&
      database.prepare("SELECT 1 FROM journal WHERE json_extract(head, '$.id') = ?").get(task) !== undefined
    database.close()
    return is
  })
  return found ?? expect.fail(`no file has the task ${task}`)
}

const withoutUse = (entry: Record<string, unknown>) => ({ ...entry, last_used_at: null })

/** Links carry the address of the service that made them. */
function withoutLinks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLinks)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (name.endsWith('url') ? [] : [[name, withoutLinks(member)]])),
  )
}
