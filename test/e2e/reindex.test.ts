/** `npm run reindex`: an index that was lost is made again from the tasks, and a service that runs is not disturbed. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import { NODE } from '../../scripts/lib/node.mjs'
import type { Service } from '../../scripts/lib/service.mjs'
import { TaskEntry } from '../../src/core/terms/view.ts'
import { listeningPorts } from '../support/listening.ts'
import { call, callTask, ENV, newPlace, processesWith, type Place } from './support.ts'

let place: Place
afterEach(() => place.leave())

const Page = z.object({ data: z.array(TaskEntry.omit({ as_of: true })), incomplete: z.array(z.unknown()).optional() })
const list = async (service: Service) => Page.parse(await call(service, 'GET', '/tasks?limit=100'))

/** What it printed, and with what it ended. */
const SCRIPT = join(import.meta.dirname, '../../scripts/reindex.mjs')
const reindex = (dataDir: string) =>
  new Promise<{ code: number; printed: string }>((resolve) => {
    const env = { ...process.env, ...ENV, DATA_DIR: dataDir }
    execFile(NODE, [SCRIPT], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), printed: stdout + stderr }),
    )
  })

it('U43 a lost index is rebuilt with entries, places and counts, and unreadable tasks are named', async () => {
  place = newPlace()
  const first = await place.start()
  for (const rounds of [0, 9, 1]) await callTask(first, 'POST', '/tasks', { goal: `buy milk ${rounds}`, rounds })
  const before = await list(first)
  const refused = await reindex(place.dataDir)
  expect(refused).toMatchObject({ code: 1, printed: expect.stringContaining('is in use by another loop-agent') })
  await first.kill()

  const objects = join(place.dataDir, 'do')
  rmSync(join(objects, 'loop-agent-WorkspaceObject'), { recursive: true })
  const damaged = `${'0'.repeat(63)}1.sqlite`
  writeFileSync(join(objects, 'loop-agent-TaskObject', damaged), 'this is no database'.repeat(1_000))
  const made = await reindex(place.dataDir)
  expect(made).toMatchObject({ code: 1, printed: expect.stringContaining('dev: 3 tasks entered, 2 open') })
  expect(made.printed).toContain(`task in ${damaged}`)

  const second = await place.start({ MAX_OPEN_TASKS: '3' })
  expect(await list(second)).toEqual(before)
  await callTask(second, 'POST', '/tasks', { goal: 'a third one', rounds: 0 })
  await expect(callTask(second, 'POST', '/tasks', { goal: 'a fourth one' })).rejects.toThrow('quota_exceeded')
  expect((await list(second)).data).toHaveLength(4)
})

it.runIf(process.platform === 'linux')(
  'U41 the rebuild refuses every request on its ports, and leaves no process behind after kill -9',
  async () => {
    place = newPlace()
    const folder = join(place.dataDir, 'do/loop-agent-TaskObject')
    mkdirSync(folder, { recursive: true })
    for (let at = 0; at < 1_000; at++) writeFileSync(join(folder, `${String(at).padStart(64, '0')}.sqlite`), 'nothing')
    const env = { ...process.env, ...ENV, DATA_DIR: place.dataDir }
    // What it complains of is not read, so it cannot end.
    const child = spawn(NODE, [SCRIPT], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const pid = Number(child.pid)
    // That of Miniflare in Node, and that of workerd.
    await expect.poll(() => listeningPorts(pid).length, { timeout: 20_000 }).toBeGreaterThan(1)
    for (const { address, port } of listeningPorts(pid)) {
      expect(address).toBe('0100007F')
      expect(
        (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"kind":"tasks","ids":[]}' })).status,
      ).toBe(403)
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
    await expect.poll(() => processesWith(place.dataDir), { timeout: 5_000 }).toEqual([])
  },
)
