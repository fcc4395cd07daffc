/** `npm run worker` as a process: its command line, its ends, and what becomes of its claim when it is killed. */
import { watch } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startApi, type Api } from './api.ts'
import { isThere, newDirectory, removeDirectories, textOf } from './bench.ts'
import { endPrograms, startProgram } from './programs.ts'

let api: Api
let dir: string
beforeEach(async () => {
  api = await startApi()
  dir = newDirectory()
})
afterEach(async () => {
  await endPrograms()
  await api.close()
  removeDirectories()
})
const startWorker = (exec: string, ...more: string[]) =>
  startProgram('worker', ['--exec', exec, '--url', api.url, '--json', ...more])

/** A program that says in a file that it runs, and would not end. */
const lasting = () =>
  `echo $$ > ${join(dir, 'started.tmp')}; mv ${join(dir, 'started.tmp')} ${join(dir, 'started')}; exec sleep 1000`
async function started(): Promise<number> {
  if (!isThere(dir, 'started'))
    await new Promise<void>((resolve) => {
      const watcher = watch(dir, () => {
        if (!isThere(dir, 'started')) return
        watcher.close()
        resolve()
      })
    })
  return Number(textOf(dir, 'started'))
}

it('S2-13 with --once it runs its program on one command and ends with 0', async () => {
  const worker = startWorker('cat; echo behind', '--once', '--lease', '30')
  const row = api.add()
  expect(await worker.ended).toBe(0)
  expect(worker.told.map(({ event }) => event)).toEqual(['ready', 'taken', 'finished', 'reported', 'stopped'])
  expect([row.status, row.claim?.worker]).toEqual(['reported', worker.told[0]?.['worker']])
  // The command file begins with front matter, and cat prints it as it is.
  expect(row.report).toBe(`${row.file}behind\n`)
})

it('with --once it ends with 1 when nothing was recorded', async () => {
  const row = api.add()
  api.fault = ({ path }) => {
    if (path.endsWith('/report')) api.change(row, { status: 'canceled' })
    return null
  }
  expect(await startWorker('echo x', '--once').ended).toBe(1)
})

it('SIGTERM ends the program, then the worker with 0, and nothing is reported', async () => {
  const worker = startWorker(lasting())
  const row = api.add()
  const pid = await started()
  worker.kill('SIGTERM')
  expect([await worker.ended, row.status, row.report]).toEqual([0, 'pending', null])
  expect(worker.told.at(-2)).toMatchObject({ event: 'killed', reason: 'the worker was stopped' })
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

it('a worker that is killed keeps its claim until the lease has run out; then another one gets the command', async () => {
  const worker = startWorker(lasting())
  const row = api.add()
  const pid = await started()
  worker.kill('SIGKILL')
  await worker.ended
  process.kill(pid, 'SIGKILL')
  const next = startWorker('echo mine', '--once')
  await api.until(() => api.asked.at(-1)?.path.includes('status=pending') === true)
  expect(row.claim?.worker).toBe(worker.told[0]?.['worker'])
  api.change(row, { claim: null })
  expect([await next.ended, row.status]).toEqual([0, 'reported'])
})

it('a key that is refused ends it with 1 and a sentence', async () => {
  const worker = startWorker('true', '--key', 'wrong')
  expect(await worker.ended).toBe(1)
  expect(worker.printed()).toContain('error: The key was refused (401: Not a known key.). Set --key or LOOP_AGENT_KEY')
})

it.each([
  [[], '--exec is missing'],
  [['--exec', ''], '--exec is missing'],
  [['--exec', 'true', '--onces'], "Unknown option '--onces'"],
])('the command line %j ends with 2, the reason and the help', async (args, reason) => {
  const worker = startProgram('worker', args)
  expect(await worker.ended).toBe(2)
  expect(worker.printed()).toContain(`error: ${reason}`)
  expect(worker.printed()).toContain('usage: npm run worker -- --exec "<command>"')
})
