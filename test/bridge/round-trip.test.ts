/** Commands and reports on their way between the service and an agent that works by files, the agent being a process of its own. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startAgent, type Agent } from './agent.ts'
import { startApi, type Api } from './api.ts'
import { filesOf, newBench, newDirectory, QUIET_MS, removeDirectories, RENEWAL_MS, type Manner } from './bench.ts'

let api: Api
const endings: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  api = await startApi()
})
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
  await api.close()
  removeDirectories()
})

/** A whole bridge that runs until the test is over. */
async function running(manner: Manner = {}) {
  const bench = await newBench(api.url, manner)
  const done = bench.run()
  endings.unshift(async () => {
    bench.stop()
    await done
  })
  return bench
}

async function agentOn(dir: string, manner?: string): Promise<Agent> {
  const agent = await startAgent(dir, manner)
  endings.unshift(agent.end)
  return agent
}

/** What is left when all is done: nothing waits, nothing of the bridge's own remembers. */
const processed = (command_id: string) => [
  `commands/processed/${command_id}.md`,
  `reports/processed/report-${command_id}.md`,
]

it('S2-10 S2-12 S2-13 S2-14 a command reaches the agent as it is, its report the service, and both files end in processed', async () => {
  const bench = await running()
  bench.clock.hold(QUIET_MS)
  const agent = await agentOn(bench.dir)
  const row = api.add({ command_type: 'continue', session_id: '5e5e' })
  expect(await agent.next('read')).toMatchObject({ id: row.command_id, command_type: 'continue', text: row.file })
  const settled = bench.until('settled')
  await agent.next('wrote')
  bench.clock.release(QUIET_MS)
  await settled
  expect(row.report).toBe('---\nstatus: SUCCESS\nsession_id: 5e5e\n---\n\n## 核心成果\nFirst half, second half.\n')
  expect(filesOf(bench.dir)).toEqual(processed(row.command_id))
  expect(bench.events()).toEqual(['taken', 'reported', 'settled'])
  const report = api.asked.find(({ path }) => path.endsWith('/report'))
  expect(report?.headers['content-type']).toBe('text/markdown')
})

it('S2-13 a report that is still being written is not taken, however long its writer pauses within the quiet time', async () => {
  const bench = await running()
  bench.clock.hold(QUIET_MS)
  const agent = await agentOn(bench.dir, 'halves')
  const row = api.add()
  await agent.next('half')
  await bench.clock.asked(QUIET_MS)
  agent.goOn()
  await agent.next('wrote')
  const settled = bench.until('settled')
  await bench.clock.pass(QUIET_MS)
  // It has grown, so it has to be left alone anew.
  await bench.clock.asked(QUIET_MS)
  expect(row.report).toBeNull()
  bench.clock.release(QUIET_MS)
  await settled
  expect(row.report).toMatch(/First half, second half\.\n$/)
  expect(filesOf(bench.dir)).toEqual(processed(row.command_id))
})

it('S2-14 a command that the agent has left in commands/pending is moved once its report is recorded', async () => {
  const bench = await running()
  bench.clock.hold(QUIET_MS)
  const agent = await agentOn(bench.dir, 'keeps')
  const row = api.add({ command_type: 'end' })
  await agent.next('wrote')
  const settled = bench.until('settled')
  bench.clock.release(QUIET_MS)
  await settled
  expect(filesOf(bench.dir)).toEqual(processed(row.command_id))
})

it('S2-24 two bridges that see the same commands at the same time take each of them once', async () => {
  const [one, other] = [await running({ worker: 'one' }), await running({ worker: 'other', dir: newDirectory() })]
  await api.until(() => api.asked.filter(({ path }) => path.includes('status=pending')).length === 2)
  for (const _ of Array.from({ length: 5 })) api.add()
  await api.until(() => api.rows.every(({ claim }) => claim !== null))
  one.stop()
  other.stop()
  for (const end of endings.splice(0)) await end()
  const files = [one.dir, other.dir].flatMap((dir) => filesOf(dir).filter((name) => name.startsWith('commands/')))
  const wanted = api.rows.map(({ command_id }) => `commands/pending/${command_id}.md`)
  expect(files.toSorted()).toEqual(wanted.toSorted())
})

it('a command keeps its lease for as long as it has no report, and no longer', async () => {
  const bench = await running()
  const claims = () => api.asked.filter(({ path }) => path.endsWith('/claim')).length
  const row = api.add()
  await bench.until('taken')
  for (const renewal of [2, 3]) {
    await bench.clock.pass(RENEWAL_MS)
    await api.until(() => claims() === renewal)
  }
  bench.clock.hold(QUIET_MS)
  const agent = await agentOn(bench.dir)
  await agent.next('wrote')
  const settled = bench.until('settled')
  bench.clock.release(QUIET_MS)
  await settled
  await bench.clock.pass(RENEWAL_MS)
  await bench.clock.asked(RENEWAL_MS)
  expect([row.status, claims()]).toEqual(['reported', 3])
})
