/** What brings a task on: the request that its client, its worker or its alarm makes next, as it stands. */
import { parseDelegationId } from '../../src/core/terms/delegation-id.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { deadlineOf } from './check-reports.ts'
import { alarmRequest, inputRequest, putRequest, stepRequest, topUpRequest, type Request } from './requests.ts'
import { plainReport } from './worker.ts'
import type { World } from './world.ts'

type Make = Parameters<typeof stepRequest>[0]
export type Standing = Pick<TaskView, 'id' | 'status' | 'stop_reason'> & {
  pending: {
    kind: string
    name?: string | null
    request_id?: string
    delegation_id?: string
    choices?: string[] | null
  } | null
}

/** `serial` makes marks that were not used before. */
export function nextRequest(
  world: World,
  { status, stop_reason, pending }: Standing,
  make: (name: string) => Make,
  serial: number,
): Request {
  if (status === 'running') return stepRequest(make('step'))
  const { request_id = null, delegation_id } = pending ?? {}
  if (delegation_id !== undefined) return workOn(world, delegation_id, make('report'), serial)
  // Now and then the person has no such file, and says so.
  // The server has a time for each look.
  if (pending?.kind === 'tool') return stepRequest(make('look'))
  if (pending?.kind === 'question' && request_id?.startsWith('tool_') === true)
    return inputRequest(make('answer a tool'), toolAnswer(pending.choices ?? null, serial), request_id, null)
  if (pending?.kind === 'file' && serial % 4 > 0) return putRequest(make('put'), pending.name ?? 'other.csv')
  if (pending?.kind === 'approval') return inputRequest(make('approve'), 'yes', request_id, null)
  if (status === 'input_required') return inputRequest(make('answer'), `note ${serial}`, request_id, `note ${serial}`)
  if (stop_reason?.startsWith('budget_exhausted') !== true)
    return inputRequest(make('continue'), 'continue', null, null)
  const add = { steps: 5, tokens: 200_000 + serial, cost: 1_000_000, working_ms: 600_000 }
  return topUpRequest(make('top-up'), add)
}

/** One that fits whatever a tool asks: a choice, or now and then no answer. */
const toolAnswer = (choices: readonly string[] | null, serial: number): string =>
  choices === null ? (serial % 3 === 0 ? 'decline' : 'bugs') : (choices[serial % choices.length] ?? 'decline')

/** Now and then nobody does. */
function workOn(world: World, delegation: string, to: Make, serial: number): Request {
  const [rows, ref] = [world.tasks.get(to.id)?.rows, parseDelegationId(delegation)]
  if (rows === undefined || ref === null) return stepRequest(to)
  const deadline = deadlineOf(rows, ref.seq)
  if (serial % 5 > 0 && world.clock.now < deadline) return plainReport(world, to, ref.seq, serial)
  world.clock.now = Math.max(world.clock.now, deadline)
  return alarmRequest(to)
}
