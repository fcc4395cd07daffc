/** How bridges and workers share the work: who takes what is in a session, and how many commands one has in its hands. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { recover, takePending } from '../../scripts/lib/bridge/bridge.mjs'
import { remember } from '../../scripts/lib/delegations/sessions.mjs'
import { runWorker } from '../../scripts/lib/worker/worker.mjs'
import { startApi, type Api } from './api.ts'
import type { Row } from './api-table.ts'
import {
  newBench,
  newDirectory,
  put,
  removeDirectories,
  RENEWAL_MS,
  REPORT,
  reportPath,
  STEAL_S,
  textOf,
  type Bench,
  type Manner,
} from './bench.ts'
import { DEADLINE_MS, newWorkerBench } from './worker-bench.ts'

let api: Api
const stops: (() => unknown)[] = []
beforeEach(async () => {
  api = await startApi({ waits: false })
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await api.close()
  removeDirectories()
})
async function bridgeOf(manner?: Manner): Promise<Bench> {
  const bench = await newBench(api.url, manner)
  stops.push(bench.stop)
  return bench
}
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()
const inSession = (session_id: string, changes: Partial<Row> = {}) =>
  api.add({ command_type: 'continue', session_id, created_at: ago(0), ...changes })
const holders = () => api.rows.map(({ claim }) => claim?.worker ?? null)

/** The agent of this bridge has done its command; REPORT names session b7b7. */
async function reported(bench: Bench, row: Row) {
  put(bench.dir, reportPath(row.command_id), REPORT)
  await bench.settleReports()
}

it.each(['continue', 'end'])(
  'O2-06 a bridge leaves `%s` in a session of another agent to its worker',
  async (command_type) => {
    const bench = await bridgeOf()
    inSession('5e5e', { command_type })
    const fresh = api.add({ created_at: ago(0) })
    expect(await takePending(bench.bridge)).toBe(true)
    expect([holders(), bench.told.map(({ command_id }) => command_id)]).toEqual([[null, 'one'], [fresh.command_id]])
  },
)

it('O2-06 what is in a session that a report of its own has named is taken at once, after a restart too', async () => {
  const first = await bridgeOf()
  const begun = api.add()
  await takePending(first.bridge)
  await reported(first, begun)
  const next = inSession('b7b7')
  await takePending(first.bridge)
  expect(next.claim?.worker).toBe('one')
  await reported(first, next)
  first.stop()
  const second = await bridgeOf({ dir: first.dir })
  await recover(second.bridge)
  const last = inSession('b7b7', { command_type: 'end' })
  await takePending(second.bridge)
  expect([last.claim?.worker, textOf(first.dir, '.bridge/sessions')]).toEqual(['one', 'b7b7\n'])
})

it.each([
  ['nobody came for', STEAL_S + 1],
  ['is, by a clock that is far off, of another time', -STEAL_S - 1],
])('a command in a session of another agent that %s is taken all the same: nothing is stuck', async (_, seconds) => {
  const bench = await bridgeOf()
  const row = inSession('5e5e', { created_at: ago(seconds) })
  await takePending(bench.bridge)
  expect(row.claim?.worker).toBe('one')
})

it('a command that does not say when it was made is not waited with', async () => {
  const bench = await bridgeOf()
  const row = inSession('5e5e', { created_at: 'soon' })
  await takePending(bench.bridge)
  expect(row.claim?.worker).toBe('one')
})

it('O2-06 a worker leaves what is in a session of another agent, and takes what is in those of its own reports', async () => {
  const foreign = inSession('5e5e')
  const begun = api.add({ created_at: ago(0) })
  const bench = newWorkerBench(api.url, newDirectory())
  bench.clock.hold(DEADLINE_MS)
  const report = String.raw`printf -- '---\nstatus: SUCCESS\nsession_id: b7b7\n---\n'`
  const done = runWorker(bench.worker(report), { once: false })
  stops.push(bench.stop, () => done)
  await api.until(() => begun.status === 'reported')
  const next = inSession('b7b7')
  await api.until(() => next.status === 'reported')
  expect(foreign.claim).toBeNull()
  api.change(foreign, { created_at: ago(STEAL_S + 1) })
  await api.until(() => foreign.status === 'reported')
})

it('the sessions that are remembered are bounded: the ones that were named last stay', () => {
  const sessions = new Set<string>()
  const name = (session_id: unknown) => remember(sessions, { report: { session_id } })
  for (let number = 0; number < 1_000; number += 1) name(`s${number}`)
  name('s0')
  expect([name('new'), name(null), remember(sessions, null)]).toEqual([true, false, false])
  expect([sessions.size, sessions.has('s0'), sessions.has('s1'), sessions.has('new')]).toEqual([
    1_000,
    true,
    false,
    true,
  ])
})

it('a bridge has --max commands in its hands at a time, and another bridge gets the others', async () => {
  const [one, other] = [
    await bridgeOf({ changes: { max: 2 } }),
    await bridgeOf({ worker: 'other', changes: { max: 2 } }),
  ]
  for (const _ of Array.from({ length: 3 })) api.add()
  await takePending(one.bridge)
  await takePending(other.bridge)
  await takePending(one.bridge)
  expect(holders()).toEqual(['one', 'one', 'other'])
})

it.each([
  ['was reported', async (bench: Bench, row: Row) => reported(bench, row)],
  [
    'was withdrawn',
    async (bench: Bench, row: Row) => {
      api.change(row, { status: 'canceled' })
      await bench.clock.pass(RENEWAL_MS)
    },
  ],
])('a bridge that is full does not ask for work, and goes on as soon as a command %s', async (_, end) => {
  const bench = await bridgeOf({ changes: { max: 1 } })
  const [first, second] = [api.add(), api.add()]
  const taken = bench.until('taken')
  const done = bench.run()
  stops.push(() => done)
  await taken
  const asked = () => api.asked.filter(({ path }) => path.includes('status=pending')).length
  expect([asked(), holders()]).toEqual([1, ['one', null]])
  const next = bench.until('taken')
  await end(bench, first)
  expect(await next).toMatchObject({ command_id: second.command_id })
  expect(asked()).toBe(2)
})

it('a bridge that is full still makes its own claim again when that has run out', async () => {
  const bench = await bridgeOf({ changes: { max: 1 } })
  const row = api.add()
  await takePending(bench.bridge)
  api.change(row, { claim: null })
  await takePending(bench.bridge)
  expect(holders()).toEqual(['one'])
})
