/** Makes a task, with the files of its client where there are some: they are kept first, and its first row names them. */
import type { Ticket } from '../core/protocol/advance.ts'
import { limitedKey } from '../core/terms/values/limited-key.ts'
import { workLimitsOf } from '../core/workspace/limits.ts'
import { incarnationOf } from '../core/workspace/incarnation.ts'
import { RENEW_MS } from '../core/workspace/unfinished-blobs.ts'
import type { StoredFile } from '../core/terms/files/files.ts'
import { ok, refuse, type Result } from '../core/terms/refusal.ts'
import type { Status } from '../core/terms/status.ts'
import type { StepResult } from '../core/protocol/task-answers.ts'
import type { Beginning, Caller, NewTask, TaskAnswer } from './caller.ts'
import { clearRemains } from './delete-task.ts'
import { discardBlob, keepBlob, settleBlob } from './files/blob-keeping.ts'
import { checkedUpload } from './files/checked-upload.ts'
import { SCHEDULE_SCOPE } from './scheduled-tasks.ts'
import type { SentFile, SentFiles } from './sent-files.ts'
import { limitsOf } from './quotas/limits-of.ts'
import type { Ports } from './ports.ts'
import { openSlice, runSlice, ticketOf, type SliceRun } from './slice/slice.ts'

/** The index is told first, so that it never misses a task. An entry without a task is dropped when it is found. */
export async function createTask(
  ports: Ports,
  caller: Caller,
  task: NewTask,
  { hold = false, files, ...bounds }: Beginning,
): Promise<Result<TaskAnswer>> {
  // With a key the id follows from the key, so that a create never makes two tasks (U6).
  const id = `task_${caller.key === null ? ports.random_id() : await ports.task_id_of(caller.tenant, caller.key.key)}`
  const { mode, metadata, goal, drive, agent } = task
  const run = await openSlice(ports, caller, id, bounds)
  if (files !== undefined && caller.key !== null && (await isThere(run))) return repeatWithFiles(run, task, files)
  const status: Status = hold ? 'paused' : drive === 'manual' ? 'running' : 'queued'
  const by = agent === undefined ? {} : { agent: agent.name }
  const is_scheduled = caller.key?.scope === SCHEDULE_SCOPE
  const origin = {
    ...madeWith(caller),
    ...(caller.key === null ? { is_fresh: true as const } : {}),
    ...(is_scheduled ? { is_scheduled } : {}),
  }
  const entry = { id, mode, status, metadata, goal, ...by, ...origin, slice: run.slice }
  const limits = workLimitsOf(await limitsOf(ports, caller.tenant, caller.key_name))
  const admitted = await ports.store.workspace(caller.tenant).tell({ kind: 'admit', entry, ...limits })
  if (!admitted.ok) return admitted
  const row = { id, tenant: caller.tenant, brief: { ...task, ...makerOf(caller) }, hold }
  // The index has this status already.
  const shown = (created: Result<StepResult>) =>
    created.ok ? ok({ ...created.value, status_before: entry.status }) : created
  if (files !== undefined) return createWithFiles(run, row, files, shown)
  return runSlice(run, shown(await ports.store.of(caller.tenant, id).create(row, firstTicket(run, task))))
}

/** What a task remembers of the request that made it. */
export function makerOf({ key_name, traceparent }: Caller): Pick<NewTask, 'maker'> {
  const maker = { ...(key_name === null ? {} : { key_name }), ...(traceparent === null ? {} : { traceparent }) }
  return Object.keys(maker).length === 0 ? {} : { maker }
}

/** What the index notes of the key of a new task. */
export function madeWith({ key_name }: Caller): { key_name?: string } {
  const name = limitedKey(key_name)
  return name === null ? {} : { key_name: name }
}

/** The answer of an earlier create under the key, whose agent may be gone by now. null: there was none. */
export async function repeatCreate(
  ports: Ports,
  caller: Caller,
  { files, ...bounds }: Beginning,
): Promise<Result<TaskAnswer> | null> {
  if (caller.key === null) return null
  const id = `task_${await ports.task_id_of(caller.tenant, caller.key.key)}`
  const run = await openSlice(ports, caller, id, bounds)
  const view = await ports.store.of(caller.tenant, id).ask({ kind: 'view' })
  if (!view.ok) return null
  if (files !== undefined) return repeatWithFiles(run, view.value, files)
  return runSlice(run, await ports.store.of(caller.tenant, id).begin(firstTicket(run, view.value)))
}

/** The alarm begins a driven task (U20). */
function firstTicket(run: SliceRun, { drive }: Pick<NewTask, 'drive'>): Ticket {
  const ticket = ticketOf(run, 0)
  return drive === 'manual' ? ticket : { ...ticket, more: 'nothing' }
}

const isThere = async ({ ports, caller, id }: SliceRun): Promise<boolean> =>
  (await ports.store.of(caller.tenant, id).ask({ kind: 'view' })).ok

