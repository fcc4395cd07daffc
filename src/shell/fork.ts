/** Forks and replays of tasks over the ports: a fork reads its parent in pages and is written in one call. */
import type { ReplayPage } from '../core/replay/replay.ts'
import { modelsWithoutPrice } from '../core/engine/budgetable.ts'
import type { ForkRequest } from '../core/replay/fork.ts'
import type { PastRow } from '../core/replay/past-row.ts'
import { isMoneyBounded, workLimitsOf } from '../core/workspace/limits.ts'
import { incarnationOf } from '../core/workspace/incarnation.ts'
import { modelErrors } from '../core/engine/model-rules.ts'
import { FIRST_ROOM, roomWithReserve } from '../core/workspace/stored-bytes.ts'
import { ok, refuse, type Result } from '../core/terms/refusal.ts'
import type { Replay } from '../core/shown/replay-view.ts'
import type { StoredFile } from '../core/terms/files/files.ts'
import { RENEW_MS } from '../core/workspace/unfinished-blobs.ts'
import { copyBlob, discardBlob } from './files/blob-keeping.ts'
import { madeWith, makerOf } from './create-task.ts'
import { clearRemains } from './delete-task.ts'
import { limitsOf, modelRulesOf } from './quotas/limits-of.ts'
import { enterDelegation, poolNamedBy } from './pools/pools.ts'
import type { Ports, TaskRef } from './ports.ts'
import type { TaskAnswer, Caller } from './caller.ts'
import { openIdleSlice, runSlice, type SliceRun } from './slice/slice.ts'

/** The rows of one call. */
const PAGE = 200

/** Under a key the id follows from tenant, path and key. So a repeated request makes one fork, and never the task of a create. */
export async function forkTask(
  ports: Ports,
  caller: Caller,
  parent: string,
  request: ForkRequest,
): Promise<Result<TaskAnswer>> {
  const { tenant, key } = caller
  const id = `task_${key === null ? ports.random_id() : await ports.task_id_of(tenant, `${key.scope} ${key.key}`)}`
  const { run, ticket } = openIdleSlice(ports, caller, id)
  const earlier_fork = key === null ? null : await ports.store.of(tenant, id).ask({ kind: 'earlier_answer', ticket })
  // The parent may have been deleted since.
  if (earlier_fork !== null && (earlier_fork.ok || earlier_fork.refusal.code !== 'lease_lost'))
    return runSlice(run, earlier_fork)
  const forkable = await ports.store.of(tenant, parent).ask({ kind: 'forkable', request })
  if (!forkable.ok) return forkable
  const { status, metadata, bytes } = forkable.value
  const brief = { ...forkable.value.brief, ...makerOf(caller) }
  const limits = await limitsOf(ports, tenant, caller.key_name)
  const errors = modelErrors(brief.settings, modelRulesOf(limits, ports.model_rules, tenant), tenant)
  if (errors.length > 0) return refuse({ code: 'validation_failed', errors })
  const models = modelsWithoutPrice(brief, ports.prices, isMoneyBounded(limits))
  if (models.length > 0) return refuse({ code: 'model_not_budgetable', models })
  const rows = await pastOf(ports, tenant, parent, request.at)
  if (!rows.ok) return rows
  const entry = {
    id,
    mode: brief.mode,
    status,
    metadata,
    goal: brief.goal,
    forked_from: parent,
    ...(brief.agent === undefined ? {} : { agent: brief.agent.name }),
    ...(key === null ? { is_fresh: true as const } : {}),
    ...madeWith(caller),
    slice: run.slice,
  }
  const admitted = await ports.store.workspace(tenant).tell({ kind: 'admit', entry, ...workLimitsOf(limits) })
  if (!admitted.ok) return admitted
  // A short request makes a task as large as its parent, so room for all of it is taken first.
  const room = await roomOf(ports, { tenant, task: id }, bytes, limits.tenant.stored_bytes)
  if (!room.ok) return abandonFork(run, room)
  const { at, outcome } = request
  const files = await filesOf(ports, { tenant, task: parent }, run, request)
  if (!files.ok) return abandonFork(run, files)
  // A copy may have been swept meanwhile. The rows must not name it.
  if (!(await holdCopies(ports, { tenant, task: id }, files.value))) {
    await abandonFork(run, refuse({ code: 'task_not_found' }))
    throw Object.assign(new Error('the copies of a fork took too long'), { blobs_away: true })
  }
  const new_fork = { id, tenant, brief, at, outcome, rows: rows.value, files: files.value }
  const forked = await ports.store.of(tenant, id).fork(new_fork, ticket)
  // Another request has made the fork, with copies of its own.
  if (!forked.ok || forked.value.earlier !== null)
    for (const { blob } of files.value) await discardBlob(ports, { tenant, task: id }, blob)
  // The parent's worker does not know the fork: a fork that waits for a report has a command of its own.
  const command = forked.ok ? (forked.value.task?.command ?? null) : null
  const place = { tenant, pool: poolNamedBy(brief) }
  if (command !== null) await enterDelegation(ports.store, place, command)
  // The index holds it like this already.
  return runSlice(run, forked.ok ? ok({ ...forked.value, status_before: status }) : forked)
}

