/** The worker outside: it claims nothing and reports – at once, late, twice, the same again, another one, on its way, to a task that has ended – or never. */
import type { Delegation, SentReport } from '../../src/core/terms/delegation.ts'
import { commandId } from '../../src/core/terms/delegation-id.ts'
import { randomSent } from '../support/random-report.ts'
import { awaitedIn, commandRows, deadlineOf } from './check-reports.ts'
import type { Random } from './random.ts'
import { alarmRequest, pauseRequest, reportRequest, type Request } from './requests.ts'
import { lifeOf, type World } from './world.ts'

type Make = Parameters<typeof alarmRequest>[0]

/** A report as some worker sent it. */
export interface Told {
  id: string
  life: number
  seq: number
  sent: SentReport
}

/** What it does next about a task; `serial` makes another text of each report. */
export function workerRequest(world: World, random: Random, make: Make, serial: number): Request {
  const rows = world.tasks.get(make.id)?.rows
  const known = rows === undefined ? [] : commandRows(rows)
  const awaited = awaitedIn(rows?.last()?.head)
  const newest = awaited ?? known.at(-1)
  const roll = random.below(100)
  if (newest === undefined || rows === undefined || roll < 3) return reportOn(world, random, make, serial, 1)
  if (roll < 6) return reportOn(world, random, make, serial, random.pick(known), 'task-of-another')
  if (roll < 14) return repeated(world, make) ?? alarmRequest(make)
  if (roll < 22) return reportOn(world, random, make, serial, random.pick(known))
  // It is all the same to a worker, and to time, whether the task is paused.
  if (roll < 28 && awaited !== null) return pauseRequest({ ...make, name: 'pause' })
  const paused = rows.last()?.head.pause_reason !== null
  if (roll < (paused ? 80 : 50) && awaited !== null) {
    // Nobody reports in time; now and then somebody does too late, and before anybody has noticed.
    world.clock.now = Math.max(world.clock.now, deadlineOf(rows, awaited))
    return roll < 32 ? reportOn(world, random, make, serial, awaited) : alarmRequest(make)
  }
  return reportOn(world, random, make, serial, newest)
}

function reportOn(world: World, random: Random, make: Make, serial: number, seq: number, command_id?: string): Request {
  const named = random.chance(0.3) ? commandId(make.id, seq) : null
  const sent = { ...randomSent(random, `report ${serial}`), command_id: command_id ?? named }
  world.told.push({ id: make.id, life: lifeOf(world, make.id), seq, sent })
  return reportRequest({ ...make, name: 'report' }, seq, sent)
}

/** The same once more, in a request of its own. */
function repeated(world: World, make: Make): Request | null {
  const { id } = make
  const before = world.told.findLast((told) => told.id === id && told.life === lifeOf(world, id))
  return before === undefined ? null : reportRequest({ ...make, name: 'report again' }, before.seq, before.sent)
}

/** What a patient worker reports, once the faults are over. */
export function plainReport(world: World, make: Make, seq: number, serial: number): Request {
  const text = `report ${serial}`
  const report: Delegation['report'] = {
    status: 'SUCCESS',
    session_id: 'session-1',
    results: null,
    pitfalls: null,
    next_steps: null,
    text,
  }
  const sent: SentReport = { command_id: null, report, spent: null }
  world.told.push({ id: make.id, life: lifeOf(world, make.id), seq, sent })
  return reportRequest(make, seq, sent)
}
