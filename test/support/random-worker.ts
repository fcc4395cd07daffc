/** The actions of external workers on a task in memory: one report, a repeated, changed, late or early one, one about an end, or none. */
import type { Ticket } from '../../src/core/protocol/advance.ts'
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import type { SentReport } from '../../src/core/terms/delegation.ts'
import type { Event } from '../../src/core/terms/effect.ts'
import { awaitedIn, commandRows, deadlineOf } from '../sim/check-reports.ts'
import type { Random } from '../sim/random.ts'
import { storedRows } from './forks.ts'
import { randomSent } from './random-report.ts'
import { tend } from './reports.ts'
import { CALLER, type Bench } from './scripted.ts'

export const WORKER_MOVES = ['report', 'report', 'report', 'again', 'otherwise', 'silence', 'early'] as const
export type WorkerMove = (typeof WORKER_MOVES)[number]

export const isWorkerMove = (move: string): move is WorkerMove => WORKER_MOVES.some((one) => one === move)

export interface RandomWorker {
  bench: Bench
  random: Random
  /** The reports that were sent, by the row of the command; the first accepted one counts. */
  sent: Map<number, SentReport>
  serial: number
}

/** `id` may be a task of any mode; for one without commands nothing happens. */
export async function workerMove(worker: RandomWorker, id: string, move: WorkerMove): Promise<void> {
  const { bench, random, sent } = worker
  const rows = storedRows(bench, id)
  const known = commandRows(rows)
  const awaited = awaitedIn(rows.last()?.head)
  switch (move) {
    case 'report':
      return say(worker, id, awaited ?? known.at(-1))
    case 'again': {
      const seq = random.chance(0.5) ? known.at(-1) : [...sent.keys()].at(-1)
      return say(worker, id, seq, seq === undefined ? undefined : sent.get(seq))
    }
    case 'otherwise':
      return say(worker, id, known.length === 0 ? undefined : random.pick(known))
    case 'silence':
      if (awaited === null) return
      bench.clock.now = Math.max(bench.clock.now, deadlineOf(rows, awaited))
      if (random.chance(0.3)) await say(worker, id, awaited)
      return tend(bench.ports, CALLER, id)
    case 'early':
      return early(worker, id)
  }
}

async function say(worker: RandomWorker, id: string, seq: number | undefined, again?: SentReport): Promise<void> {
  if (seq === undefined) return
  const { bench, random, sent } = worker
  const report = again ?? randomSent(random, `report ${(worker.serial += 1)}`)
  const answer = await bench.service.reportDelegation(CALLER, delegationId(id, seq), report)
  if (answer.ok) sent.set(seq, report)
}

const OUTCOMES: Event[] = [
  { kind: 'tool_returned', ok: true, code: 'delegated', text: 'entered' },
  { kind: 'tool_returned', ok: false, code: 'tool_error', text: 'no workspace' },
]

/** During an effect of our worker a report of an external worker arrives, about the current command or an earlier one. */
async function early(worker: RandomWorker, id: string): Promise<void> {
  const { bench, random } = worker
  const slice = bench.ports.random_id()
  const ticket: Ticket = { slice, boot: 'boot', more: 'new_round', rounds: 9, wall_ms: bench.clock.now, key: null }
  const task = bench.store.of(CALLER.tenant, id)
  const begun = await task.begin(ticket)
  const assignment = begun.ok ? begun.value.assignment : null
  if (assignment === null || assignment.work.kind !== 'run_tool' || assignment.work.tool !== 'delegate') {
    bench.clock.now += 120_000
    return
  }
  await say(worker, id, assignment.seq)
  if (random.chance(0.3)) await say(worker, id, assignment.seq)
  bench.clock.now += random.between(0, 40_000)
  await task.commit(assignment.seq, random.pick(OUTCOMES), { ...ticket, more: 'nothing' })
}
