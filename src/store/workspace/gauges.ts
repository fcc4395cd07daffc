/**
 * What a workspace tells of itself for the metrics after each command that may change it: a few rows are read, nothing is written, and no call
 * is made, because the isolate hands it on later with its counts.
 */
import type { WorkspaceCommandKind } from '../../core/protocol/workspace-requests.ts'
import type { WorkspaceGauges } from '../../telemetry/metrics/catalogue.ts'
import { sqlRunSlots, countWaiting } from './run-slots/sql-run-slots.ts'
import { countRetried } from './sql-deliveries.ts'
import { openTasks } from './task-index/open-tasks.ts'

/** The commands after which something else may be told. */
const CHANGES: ReadonlySet<WorkspaceCommandKind> = new Set<WorkspaceCommandKind>([
  'admit',
  'reopen',
  'drop',
  'set_status',
  'acquire_slot',
  'release_slot',
  'note_delivery',
  'restore',
  'recount',
])

export const changesGauges = (kind: WorkspaceCommandKind): boolean => CHANGES.has(kind)

/** To be called in a transaction. What may be long is counted up to a bound. */
export const gaugesIn = (sql: SqlStorage, slots_max: number): WorkspaceGauges => ({
  open_tasks: openTasks(sql),
  slots_held: sqlRunSlots(sql).countHeld(),
  slots_max,
  slots_waiting: countWaiting(sql),
  deliveries_waiting: countRetried(sql),
})
