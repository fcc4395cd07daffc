/**
 * Drives tasks without their clients: slices under a run slot of the tenant (core/workspace/run-slots.ts). A task without a slot waits until
 * it is woken. A task that does not need its slot gives it back.
 */
import type { DriveJob } from '../../core/protocol/alarm-times.ts'
import { RUNNING_STATUSES } from '../../core/terms/status.ts'
import { SLOT_KEPT_MS } from '../../core/workspace/run-slots.ts'
import type { Result } from '../../core/terms/refusal.ts'
import type { Ports } from '../ports.ts'
import { countRequestOf } from '../quotas/count-requests.ts'
import { limitsOf } from '../quotas/limits-of.ts'
import type { TaskAnswer, Bounds, Caller } from '../caller.ts'
import { openSlice, runSlice, ticketOf } from '../slice/slice.ts'
import { indexStatus } from '../listing/index-status.ts'

/** The bounds of a driven slice: long enough to be worth its alarm, short enough to be fair. */
const BOUNDS: Bounds = { rounds: 20, max_ms: 25_000 }

/** A waiting task is woken when it is handed a slot. If that job is lost, the task asks by itself, at a random time. */
const SAFETY_MS = 10 * 60_000
/** While the registry cannot be reached, a task asks again after this time, or up to twice as long. */
const AWAY_MS = 5_000

export async function driveTask(
  ports: Ports,
  caller: Caller,
  { task: id, version, asked_ms }: DriveJob,
): Promise<void> {
  const [task, workspace] = [ports.store.of(caller.tenant, id), ports.store.workspace(caller.tenant)]
  const wait_ms = SAFETY_MS * (1 + ports.webhooks.chance())
  // The task goes on when its tenant is enabled. Until then it asks from time to time, and holds what it holds.
  const is_disabled = await disabledIn(ports, caller.tenant)
  if (is_disabled === null) return task.driveLater(AWAY_MS * (1 + ports.webhooks.chance()), asked_ms)
  if (is_disabled) return task.driveLater(wait_ms, asked_ms)
  if (!(await workspace.tell({ kind: 'acquire_slot', task: id, version }))) return task.driveLater(wait_ms, asked_ms)
  // A slice counts as one request of its tenant and of the key that made its task. Beyond the limit it waits and keeps its slot, because no
  // other task of the tenant may begin either.
  const limits = await limitsOf(ports, caller.tenant, caller.key_name)
  const limited = await countRequestOf(ports.count_request, caller.tenant, limits)
  if (limited !== null) return task.driveLater(limited.retry_after_s * 1000, asked_ms)
  const run = await openSlice(ports, caller, id, BOUNDS)
  const ran = await runSlice(run, await task.tell({ kind: 'tend' }, ticketOf(run, 0)))
  const unused = unusedAt(ran)
  if (unused === undefined) return
  // The task waits for what other tasks hold of the daily total. Its rows say nothing of that.
  const retry_ms = ran.ok && waitsForOthers(ran.value) ? ran.value.task.retry_after_ms : null
  if (retry_ms !== null) await task.driveLater(retry_ms, ports.clock.now_ms())
  await workspace.tell({ kind: 'release_slot', task: id, version: unused })
}

/** null: nobody can say. A task that might be of a disabled tenant is not driven. */
const disabledIn = ({ registry }: Pick<Ports, 'registry'>, tenant: string): Promise<boolean | null> =>
  registry.findTenant(tenant).then(
    (found) => found?.is_disabled === true,
    () => null,
  )

const waitsForOthers = ({ task }: TaskAnswer) => task.slice?.advanced === false && task.retry_after_ms !== null

/** The version at which the task does not need its slot: null for any version, undefined where it goes on. */
function unusedAt(ran: Result<TaskAnswer>): number | null | undefined {
  // Another slice holds the task or took it over, and that slice answers for the slot.
  if (!ran.ok) return UNREACHABLE.has(ran.refusal.code) ? null : undefined
  const { status, drive, retry_after_ms, version } = ran.value.task
  // A task that waits for a slot may hold what this task waits for.
  const goesOn = (retry_after_ms ?? 0) <= SLOT_KEPT_MS && !waitsForOthers(ran.value)
  return drive === 'background' && RUNNING_STATUSES.has(status) && goesOn ? undefined : version
}

const UNREACHABLE: ReadonlySet<string> = new Set(['task_not_found', 'state_unreadable'])

type Stores = Pick<Ports, 'store' | 'clock'>

/** Wakes the tasks that were handed a slot. A holder that does not need its slot, or is gone, frees it for the next task. */
export async function wakeHolders(ports: Stores, caller: Caller, shard: number | undefined): Promise<void> {
  const workspace = ports.store.workspace(caller.tenant, shard)
  const take = () => workspace.tell({ kind: 'take_holders_to_wake' })
  for (let tasks = await take(); tasks.length > 0; tasks = await take()) {
    const woken = await Promise.allSettled(tasks.map((id) => wakeHolder(ports, caller, id, shard)))
    for (const one of woken) if (one.status === 'rejected') throw one.reason
  }
}

/** `shard` has the slot. A deployment that names fewer shards by now would look for it elsewhere. */
async function wakeHolder(ports: Stores, caller: Caller, id: string, shard: number | undefined): Promise<void> {
  const [task, workspace] = [ports.store.of(caller.tenant, id), ports.store.workspace(caller.tenant, shard)]
  if (await task.wake()) return
  const view = await task.ask({ kind: 'view' })
  // The worker that made it idle may have died before it told the index.
  if (view.ok) await indexStatus(ports, caller.tenant, view.value)
  await workspace.tell({ kind: 'release_slot', task: id, version: view.ok ? view.value.version : null })
}