/** The run under the whole key of its request. The time for rounds counts from here, and not from the beginning of the upload. */
async function withDigest(run: SliceRun, sent: SentFiles): Promise<SliceRun> {
  const { caller } = run
  const key = caller.key === null ? null : { ...caller.key, digest: await sent.digest() }
  return { ...run, caller: { ...caller, key }, begun_ms: run.ports.clock.now_ms() }
}

/** The request comes again. Its files are read for their digest only. */
async function repeatWithFiles(
  run: SliceRun,
  task: Pick<NewTask, 'drive'>,
  files: SentFiles,
): Promise<Result<TaskAnswer>> {
  for (;;) {
    const sent = await files.next()
    if (!sent.ok) return sent
    if (sent.value === null) break
    const reader = sent.value.body.getReader()
    while (!(await reader.read()).done);
  }
  const whole = await withDigest(run, files)
  const begun = await run.ports.store.of(run.caller.tenant, run.id).begin(firstTicket(whole, task))
  // It was deleted meanwhile, and would be made without its files.
  const isGone = !begun.ok && begun.refusal.code === 'task_not_found'
  return runSlice(whole, isGone ? refuse({ code: 'lease_lost' }) : begun)
}

async function createWithFiles(
  run: SliceRun,
  row: { id: string; tenant: string; brief: NewTask; hold: boolean },
  sent: SentFiles,
  shown: (created: Result<StepResult>) => Result<StepResult>,
): Promise<Result<TaskAnswer>> {
  const { ports, id } = run
  const of = { tenant: row.tenant, task: id }
  try {
    const files = await keepFiles(run, sent)
    if (!files.ok) {
      await abandon(run)
      return files
    }
    const whole = await withDigest(run, sent)
    if (!(await holdFiles(run, files.value))) throw sweptFiles()
    const created = await ports.store
      .of(row.tenant, id)
      .create({ ...row, files: files.value }, firstTicket(whole, row.brief))
    if (!created.ok) {
      await abandon(run)
      return created
    }
    // Another request under the same key has made the task, with files of its own.
    const isOurs = created.value.earlier === null
    for (const { blob } of files.value)
      await (isOurs ? settleBlob(ports, of, { named: blob, unused: null }) : discardBlob(ports, of, blob))
    return await runSlice(whole, shown(created))
  } catch (error) {
    // What was made stays: the entry of a task that is there has another admission by then, or is found again by each list.
    if (!(await isThere(run))) await abandon(run)
    throw error
  }
}

/** Files that arrived too slowly were swept meanwhile. The request may be sent again. */
const sweptFiles = () => Object.assign(new Error('the files of a new task took too long'), { blobs_away: true })

/** Removes the files and the entry, unless another request under the same key may be making this task. */
async function abandon({ ports, caller, id, slice }: SliceRun): Promise<void> {
  await clearRemains(ports, caller, id, { incarnation: incarnationOf(slice), held: null }, null)
}

async function keepFiles(run: SliceRun, all: SentFiles): Promise<Result<StoredFile[]>> {
  const { clock } = run.ports
  const files: StoredFile[] = []
  let held_at = clock.now_ms()
  for (;;) {
    const sent = await all.next()
    if (!sent.ok) return sent
    if (sent.value === null) return ok(files)
    const kept = await keepFile(run, sent.value)
    if (!kept.ok) return kept
    files.push(kept.value)
    // Many large files take long to arrive.
    if (clock.now_ms() - held_at < RENEW_MS) continue
    held_at = clock.now_ms()
    if (!(await holdFiles(run, files))) throw sweptFiles()
  }
}

async function keepFile({ ports, caller, id, slice }: SliceRun, sent: SentFile): Promise<Result<StoredFile>> {
  const { name, bytes_max } = sent
  const body = await checkedUpload({ ...sent, length: null })
  if (!body.ok) return refuseOf(sent, body)
  const of = { tenant: caller.tenant, task: id, incarnation: incarnationOf(slice) }
  const kept = await keepBlob(ports, of, body.value, { bytes_max, announced: null, empty: false })
  if (!kept.ok) return refuseOf(sent, kept)
  return ok({ name, seq: 1, at: ports.clock.now_ms(), source: 'client', content: '', ...kept.value })
}

/** The refusal of a file, which names its part of the form. */
function refuseOf({ part, pointer }: SentFile, { refusal }: Extract<Result<unknown>, { ok: false }>): Result<never> {
  if (refusal.code === 'file_too_large') return refuse({ ...refusal, part })
  if (refusal.code !== 'validation_failed') return refuse(refusal)
  const errors = refusal.errors.map(({ message }) => ({ pointer, message: `${part}: ${message}` }))
  return refuse({ ...refusal, errors })
}

/** Renews the holds of the files. False where one of them was swept. */
async function holdFiles({ ports, caller, id }: SliceRun, files: readonly StoredFile[]): Promise<boolean> {
  const blobs = files.flatMap(({ blob }) => blob ?? [])
  return blobs.length === 0 || ports.store.workspace(caller.tenant).tell({ kind: 'renew_holds', task: id, blobs })
}