/** Takes room for the rows of the fork. The fork asks for more where that is too little. */
async function roomOf(
  { store }: Ports,
  { tenant, task }: TaskRef,
  bytes: number,
  max: number,
): Promise<Result<number>> {
  if (bytes <= FIRST_ROOM) return ok(bytes)
  const room = { task, least: bytes, most: roomWithReserve(bytes), max }
  return store.workspace(tenant).tell({ kind: 'hold_room', ...room })
}

/** Closed rows never go, unless the whole task is deleted meanwhile. */
async function pastOf(ports: Ports, tenant: string, id: string, until: number): Promise<Result<PastRow[]>> {
  const rows: PastRow[] = []
  while (rows.length < until) {
    const page = await ports.store
      .of(tenant, id)
      .ask({ kind: 'past_rows', after: rows.length, limit: Math.min(PAGE, until - rows.length) })
    if (!page.ok) return page
    if (page.value.data.length === 0) return refuse({ code: 'task_not_found' })
    rows.push(...page.value.data)
  }
  return ok(rows)
}

/** The parent's files that no row repeats, each blob as a copy of the fork's own. A blob that is gone is left out. */
async function filesOf(
  ports: Ports,
  parent: TaskRef,
  { id, slice }: SliceRun,
  { at, outcome }: ForkRequest,
): Promise<Result<StoredFile[]>> {
  const found = await ports.store.of(parent.tenant, parent.task).ask({ kind: 'forked_files', at, outcome })
  if (!found.ok) return found
  const files: StoredFile[] = []
  let held_at = ports.clock.now_ms()
  for (const file of found.value) {
    // Many large files take long to copy.
    if (ports.clock.now_ms() - held_at >= RENEW_MS) {
      held_at = ports.clock.now_ms()
      await holdCopies(ports, { tenant: parent.tenant, task: id }, files)
    }
    const copied =
      file.blob === null
        ? ok(null)
        : await copyBlob(
            ports,
            { ...parent, blob: file.blob },
            { task: id, incarnation: incarnationOf(slice) },
            file.bytes,
          )
    if (!copied.ok) return copied
    if (file.blob === null || copied.value !== null) files.push({ ...file, blob: copied.value })
  }
  return ok(files)
}

/** Renews the holds of the copies. False where one of them was swept. */
async function holdCopies({ store }: Ports, { tenant, task }: TaskRef, files: readonly StoredFile[]): Promise<boolean> {
  const copies = files.flatMap(({ blob }) => blob ?? [])
  return copies.length === 0 || store.workspace(tenant).tell({ kind: 'renew_holds', task, blobs: copies })
}

/** Removes the copies and the entry, unless another request under the same key may be making this fork. */
async function abandonFork<T>({ ports, caller, id, slice }: SliceRun, refused: Result<T>): Promise<Result<TaskAnswer>> {
  await clearRemains(ports, caller, id, { incarnation: incarnationOf(slice), held: null }, null)
  return refused.ok ? refuse({ code: 'task_not_found' }) : refused
}

/** Replays page by page, so that a long task takes no more memory than a page. */
export async function replayTask(ports: Ports, { tenant }: Caller, id: string): Promise<Result<Replay>> {
  let events = 0
  for (let after: number | null = 0; after !== null;) {
    const page: Result<ReplayPage> = await ports.store.of(tenant, id).ask({ kind: 'replay', after, limit: PAGE })
    if (!page.ok) return page
    const { rows, first_difference, next }: ReplayPage = page.value
    events += rows
    if (first_difference !== null) return ok({ equal: false, events, first_difference })
    after = next
  }
  return ok({ equal: true, events, first_difference: null })
}
