/** The external worker: it claims nothing, and its reports come at once, early, late, twice, changed, to an ended task, or never. */
import type { Delegation, SentReport } from '../../src/core/terms/delegation.ts'
import { commandId } from '../../src/core/terms/delegation-id.ts'
import { randomSent } from '../support/random-report.ts'
import { awaitedIn, commandRows, deadlineOf } from './check-reports.ts'
import type { Random } from './random.ts'
import { alarmRequest, claimRequest, pauseRequest, reportRequest, type Request } from './requests.ts'
import { lifeOf, type World } from './world.ts'

type Make = Parameters<typeof alarmRequest>[0]

/** A report as a worker sent it. */
export interface Told {
  id: string
  life: number
  seq: number
  sent: SentReport
}

/** Chooses its next action for a task; `serial` makes the text of each report unique. */
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
  // A pause of the task changes nothing for a worker, nor for the deadlines.
  if (roll < 28 && awaited !== null) return pauseRequest({ ...make, name: 'pause' })
  const paused = rows.last()?.head.pause_reason !== null
  if (roll < (paused ? 80 : 50) && awaited !== null) {
    // No report comes in time; sometimes one comes too late, but before the service has noticed the deadline.
    world.clock.now = Math.max(world.clock.now, deadlineOf(rows, awaited))
    return roll < 32 ? reportOn(world, random, make, serial, awaited) : alarmRequest(make)
  }
  // A lease of a worker that works for long goes beyond the deadline, and extends it.
  if (roll >= 94 && awaited !== null) return claimRequest(make, awaited, random.pick([60_000, 3_600_000, 86_400_000]))
  return reportOn(world, random, make, serial, newest)
}

function reportOn(world: World, random: Random, make: Make, serial: number, seq: number, command_id?: string): Request {
  const named = random.chance(0.3) ? commandId(make.id, seq) : null
  const sent = { ...randomSent(random, `report ${serial}`), command_id: command_id ?? named }
  world.told.push({ id: make.id, life: lifeOf(world, make.id), seq, sent })
  return reportRequest({ ...make, name: 'report' }, seq, sent)
}

/** The same report again, in a new request. */
function repeated(world: World, make: Make): Request | null {
  const { id } = make
  const before = world.told.findLast((told) => told.id === id && told.life === lifeOf(world, id))
  return before === undefined ? null : reportRequest({ ...make, name: 'report again' }, before.seq, before.sent)
}

/** The reports of a patient worker after the faults. */
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
