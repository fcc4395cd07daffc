/**
 * Blobs of tasks, counted for their tenant. The order leaves nothing behind: a blob is counted, then kept, then named by a row; it loses its
 * row, then is removed, then is no longer counted. A writer that dies in between leaves a counted blob without a row, which is swept when
 * its hold was not renewed for an hour (shell/files/sweep-uploads.ts).
 */
import { blobName } from '../../core/workspace/incarnation.ts'
import { RENEW_MS } from '../../core/workspace/unfinished-blobs.ts'
import { ok, refuse, type Refusal, type Result } from '../../core/terms/refusal.ts'
import { errorFacts } from '../../telemetry/error-facts.ts'
import { isolateLog } from '../../telemetry/isolate.ts'
import { brokenBody } from '../network/chunked-body.ts'
import { bytesMaxOf } from '../quotas/limits-of.ts'
import type { BlobRef, Ports, TaskRef } from '../ports.ts'

export type Keeping = Pick<Ports, 'store' | 'blobs' | 'random_id' | 'max_stored_bytes' | 'registry' | 'clock'>

const NO_BLOBS: Refusal = {
  code: 'not_configured',
  reasons: ['there is no storage for files: a bucket has to be bound as FILES'],
}

/** The task that a blob is kept for. The blob's name contains the incarnation. */
interface TaskIncarnation extends TaskRef {
  incarnation: string
}

/** The limits of a body. */
interface BodyBounds {
  bytes_max: number
  /** The announced length; null where none is announced. */
  announced: number | null
  /** Whether an empty body is allowed. */
  empty: boolean
}

/** Keeps a body as a new blob and answers its name. Keeps nothing of a body that is refused or breaks off. */
export async function keepBlob(
  keeping: Keeping,
  { incarnation, ...of }: TaskIncarnation,
  body: ReadableStream<Uint8Array>,
  bounds: BodyBounds,
): Promise<Result<{ blob: string; bytes: number }>> {
  const { blobs } = keeping
  if (blobs === null) return refuse(NO_BLOBS)
  const ref = { ...of, blob: blobName(incarnation, keeping.random_id()) }
  const counter = countBytes(keeping, ref, bounds)
  try {
    const bytes = await blobs.write(ref, withCallBefore(body, counter.renew), counter.allow)
    // Not every transport reports a body that ends too early.
    if (bytes !== null && bytes < (bounds.announced ?? 0)) throw brokenBody()
    if (bytes !== null) return ok({ blob: ref.blob, bytes })
  } catch (error) {
    await discardBlob(keeping, of, ref.blob)
    throw error
  }
  await discardBlob(keeping, of, ref.blob)
  return refuse(counter.against() ?? { code: 'task_not_found' })
}

/** Counts a body while it arrives. The announced bytes are held at once, and bytes beyond them as they arrive. */
function countBytes(keeping: Keeping, { tenant, task, blob }: BlobRef, bounds: BodyBounds) {
  const { store, clock } = keeping
  let refusal: Refusal | null = null
  // An empty body counts no bytes, but it is held too.
  let held = -1
  let renewed_at = clock.now_ms()
  const refuseFor = (reason: Refusal) => {
    refusal = reason
    return false
  }
  const allow = async (bytes: number): Promise<boolean> => {
    if (bytes > bounds.bytes_max) return refuseFor({ code: 'file_too_large', max_bytes: bounds.bytes_max })
    if (bytes === 0 && !bounds.empty) return refuseFor(EMPTY)
    const bytes_needed = Math.max(bytes, Math.min(bounds.announced ?? 0, bounds.bytes_max))
    if (bytes_needed <= held) return true
    renewed_at = clock.now_ms()
    const { bytes_max: max } = await bytesMaxOf(keeping, tenant)
    const held_bytes = await store.workspace(tenant).tell({ kind: 'hold_bytes', task, blob, bytes: bytes_needed, max })
    held = bytes_needed
    return held_bytes.ok || refuseFor(held_bytes.refusal)
  }
  /** Renews the hold of a slow upload. Throws where the upload was swept, so that its writer stops. */
  const renew = async (): Promise<void> => {
    if (held < 0 || clock.now_ms() - renewed_at < RENEW_MS) return
    renewed_at = clock.now_ms()
    if (!(await store.workspace(tenant).tell({ kind: 'renew_holds', task, blobs: [blob] }))) throw brokenBody()
  }
  return { allow, renew, against: () => refusal }
}

/** The body, with a call before each piece is passed on. Nothing is read ahead. */
function withCallBefore(body: ReadableStream<Uint8Array>, onPiece: () => Promise<void>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        await onPiece()
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
const EMPTY: Refusal = { code: 'validation_failed', errors: [{ pointer: '', message: 'the file is empty' }] }

/** Copies a blob for another task of the tenant; null where the blob is gone. */
export async function copyBlob(
  keeping: Keeping,
  from: BlobRef,
  { task, incarnation }: Omit<TaskIncarnation, 'tenant'>,
  bytes: number,
): Promise<Result<string | null>> {
  const { blobs, store } = keeping
  if (blobs === null) return refuse(NO_BLOBS)
  const to = { tenant: from.tenant, task, blob: blobName(incarnation, keeping.random_id()) }
  const { bytes_max: max } = await bytesMaxOf(keeping, to.tenant)
  const held = await store.workspace(to.tenant).tell({ kind: 'hold_bytes', task, blob: to.blob, bytes, max })
  if (!held.ok) return held
  if (await blobs.copy(from, to)) return ok(to.blob)
  await discardBlob(keeping, to, to.blob)
  return ok(null)
}

type Discarding = Pick<Keeping, 'store' | 'blobs'>

/** Removes a blob that no row names. */
export const discardBlob = (keeping: Discarding, of: TaskRef, blob: string | null): Promise<void> =>
  settleBlob(keeping, of, { named: null, unused: blob })

/** Ends the hold of a blob that a row names, and removes one that no row names. After a failure the blob stays counted until it is swept. */
export async function settleBlob(
  { blobs, store }: Discarding,
  { tenant, task }: TaskRef,
  { named, unused }: { named: string | null; unused: string | null },
): Promise<void> {
  if (named === null && unused === null) return
  try {
    if (unused !== null) await blobs?.remove({ tenant, task, blob: unused })
    const settled = { named: named === null ? [] : [named], removed: unused === null ? [] : [unused] }
    await store.workspace(tenant).tell({ kind: 'settle_blobs', task, ...settled })
  } catch (error) {
    isolateLog.write({ event: 'blob_left', tenant, task, ...errorFacts(error) })
  }
}
