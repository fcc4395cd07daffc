/** kill -9 at drawn moments: at any time, in the middle of a call or a search, just when a tool is to act, while the next process boots. */
import { watch } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../sim/random.ts'
import type { Moment } from './outside/moments.ts'
import type { World } from './outside/world.ts'
import type { Service } from './service.ts'
import type { Tally } from './tally.ts'

export interface Kills {
  count: number
  /** Ms from the kill to the first 200, and to the first call of a model by the next process. */
  restart_ms: number[]
  first_effect_ms: number[]
}

export interface Field {
  service: Service
  world: World
  tally: Tally
  random: Random
  /** Requests of workers that are under way. */
  workers: () => number
  isDriven: (task: string) => boolean
  /** The folder of the stored workspace objects. */
  workspaces: string
}
/**
 * `stored`: from there until a workspace has written something, between what a tool did and the row that says so. For that
 * `together` has many tools act at once: on any machine some of them are met half-way.
 */
type Aim = { moment: Moment | null; together: boolean; stored: boolean; within_ms: number; patience_ms: number }
/** The time to wait for a certain moment before any moment is taken, and for a rare one. */
const AIM_WITHIN_MS = 2_000
const RARE_WITHIN_MS = 10_000
const ANY: Aim = { moment: null, together: false, stored: false, within_ms: 600, patience_ms: AIM_WITHIN_MS }
/** The kinds come in turn, so that a short run has all of them. */
const AIMS: readonly Aim[] = [
  ANY,
  { ...ANY, stored: true, within_ms: 2 },
  { ...ANY, moment: 'call', within_ms: 40 },
  { ...ANY, moment: 'search', within_ms: 40 },
  { ...ANY, moment: 'tool named', within_ms: 10 },
  { ...ANY, together: true, stored: true, within_ms: 4 },
  { ...ANY, together: true, stored: true, within_ms: 16 },
  { ...ANY, moment: 'background call', within_ms: 40 },
  { ...ANY, moment: 'ring', within_ms: 20 },
  { ...ANY, moment: 'report', within_ms: 8 },
  { ...ANY, moment: 'hook', within_ms: 20 },
  { ...ANY, moment: 'claim', within_ms: 8 },
  { ...ANY, moment: 'fork', within_ms: 12 },
  { ...ANY, moment: 'delete', within_ms: 8 },
  { ...ANY, moment: 'put', within_ms: 8 },
  { ...ANY, moment: 'run', within_ms: 40, patience_ms: 2 * AIM_WITHIN_MS },
  { ...ANY, moment: 'awaited put', within_ms: 8, patience_ms: RARE_WITHIN_MS },
  { ...ANY, moment: 'tick', within_ms: 80, patience_ms: RARE_WITHIN_MS },
]
const MET: Partial<Record<Moment, string>> = {
  'tool named': 'kill just after a reply that names a tool',
  fork: 'kill at a fork',
  delete: 'kill at a DELETE',
  'awaited put': 'kill at the PUT of an awaited file',
  run: 'kill at a run that was asked for',
  tick: 'kill at a tick',
}
const TOGETHER = 8
const TOGETHER_WITHIN_MS = 600
/** The load between two kills on any machine. */
const CALLS_BETWEEN = { least: 8, most: 40 }
/** One of this many processes is killed during its boot. */
const AGAIN = 5
const BOOT_MS = 150
const EFFECT_WITHIN_MS = 10_000

export async function killTimes(wanted: number, field: Field): Promise<Kills> {
  const { service, world, tally, random } = field
  const kills: Kills = { count: 0, restart_ms: [], first_effect_ms: [] }
  for (let turn = 0; kills.count < wanted; turn++) {
    for (let calls = random.between(CALLS_BETWEEN.least, CALLS_BETWEEN.most); calls > 0; calls--)
      await world.moments.next('call')
    await take(AIMS[turn % AIMS.length] ?? ANY, field)
    noteUnderWay(field)
    const killed_ms = performance.now()
    await service.replace()
    kills.count += 1
    if (kills.count < wanted && turn % AGAIN === AGAIN - 1) {
      await sleep(random.below(BOOT_MS))
      tally.seen('kill while booting')
      await service.replace()
      kills.count += 1
      await service.up()
    } else await measure(kills, killed_ms, field)
  }
  return kills
}

function noteUnderWay({ world, tally, workers, isDriven }: Field): void {
  const calls = world.model.under_way()
  const { searches, rings } = world.tools.under_way()
  const seen: [string, boolean][] = [
    ['kill during a model call', calls.length > 0],
    ['kill during a search', searches > 0],
    ['kill during a call of a tool', rings > 0],
    ['kill during a background slice', calls.some(({ task }) => isDriven(task))],
    ['kill while a worker asks', workers() > 0],
    ['kill during a message', world.receiver.under_way() > 0],
  ]
  for (const [what, holds] of seen) if (holds) tally.seen(what)
}

async function measure(kills: Kills, killed_ms: number, { service, world, tally }: Field): Promise<void> {
  // What the dead process still had on the wire has arrived by then.
  await service.up()
  const effect = world.moments.next('call').then(() => performance.now() - killed_ms)
  const health = await service.send({ method: 'GET', path: '/health', headers: {}, body: null })
  tally.demand(health?.status === 200, 'the next process serves', () => `GET /health: ${health?.status}`)
  kills.restart_ms.push(performance.now() - killed_ms)
  const first = await Promise.race([effect, sleep(EFFECT_WITHIN_MS).then(() => null)])
  tally.demand(first !== null, 'the next process goes on', () => `no call of a model in ${EFFECT_WITHIN_MS} ms`)
  if (first !== null) kills.first_effect_ms.push(first)
}

async function take(
  { moment, together, stored, within_ms, patience_ms }: Aim,
  { world, tally, random, workspaces }: Field,
): Promise<void> {
  const wait_ms = random.below(within_ms * 1000) / 1000
  if (moment !== null) {
    const met = await Promise.race([world.moments.next(moment).then(() => true), sleep(patience_ms).then(() => false)])
    if (met) tally.seen(MET[moment] ?? `kill at a moment: ${moment}`)
  }
  if (together) await world.model.gather(TOGETHER, TOGETHER_WITHIN_MS)
  if (together) tally.seen('kill while several tools act')
  if (stored) await Promise.race([written(workspaces), sleep(AIM_WITHIN_MS)])
  if (stored) tally.seen('kill between two writes')
  if (wait_ms >= 1) await sleep(wait_ms)
}

/** The next write to a file of this directory. */
function written(directory: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(directory, { persistent: false }, () => {
      watcher.close()
      resolve()
    })
  })
}
