/** The watch of reports/pending: what wakes the bridge, and what it does where nothing does. */
import { EventEmitter } from 'node:events'
import { type FSWatcher, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startApi, type Api } from './api.ts'
import { newBench, put, removeDirectories, RENEWAL_MS, REPORT, reportPath, type Bench, type Manner } from './bench.ts'

const LOOK_EVERY_MS = 5_000
let api: Api
let bench: Bench
let done: Promise<void>
beforeEach(async () => {
  api = await startApi()
})
afterEach(async () => {
  bench.stop()
  await done
  await api.close()
  removeDirectories()
})

async function running(manner: Manner = {}) {
  bench = await newBench(api.url, manner)
  bench.clock.hold(LOOK_EVERY_MS, RENEWAL_MS)
  done = bench.run()
}

/** A watch in the hands of the test: it has what is used of one. */
function watchOfOurs() {
  const watcher = Object.assign(new EventEmitter(), { close: () => undefined })
  let started = 0
  const watch = () => {
    started += 1
    // The members that the bridge does not use are left out.
    return watcher as unknown as FSWatcher
  }
  return { watcher, watch, started: () => started }
}

/** A command that is with its agent, and its report written. */
async function reported() {
  const row = api.add()
  await bench.until('taken')
  put(bench.dir, reportPath(row.command_id), REPORT)
  return row
}

it('S2-20 a report is found by the watch of the system, with nothing being polled', async () => {
  await running()
  const row = await reported()
  await bench.until('settled')
  expect([row.report, bench.clock.waited.includes(LOOK_EVERY_MS)]).toEqual([REPORT, false])
})

it('a report that was written before the bridge began is found at its start', async () => {
  const row = api.add()
  await running()
  await bench.until('taken')
  bench.stop()
  await done
  put(bench.dir, reportPath(row.command_id), REPORT)
  const { watch } = watchOfOurs()
  await running({ dir: bench.dir, changes: { watch } })
  await bench.until('settled')
  expect(row.report).toBe(REPORT)
})

it('a change without a name makes the bridge look through the folder', async () => {
  const { watcher, watch } = watchOfOurs()
  await running({ changes: { watch } })
  const row = await reported()
  const settled = bench.until('settled')
  watcher.emit('change', 'rename', null)
  await settled
  expect(row.report).toBe(REPORT)
})

it('S2-11 where a watch fails the bridge looks every five seconds, and tries the watch again', async () => {
  const { watcher, watch, started } = watchOfOurs()
  await running({ changes: { watch } })
  const row = await reported()
  const trouble = bench.until('trouble')
  watcher.emit('error', new Error('too many'))
  expect(await trouble).toMatchObject({ what: 'watch of reports/pending', reason: 'too many' })
  expect(row.report).toBeNull()
  const settled = bench.until('settled')
  await bench.clock.pass(LOOK_EVERY_MS)
  await settled
  expect([row.report, started()]).toEqual([REPORT, 2])
})

it('S2-11 where nothing can be watched the bridge looks every five seconds, and says so once', async () => {
  const watch = () => {
    throw new Error('no watches left')
  }
  await running({ changes: { watch } })
  const row = await reported()
  const settled = bench.until('settled')
  await bench.clock.pass(LOOK_EVERY_MS)
  await bench.clock.asked(LOOK_EVERY_MS)
  await settled
  expect([row.report, bench.events().filter((event) => event === 'trouble')]).toEqual([REPORT, ['trouble']])
})

it('a folder that is replaced is watched anew', async () => {
  await running()
  const row = api.add()
  await bench.until('taken')
  const trouble = bench.until('trouble')
  rmSync(join(bench.dir, 'reports/pending'), { recursive: true })
  expect(await trouble).toMatchObject({ reason: 'the folder was replaced' })
  mkdirSync(join(bench.dir, 'reports/pending'))
  const settled = bench.until('settled')
  put(bench.dir, reportPath(row.command_id), REPORT)
  await bench.clock.pass(LOOK_EVERY_MS)
  await settled
  expect(row.report).toBe(REPORT)
})

it('a file that is no report is left where it is, and that is said', async () => {
  await running()
  const left = bench.until('left')
  put(bench.dir, 'reports/pending/notes.txt', 'x')
  expect(await left).toMatchObject({ file: 'notes.txt' })
})
