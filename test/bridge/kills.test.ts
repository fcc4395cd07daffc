/** A bridge that is killed between any two of its steps, and started again on the same directory. */
import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { recover, takePending } from '../../scripts/lib/bridge/bridge.mjs'
import { startApi, type Api } from './api.ts'
import { filesOf, isThere, newBench, newDirectory, removeDirectories, REPORT, reportPath } from './bench.ts'
import { doomedWorld, type World } from './doomed.ts'

let api: Api
beforeEach(async () => {
  api = await startApi({ waits: false })
})
afterEach(async () => {
  await api.close()
  removeDirectories()
})

/** An agent that is never in the way. */
function newAgent(dir: string) {
  const handed: string[] = []
  const unreported: string[] = []
  return {
    handed,
    take: () => {
      const pending = join(dir, 'commands/pending')
      const names = isThere(dir, 'commands/pending') ? readdirSync(pending) : []
      for (const name of names.filter((one) => /^task-.*\.md$/.test(one))) {
        handed.push(name)
        unreported.push(name.slice(0, -'.md'.length))
        renameSync(join(pending, name), join(dir, 'commands/processed', name))
      }
    },
    report: () => {
      for (const command_id of unreported.splice(0)) writeFileSync(join(dir, reportPath(command_id)), REPORT)
    },
  }
}
type Agent = ReturnType<typeof newAgent>

/** All that a bridge does for one command, from its start to its rest, one thing after the other. */
async function wholeRun(dir: string, world: World, agent: Agent): Promise<'ended'> {
  const { bridge, settleReports } = await newBench(api.url, { dir, fetch: world.fetch, changes: { fs: world.fs } })
  await recover(bridge)
  await settleReports()
  await takePending(bridge)
  agent.take()
  agent.report()
  await settleReports()
  return 'ended'
}

/** Between the two lives of a bridge. */
const MEANWHILE: Record<string, (agent: Agent) => void> = {
  rests: () => undefined,
  'takes what is there': (agent) => agent.take(),
  'takes and reports what is there': (agent) => {
    agent.take()
    agent.report()
  },
}

it.each(Object.keys(MEANWHILE))(
  'S2-14 killed after any step, while its agent %s, it hands out a command once and delivers its report',
  async (manner) => {
    let points = 0
    for (let last = 1; ; last += 1) {
      const dir = newDirectory()
      const row = api.add()
      const agent = newAgent(dir)
      const doomed = doomedWorld(last)
      const end = await Promise.race([wholeRun(dir, doomed, agent), doomed.killed])
      if (end === 'ended') break
      points += 1
      MEANWHILE[manner]?.(agent)
      await wholeRun(dir, doomedWorld(Infinity), agent)
      const where = `killed after ${doomed.steps.at(-1)}, step ${last}`
      expect([where, agent.handed, row.report]).toEqual([where, [`${row.command_id}.md`], REPORT])
      expect([where, ...filesOf(dir)]).toEqual([
        where,
        `commands/processed/${row.command_id}.md`,
        `reports/processed/report-${row.command_id}.md`,
      ])
      removeDirectories()
    }
    // The run that was never killed has been through all of them.
    expect(points).toBeGreaterThan(30)
  },
)
