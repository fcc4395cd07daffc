/** What a step costs as its task grows: the service's own time per step in windows of one task's life, and what it stores. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { storageOf } from '../test/support/workerd.ts'
import { openConnection, type Connection } from './client.ts'
import { median } from './load.ts'
import { cpuOf_ms } from './machine.ts'
import type { Server } from './servers.ts'
import { createTasks, furnish, HEADERS } from './tasks.ts'
import { roundsOf } from './task.ts'

export interface Growth {
  windows: { first: number; last: number; cpu_ms_per_step: number[] }[]
  /** The median of the tasks' databases when all steps are done. */
  stored_bytes: number
  answer_bytes_max: number
  steps: number
}
/** Each window begins and ends with an item of the plan. */
const WINDOWS: [number, number][] = [
  [21, 40],
  [181, 200],
  [949, 1000],
]
/** The slices between the windows: 48 rounds are 16 items. */
const ITEMS_AT_ONCE = 16

/** `groups` × `together` tasks: those of a group go side by side, a connection each, so that a window is long enough to be measured. */
export async function growth(server: Server, steps: number, groups: number, together: number): Promise<Growth> {
  await furnish(server)
  const windows = WINDOWS.filter(([, last]) => last <= steps).map(([first, last]) => ({ first, last }))
  const costs = windows.map((): number[] => [])
  let answer_bytes_max = 0
  for (let group = 0; group < groups; group++) {
    const lanes = await lanesOf(await createTasks(server, 'bench', together), server)
    let done = 0
    for (const [index, { first, last }] of windows.entries()) {
      const count = last - first + 1
      await Promise.all(lanes.map((lane) => advance(lane, first - 1 - done)))
      const before = cpuOf_ms(server.pid)
      const longest = await Promise.all(lanes.map((lane) => stepByStep(lane, count)))
      const after = cpuOf_ms(server.pid)
      answer_bytes_max = Math.max(answer_bytes_max, ...longest)
      if (before !== null && after !== null) costs[index]?.push((after - before) / (lanes.length * count))
      done = last
    }
    for (const { connection } of lanes) connection.close()
  }
  await server.stop()
  return {
    windows: windows.map((window, index) => ({ ...window, cpu_ms_per_step: costs[index] ?? [] })),
    stored_bytes: median(sizesOf(server)),
    answer_bytes_max,
    steps,
  }
}

interface Lane {
  id: string
  connection: Connection
}
const lanesOf = (ids: string[], server: Server): Promise<Lane[]> =>
  Promise.all(ids.map(async (id) => ({ id, connection: await openConnection(server.port, HEADERS) })))

/** In slices of whole items. */
async function advance(lane: Lane, steps: number): Promise<void> {
  const most = ITEMS_AT_ONCE * 4
  for (let left = steps; left > 0; left -= most) await step(lane, roundsOf(Math.min(left, most)))
}

/** One round a request; answers with the longest answer's bytes. */
async function stepByStep(lane: Lane, steps: number): Promise<number> {
  let longest = 0
  for (let round = 0; round < roundsOf(steps); round++) longest = Math.max(longest, await step(lane, 1))
  return longest
}

async function step({ connection, id }: Lane, rounds: number): Promise<number> {
  const { status, body } = await connection.post(`/tasks/${id}/step`, JSON.stringify({ rounds }))
  if (status !== 200 || !body.includes('"status":"running"')) throw new Error(`a step was not made: ${status} ${body}`)
  return Buffer.byteLength(body)
}

/** The databases of the tasks, read when nobody writes them any more. */
function sizesOf({ place }: Server): number[] {
  const directory = storageOf(place, 'TaskObject')
  const names = readdirSync(directory).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
  return names.map((name) => {
    const database = new DatabaseSync(join(directory, name))
    const pragma = (what: string) => Number(Object.values(database.prepare(`PRAGMA ${what}`).get() ?? {})[0])
    const bytes = pragma('page_count') * pragma('page_size')
    database.close()
    return bytes
  })
}
