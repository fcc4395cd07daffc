/**
 * Blobs in R2. A short blob is put at once, a long one in parts, and R2 shows nothing until all parts are there. R2 removes the parts of an
 * unfinished upload after seven days.
 */
import { chunkBody, type ChunkedBody } from '../shell/network/chunked-body.ts'
import type { BlobRef, Blobs, TaskRef } from '../shell/ports.ts'

/** R2 takes no smaller part except the last, and wants all parts of one size. */
const PART_BYTES = 5 * 1_048_576
/** The most keys that R2 deletes at once. */
const KEYS_MAX = 1000

/** Each segment ends with a slash and contains none, so no prefix of a tenant or task begins with another's. */
const prefixOf = ({ tenant, task }: TaskRef) => `${encodeURIComponent(tenant)}/${encodeURIComponent(task)}/`
const keyOf = (ref: BlobRef) => prefixOf(ref) + encodeURIComponent(ref.blob)

export function r2Blobs(bucket: R2Bucket): Blobs {
  return {
    async write(ref, body, allow) {
      const parts = chunkBody(body, PART_BYTES)
      const written = await write(bucket, keyOf(ref), parts, allow).catch((error: unknown) => {
        parts.stop()
        throw error
      })
      if (written === null) parts.stop()
      return written
    },
    open: async (ref) => (await callR2(() => bucket.get(keyOf(ref))))?.body ?? null,
    async copy(from, to) {
      const found = await callR2(() => bucket.get(keyOf(from)))
      if (found === null) return false
      await callR2(() => bucket.put(keyOf(to), found.body))
      return true
    },
    remove: (ref) => callR2(() => bucket.delete(keyOf(ref))),
    async sweep(of, names) {
      const keys = names.map((blob) => keyOf({ ...of, blob }))
      for (let from = 0; from < keys.length; from += KEYS_MAX) {
        const some = keys.slice(from, from + KEYS_MAX)
        await callR2(() => bucket.delete(some))
      }
    },
  }
}

type Allow = (bytes: number) => Promise<boolean>

async function write(bucket: R2Bucket, key: string, parts: ChunkedBody, allow: Allow): Promise<number | null> {
  const first = await parts.next()
  if (!(await allow(first.byteLength))) return null
  if (first.byteLength === PART_BYTES) return writeLong(bucket, key, first, parts, allow)
  await callR2(() => bucket.put(key, first))
  return first.byteLength
}

async function writeLong(bucket: R2Bucket, key: string, first: Uint8Array, parts: ChunkedBody, allow: Allow) {
  const upload = await callR2(() => bucket.createMultipartUpload(key))
  const abort = () => upload.abort().catch(() => undefined)
  try {
    const done: R2UploadedPart[] = []
    let bytes = 0
    for (let part = first; part.byteLength > 0; part = await parts.next()) {
      bytes += part.byteLength
      if (done.length > 0 && !(await allow(bytes))) {
        await abort()
        return null
      }
      done.push(await callR2(() => upload.uploadPart(done.length + 1, part)))
    }
    await callR2(() => upload.complete(done))
    return bytes
  } catch (error) {
    await abort()
    throw error
  }
}

/** An error of R2 is not the fault of the request, which may be sent again. */
async function callR2<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : ''
    throw Object.assign(new Error(`blob storage: ${message}`, { cause }), { blobs_away: true })
  }
}
