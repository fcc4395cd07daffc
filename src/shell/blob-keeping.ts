/**
 * Blobs of tasks, counted for their tenant. The order that leaves nothing behind: counted before it is kept, kept before a row names
 * it, removed after no row does, no longer counted after it is removed. Whoever dies in between leaves a blob that nobody names and
 * that is still counted; it goes with its task.
 */
import { blobName } from '../core/lives.ts'
import { ok, refuse, type Refusal, type Result } from '../core/refusal.ts'
import { brokenBody } from './parts.ts'
import type { BlobRef, Ports, TaskRef } from './ports.ts'

export type Keeping = Pick<Ports, 'store' | 'blobs' | 'random_id' | 'max_stored_bytes'>

export const NO_BLOBS: Refusal = {
  code: 'not_configured',
  reasons: ['there is no storage for files: a bucket has to be bound as FILES'],
}

/** For which task a blob is kept: it is named by its life. */
export interface TaskLife extends TaskRef {
  life: string
}

/** What a body may be. */
export interface Bounds {
  bytes_max: number
  /** What is said of it beforehand; null: nothing. */
  announced: number | null
  /** Whether there may be nothing in it. */
  empty: boolean
}

/** Keeps a body under a new name, which it answers. Nothing is kept of one that is refused, or that breaks off. */
export async function keepBlob(
  keeping: Keeping,
  { life, ...of }: TaskLife,
  body: ReadableStream<Uint8Array>,
  bounds: Bounds,
): Promise<Result<{ blob: string; bytes: number }>> {
  const { blobs } = keeping
  if (blobs === null) return refuse(NO_BLOBS)
  const ref = { ...of, blob: blobName(life, keeping.random_id()) }
  const counter = counted(keeping, ref, bounds)
  try {
    const bytes = await blobs.write(ref, body, counter.allow)
    // Not every way a body comes by tells of its end before time.
    if (bytes !== null && bytes < (bounds.announced ?? 0)) throw brokenBody()
    if (bytes !== null) return ok({ blob: ref.blob, bytes })
  } catch (error) {
    await discard(keeping, of, ref.blob)
    throw error
  }
  await discard(keeping, of, ref.blob)
  return refuse(counter.against() ?? { code: 'task_not_found' })
}

/** Counts a body while it comes. What was announced is held at once, and what comes beyond it as it comes. */
function counted({ store, max_stored_bytes }: Keeping, { tenant, task, blob }: BlobRef, bounds: Bounds) {
  let refusal: Refusal | null = null
  let held = 0
  const refuseFor = (reason: Refusal) => {
    refusal = reason
    return false
  }
  const allow = async (bytes: number): Promise<boolean> => {
    if (bytes > bounds.bytes_max) return refuseFor({ code: 'file_too_large', max_bytes: bounds.bytes_max })
    if (bytes === 0 && !bounds.empty) return refuseFor(EMPTY)
    const wanted = Math.max(bytes, Math.min(bounds.announced ?? 0, bounds.bytes_max))
    if (wanted <= held) return true
    const got = await store.workspace(tenant).holdBytes({ task, blob, bytes: wanted }, max_stored_bytes)
    held = wanted
    return got.ok || refuseFor(got.refusal)
  }
  return { allow, against: () => refusal }
}
const EMPTY: Refusal = { code: 'validation_failed', errors: [{ pointer: '', message: 'the file is empty' }] }

/** A copy for another task of the tenant; null: there is nothing to copy any more. */
export async function copyBlob(
  keeping: Keeping,
  from: BlobRef,
  { task, life }: Omit<TaskLife, 'tenant'>,
  bytes: number,
): Promise<Result<string | null>> {
  const { blobs, store, max_stored_bytes } = keeping
  if (blobs === null) return refuse(NO_BLOBS)
  const to = { tenant: from.tenant, task, blob: blobName(life, keeping.random_id()) }
  const held = await store.workspace(to.tenant).holdBytes({ task, blob: to.blob, bytes }, max_stored_bytes)
  if (!held.ok) return held
  if (await blobs.copy(from, to)) return ok(to.blob)
  await discard(keeping, to, to.blob)
  return ok(null)
}

/** Of a blob that no row names. What cannot be removed now goes with its task, and is counted until then. */
export async function discard(
  { blobs, store }: Keeping,
  { tenant, task }: TaskRef,
  blob: string | null,
): Promise<void> {
  if (blob === null) return
  try {
    await blobs?.remove({ tenant, task, blob })
    await store.workspace(tenant).releaseBytes(task, [blob])
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'error'
    console.error(JSON.stringify({ event: 'blob_left', tenant, task, reason }))
  }
}
