/** The worker of a script: it reports on the awaited command or on the next one, or lets the deadline pass. */
import type { Report } from '../../src/core/terms/delegation.ts'
import { awaitedIn, deadlineOf } from './check-reports.ts'
import { alarmRequest, reportRequest, type Request } from './requests.ts'
import type { World } from './world.ts'

type Make = Parameters<typeof alarmRequest>[0]

const NOTHING = { session_id: 'session-1', results: null, pitfalls: null, next_steps: null }

/** null if no command is awaited or being handed out. */
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
