/** Blobs in memory, for tests and simulation: a blob becomes visible when it is complete, as in R2. */
import { bodyStream, joinBytes, chunkBody } from '../../../src/shell/network/chunked-body.ts'
import type { BlobRef, Blobs, TaskRef } from '../../../src/shell/ports.ts'

const PART_BYTES = 65_536
const nameOf = ({ tenant, task, blob }: BlobRef) => JSON.stringify([tenant, task, blob])

/** `kept` has the names of the stored files by task. */
export function memoryBlobs(): Blobs & { kept(of: TaskRef): string[] } {
  const blobs = new Map<string, { ref: BlobRef; bytes: Uint8Array<ArrayBuffer> }>()
  const ofTask = ({ tenant, task }: TaskRef) =>
    [...blobs.values()].map(({ ref }) => ref).filter((ref) => ref.tenant === tenant && ref.task === task)
  return {
    kept: (of) => ofTask(of).map(({ blob }) => blob),
    async write(ref, body, allow) {
      const parts = chunkBody(body, PART_BYTES)
      const pieces: Uint8Array[] = []
      let bytes = 0
      for (;;) {
        const part = await parts.next()
        bytes += part.byteLength
        if ((part.byteLength > 0 || bytes === 0) && !(await allow(bytes))) {
          parts.stop()
          return null
        }
        pieces.push(part)
        if (part.byteLength < PART_BYTES) break
      }
      blobs.set(nameOf(ref), { ref, bytes: joinBytes(pieces) })
      return bytes
    },
    open: async (ref) => {
      const found = blobs.get(nameOf(ref))
      return found === undefined ? null : bodyStream(found.bytes.slice())
    },
    async copy(from, to) {
      const found = blobs.get(nameOf(from))
      if (found === undefined) return false
      blobs.set(nameOf(to), { ref: to, bytes: found.bytes })
      return true
    },
    remove: async (ref) => void blobs.delete(nameOf(ref)),
    sweep: async (of, names) => names.forEach((blob) => blobs.delete(nameOf({ ...of, blob }))),
  }
}
