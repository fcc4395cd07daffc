/** Plays one drawn run: moves, then calm, then the whole account. */
import type { DailyLimits } from '../../../src/core/workspace/daily-totals.ts'
import type { Clients } from '../../sim/clients.ts'
import type { Coverage } from '../../sim/coverage.ts'
import { randomOf } from '../../sim/random.ts'
import { worldOf, type World } from '../../sim/world.ts'
import type { Bench } from './bench.ts'
import { make, prepare, type Run } from './faults.ts'
import { durablePorts } from './gates.ts'
import type { Plan } from './moves.ts'
import { wasReset } from './objects.ts'
import { settle } from './settle.ts'
import { speakerOf } from './speaker.ts'

/** What the objects of this process share with the run: its clock, its name, and the totals of its tenant. */
export interface Machine {
  clock: { now: number }
  boots: { object: string; apart: boolean }
  daily: DailyLimits
}
export interface Tally {
  runs: number
  aborts: number
  commands: number
}

/** Runs of which one reads all pages as well. */
const PAGES_EVERY = 10

export async function play(plan: Plan, machine: Machine, tally: Tally, seen: Coverage): Promise<void> {
  tally.runs += 1
  const run = runOf(plan, machine, tally, seen)
  const { bench, clients } = run
  try {
    if (plan.ready) await prepare(run)
    for (const move of plan.moves) {
      await make(run, move)
      if (clients.failure !== null) throw clients.failure.error
    }
    await settle(run, plan.seed % PAGES_EVERY === 0)
  } catch (error) {
    throw new Error([...bench.trace, String(error)].join('\n'), { cause: error })
  }
}

let runs = 0

function runOf({ seed, apart }: Plan, machine: Machine, tally: Tally, seen: Coverage): Run {
  const random = randomOf(seed)
  const daily = { tokens: random.chance(0.5) ? random.between(8_000, 60_000) : null, cost: null }
  const said = { model: speakerOf(random), toolFails: () => random.chance(0.2), tool_ms: () => random.between(5, 800) }
  const boots = { object: 'boot1', apart }
  const place: Pick<World, 'boots' | 'open' | 'lost'> = {
    boots,
    open: (_world, actor) => durablePorts(bench, actor),
    lost: wasReset,
  }
  const world: World = { ...worldOf(said, apart, seen, daily), ...place }
  Object.assign(machine, { clock: world.clock, boots, daily })
  const clients: Clients = { world, known: [], all: [], failure: null }
  const bench: Bench = { world, tenant: `model-${++runs}`, manner: 'plain', ids: new Set(), tally, seen, trace: [] }
  let serial = 0
  return { bench, clients, random, serial: () => ++serial, todos: new Map(), creates: 0 }
}
