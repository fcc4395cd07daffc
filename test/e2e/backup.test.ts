/** `npm run backup` beside a service under load, and `npm run restore`: what comes back is whole, goes on, and is refused where it would not fit. */
import { appendFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import * as z from 'zod'
import { makeDataDir, removeDataDir, startService, type Service } from '../../scripts/lib/service.mjs'
import { call, callTask, ENV, runScript, until, untilFound } from './support.ts'

const folder = makeDataDir()
const [source, backup, restored] = ['source', 'backup', 'restored'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
const env = { ...ENV, MAX_DRIVEN_TASKS: '4' }
let running: Service | null = null

afterAll(async () => {
  await running?.stop()
  removeDataDir(folder)
})

const run = (script: string, dataDir: string, ...args: string[]) =>
  runScript(script, args, { ...env, DATA_DIR: dataDir })

const Listed = z.object({ data: z.array(z.object({ id: z.string(), status: z.string(), goal: z.string() })) })
const list = async (service: Service) => Listed.parse(await call(service, 'GET', '/tasks?limit=100')).data
const put = (service: Service, path: string, body: string) =>
  fetch(`${service.url}${path}`, { method: 'PUT', headers: { authorization: 'Bearer dev-key' }, body })
const FILE = `name,value\n${'row,1\n'.repeat(60_000)}`

/** Creates, works off, deletes, and replaces files, until it is told to stop. Counts its requests. */
async function load(service: Service, analysis: string, made: { requests: number }, isOver: () => boolean) {
  const one = async (worker: number) => {
    for (let turn = 0; !isOver(); turn += 1) {
      const drive = turn % 3 === 0 ? { drive: 'background' } : { rounds: 1 }
      const task = await callTask(service, 'POST', '/tasks', { goal: `buy milk ${worker}-${turn}`, ...drive })
      const step = async () => callTask(service, 'POST', `/tasks/${task.id}/step`, { rounds: 2 })
      if (turn % 3 === 1) await step()
      if (turn % 5 === 4) await call(service, 'DELETE', `/tasks/${task.id}`)
      made.requests += 3
    }
  }
  const replace = async (id: string) => {
    for (let turn = 0; !isOver(); turn += 1) {
      await put(service, `/tasks/${id}/files/b.csv`, `${FILE}${'x,2\n'.repeat(turn)}`)
      made.requests += 1
    }
  }
  await Promise.all([...[1, 2, 3, 4].map(one), replace(analysis)])
}

let waiting = ''
let analysis = ''
/** What was made under load, and what was seen of it. */
async function backUpUnderLoad() {
  running = await startService({ dataDir: source, env })
  const asked = await callTask(running, 'POST', '/tasks', { goal: 'book the dentist on Friday at 3pm', rounds: 10 })
  waiting = asked.id
  await call(running, 'POST', '/commands', { command: '/todo add "kept in the backup"' })
  const wanting = await callTask(running, 'POST', '/tasks', {
    goal: 'Analyse b.csv',
    mode: 'autonomous',
    settings: { dataset: 'b.csv' },
    rounds: 0,
  })
  analysis = wanting.id
  const sent = await put(running, `/tasks/${analysis}/files/b.csv`, FILE)
  let over = false
  const count = { requests: 0 }
  const loaded = load(running, analysis, count, () => over)
  // The backup may be quick, so there is a load before it begins.
  await untilFound('the first requests', async () => (count.requests >= 20 ? true : null))
  const before = count.requests
  const made = await run('backup', source, backup)
  const meanwhile = count.requests - before
  over = true
  await loaded
  return { made, asked: asked.status, sent: sent.status, meanwhile }
}

it('OPS-01 a backup that was made under load is restored whole: every journal replays, and its alarms and files are there', async () => {
  const { made, asked, sent, meanwhile } = await backUpUnderLoad()
  expect([asked, sent]).toEqual(['input_required', 201])
  expect(meanwhile).toBeGreaterThan(0)
  expect(made, made.printed).toMatchObject({ code: 0 })
  const manifest = z
    .object({ schema_version: z.int(), missing: z.array(z.unknown()), files: z.array(z.object({ path: z.string() })) })
    .parse(JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')))
  expect(manifest.missing).toEqual([])
  const paths = manifest.files.map(({ path }) => path)
  // Nothing of the process that ran, and each database is one file.
  expect(paths.filter((path) => /service\.|workerd|-wal$|-shm$|^cache/.test(path))).toEqual([])
  expect(paths).toContain('secrets.json')
  const placed = await run('restore', restored, backup)
  expect(placed, placed.printed).toMatchObject({ code: 0 })
  expect(placed.printed).toMatch(/\d+ journals with \d+ rows, 0 of them not equal/)
  expect(placed.printed).toMatch(/dev: \d+ tasks entered/)
}, 120_000)

it('OPS-02 the service starts on what was restored and goes on: waiting, background, files, secrets, todos', async () => {
  await running?.stop()
  running = await startService({ dataDir: restored, env })
  const service = running
  const answered = await callTask(service, 'POST', `/tasks/${waiting}/input`, { input: '45 minutes' })
  expect(answered.status).not.toBe('input_required')
  const tasks = await list(service)
  const background = tasks.filter(({ status }) => ['running', 'queued'].includes(status))
  for (const { id } of background) {
    const task = await callTask(service, 'GET', `/tasks/${id}`)
    if (task.drive === 'background') await until(service, id, ({ status }) => status === 'completed')
  }
  const file = await fetch(`${service.url}/tasks/${analysis}/files/b.csv`, {
    headers: { authorization: 'Bearer dev-key' },
  })
  expect((await file.text()).startsWith(FILE)).toBe(true)
  expect(JSON.stringify(await call(service, 'POST', '/commands', { command: '/todo list' }))).toContain(
    'kept in the backup',
  )
  for (const { id } of tasks) expect(await call(service, 'POST', `/tasks/${id}/replay`)).toMatchObject({ equal: true })
}, 120_000)

it('OPS-03 a restore is refused where it would do harm, says why, and leaves everything as it was', async () => {
  const spoil = (name: string, change: (at: string) => void) => {
    const at = join(folder, name)
    cpSync(backup, at, { recursive: true })
    change(at)
    return at
  }
  const manifest = (at: string) => join(at, 'manifest.json')
  const newer = spoil('newer', (at) =>
    writeFileSync(
      manifest(at),
      readFileSync(manifest(at), 'utf8').replace(/"schema_version": \d+/, '"schema_version": 999'),
    ),
  )
  const changed = spoil('changed', (at) => appendFileSync(join(at, 'data/secrets.json'), ' '))
  const unfinished = spoil('unfinished', (at) => rmSync(manifest(at)))
  const full = join(folder, 'full')
  mkdirSync(full)
  writeFileSync(join(full, 'mine.txt'), 'mine')
  const empty = join(folder, 'empty')
  const table = [
    [restored, backup, /is in use by another loop-agent/],
    [full, backup, /is not empty: .*choose another DATA_DIR/],
    [empty, newer, /made by a newer release .*rows of version 999.*reads rows up to version \d+/],
    [empty, changed, /secrets\.json has changed since the backup was made; nothing was restored/],
    [empty, unfinished, /is no backup: it has no manifest\.json/],
  ] as const
  for (const [dataDir, from, reason] of table) {
    const refused = await run('restore', dataDir, from)
    expect(refused, refused.printed).toMatchObject({ code: 1, printed: expect.stringMatching(reason) })
  }
  expect(globSync('*', { cwd: full })).toContain('mine.txt')
  expect(existsSync(join(empty, 'do'))).toBe(false)
})

it('OPS-04 a backup is refused without data, into a folder that is there, and into the data themselves', async () => {
  const table = [
    [join(folder, 'nowhere'), join(folder, 'new'), /there is no data in/],
    [source, backup, /exists: name a folder that is not there yet/],
    [source, join(source, 'inside'), /is inside of the data/],
  ] as const
  for (const [dataDir, to, reason] of table) {
    const refused = await run('backup', dataDir, to)
    expect(refused).toMatchObject({ code: 1, printed: expect.stringMatching(reason) })
  }
  expect(existsSync(join(folder, 'new'))).toBe(false)
})
