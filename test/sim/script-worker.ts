/** The worker of a script: it reports on what is waited for, or on what is on its way, or lets its time run out. */
import type { Report } from '../../src/core/terms/delegation.ts'
import { awaitedIn, deadlineOf } from './check-reports.ts'
import { alarmRequest, reportRequest, type Request } from './requests.ts'
import type { World } from './world.ts'

type Make = Parameters<typeof alarmRequest>[0]

const NOTHING = { session_id: 'session-1', results: null, pitfalls: null, next_steps: null }

/** null: nothing is waited for, and nothing on its way. */
export function workerNext(
  world: World,
  make: Make,
  line: Partial<Report> | 'silence',
  serial: number,
): Request | null {
  const rows = world.tasks.get(make.id)?.rows
  const awaited = awaitedIn(rows?.last()?.head)
  const seq = awaited ?? rows?.pending()?.seq
  if (rows === undefined || seq === undefined) return null
  if (line !== 'silence') {
    const report: Report = { ...NOTHING, status: 'SUCCESS', text: `report ${serial}`, ...line }
    return reportRequest(make, seq, { command_id: null, report, spent: null })
  }
  world.clock.now = Math.max(world.clock.now, deadlineOf(rows, seq))
  return alarmRequest(make)
}
