/** Forks and replays of tasks over the ports: a fork reads its parent in pages and is written in one call. */
import { modelsWithoutPrice } from '../core/engine/budgetable.ts'
import type { ForkWish } from '../core/replay/fork.ts'
import type { PastRow } from '../core/replay/past-row.ts'
import { incarnationOf } from '../core/workspace/incarnation.ts'
import { modelFlaws } from '../core/engine/allowed-models.ts'
import { FIRST_ROOM, roomFor } from '../core/workspace/stored-bytes.ts'
import { ok, refuse, type Result } from '../core/terms/refusal.ts'
import type { Replay } from '../core/terms/view.ts'
import type { StoredFile } from '../core/terms/files/files.ts'
import { RENEW_MS } from '../core/workspace/unfinished-blobs.ts'
import { copyBlob, discardBlob } from './files/blob-keeping.ts'
import { clearRemains } from './delete-task.ts'
import type { Ports, TaskRef } from './ports.ts'
import type { TaskAnswer, Caller } from './caller.ts'
import { openSlice, runSlice, ticketOf, type SliceRun } from './slice/slice.ts'

/** Rows of one call. */
const PAGE = 200

/** Under a key the id follows from tenant, path and key: one fork, whatever comes again, and none that a create could have made. */
export async function forkTask(
  ports: Ports,
  caller: Caller,
  parent: string,
  wish: ForkWish,
): Promise<Result<TaskAnswer>> {
  const { tenant, key } = caller
  const id = `task_${key === null ? ports.random_id() : await ports.task_id_of(tenant, `${key.scope} ${key.key}`)}`
  const run = openSlice(ports, caller, id, { rounds: 0, max_ms: 0 })
  const ticket = { ...ticketOf(run, 0), more: 'nothing' as const }
  const made = key === null ? null : await ports.store.of(tenant, id).answered(ticket)
  // Its parent may have been deleted since.
  if (made !== null && (made.ok || made.refusal.code !== 'lease_lost')) return runSlice(run, made)
  const forkable = await ports.store.of(tenant, parent).forkable(wish)
  if (!forkable.ok) return forkable
  const { brief, status, bytes } = forkable.value
  const errors = modelFlaws(brief.settings, ports.allowed_models)
  if (errors.length > 0) return refuse({ code: 'validation_failed', errors })
  const models = modelsWithoutPrice(brief, ports.prices, ports.daily.cost !== null)
  if (models.length > 0) return refuse({ code: 'model_not_budgetable', models })
  const rows = await pastOf(ports, tenant, parent, wish.at)
  if (!rows.ok) return rows
  const entry = { id, mode: brief.mode, status, metadata: brief.metadata, goal: brief.goal, slice: run.slice }
  const admitted = await ports.store.workspace(tenant).admit(entry, ports.max_open_tasks, ports.daily)
  if (!admitted.ok) return admitted
  // A few words make a task as large as its parent: room for all of it is taken first.
  const room = await roomOf(ports, tenant, id, bytes)
  if (!room.ok) return abandoned(run, room)
  const { at, outcome } = wish
  const files = await filesOf(ports, { tenant, task: parent }, run, wish)
  if (!files.ok) return abandoned(run, files)
  // A copy that was swept meanwhile is gone: the rows must not name it.
  if (!(await holdCopies(ports, { tenant, task: id }, files.value))) {
    await abandoned(run, refuse({ code: 'task_not_found' }))
    throw Object.assign(new Error('the copies of a fork took too long'), { blobs_away: true })
  }
  const wanted = { id, tenant, brief, at, outcome, rows: rows.value, files: files.value }
  const forked = await ports.store.of(tenant, id).fork(wanted, ticket)
  // Another request has made it, with copies of its own.
  if (!forked.ok || forked.value.earlier !== null)
    for (const { blob } of files.value) await discardBlob(ports, { tenant, task: id }, blob)
  // Its parent's worker knows nothing of it: a fork that waits for a report has a command of its own.
  const command = forked.ok ? (forked.value.task?.command ?? null) : null
  if (command !== null) await ports.store.workspace(tenant).enterDelegation(command)
  // The index holds it like this already.
  return runSlice(run, forked.ok ? ok({ ...forked.value, status_before: status }) : forked)
}

/** The fork asks for more itself where that is too little. */
async function roomOf(ports: Ports, tenant: string, task: string, bytes: number): Promise<Result<number>> {
  if (bytes <= FIRST_ROOM) return ok(bytes)
  const call = { task, least: bytes, most: roomFor(bytes) }
  return ports.store.workspace(tenant).holdRoom(call, ports.max_stored_bytes)
}

/** Closed rows are there for good, unless the whole task is deleted meanwhile. */
async function pastOf(ports: Ports, tenant: string, id: string, until: number): Promise<Result<PastRow[]>> {
  const rows: PastRow[] = []
  while (rows.length < until) {
    const page = await ports.store.of(tenant, id).past(rows.length, Math.min(PAGE, until - rows.length))
    if (!page.ok) return page
    if (page.value.data.length === 0) return refuse({ code: 'task_not_found' })
    rows.push(...page.value.data)
  }
  return ok(rows)
}

/** Those of the parent that no row tells, each blob as a copy that is the fork's own. One that is gone by now is left out. */
async function filesOf(
  ports: Ports,
  parent: TaskRef,
  { id, slice }: SliceRun,
  { at, outcome }: ForkWish,
): Promise<Result<StoredFile[]>> {
  const found = await ports.store.of(parent.tenant, parent.task).forkedFiles(at, outcome)
  if (!found.ok) return found
  const files: StoredFile[] = []
  let held_at = ports.clock.now_ms()
  for (const file of found.value) {
    // Many large files are copied for a long time.
    if (ports.clock.now_ms() - held_at >= RENEW_MS) {
      held_at = ports.clock.now_ms()
      await holdCopies(ports, { tenant: parent.tenant, task: id }, files)
    }
    const copied =
      file.blob === null
        ? ok(null)
        : await copyBlob(ports, { ...parent, blob: file.blob }, { task: id, life: incarnationOf(slice) }, file.bytes)
    if (!copied.ok) return copied
    if (file.blob === null || copied.value !== null) files.push({ ...file, blob: copied.value })
  }
  return ok(files)
}

/** False: one of the copies was swept. */
async function holdCopies({ store }: Ports, { tenant, task }: TaskRef, files: readonly StoredFile[]): Promise<boolean> {
  const copies = files.flatMap(({ blob }) => blob ?? [])
  return copies.length === 0 || store.workspace(tenant).renewHolds(task, copies)
}

/** What was copied, and the entry, unless another request under the same key may be making this fork. */
async function abandoned<T>({ ports, caller, id, slice }: SliceRun, refused: Result<T>): Promise<Result<TaskAnswer>> {
  await clearRemains(ports, caller, id, { life: incarnationOf(slice), held: null }, null)
  return refused.ok ? refuse({ code: 'task_not_found' }) : refused
}

/** Page by page, so that a task of any length takes no more memory than a page of it. */
export async function replayTask(ports: Ports, { tenant }: Caller, id: string): Promise<Result<Replay>> {
  let events = 0
  for (let after: number | null = 0; after !== null;) {
    const page = await ports.store.of(tenant, id).replay(after, PAGE)
    if (!page.ok) return page
    const { rows, first_difference, next }: (typeof page)['value'] = page.value
    events += rows
    if (first_difference !== null) return ok({ equal: false, events, first_difference })
    after = next
  }
  return ok({ equal: true, events, first_difference: null })
}
