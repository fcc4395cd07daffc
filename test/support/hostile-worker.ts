/** A worker that is as hostile as the model: its reports may be arbitrary, misdirected, repeated, changed, late or missing. */
import { expect } from 'vitest'
import { DelegationView } from '../../src/core/shown/delegation-view.ts'
import type { SentReport } from '../../src/core/terms/delegation.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import type { Random } from '../sim/random.ts'
import type { HostileBench } from './hostile-bench.ts'
import { randomSent } from './random-report.ts'
import { tend } from './reports.ts'
import { CALLER, taken } from './scripted.ts'

/** Lets a worker act on the command that a task waits for, and returns the task afterwards. */
export type Worker = (bench: HostileBench, task: TaskView) => Promise<TaskView>

/** The number of refusals, and their reasons. */
export type Refused = Map<string, number>

export function hostileWorker(random: Random, refused: Refused): Worker {
  let serial = 0
  return async (bench, { id, pending }) => {
    if (pending?.kind !== 'report') throw new Error('nobody waits for a report')
    const { delegation_id, deadline } = pending
    const say = async (sent: SentReport, about = delegation_id) => {
      const answer = await bench.service.reportDelegation(CALLER, about, sent)
      if (answer.ok) expect(DelegationView.parse(answer.value.delegation)).toMatchObject({ status: 'reported' })
      else refused.set(answer.refusal.code, (refused.get(answer.refusal.code) ?? 0) + 1)
      return answer.ok
    }
    const sent = randomSent(random, `report ${(serial += 1)}`)
    if (random.chance(0.2)) expect(await say({ ...sent, command_id: 'task-of-another' })).toBe(false)
    if (random.chance(0.1)) expect(await say(sent, 'delegation_of_nobody_7')).toBe(false)
    const silent = random.chance(0.25)
    if (silent) bench.pass(Date.parse(deadline) - bench.clock.now)
    expect(await say(sent)).toBe(!silent)
    // The first report counts, and the same report again is not a second one.
    if (random.chance(0.3)) expect(await say(sent)).toBe(!silent)
    if (random.chance(0.3)) expect(await say(randomSent(random, `another ${serial}`))).toBe(false)
    if (silent) await tend(bench.ports, CALLER, id)
    return taken(await bench.service.getTask(CALLER, id))
  }
}
