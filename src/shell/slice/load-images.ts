/** Loads the images that a request names, shortly before it is sent. The journal holds only references to them. */
import type { Message } from '../../core/terms/effect.ts'
import { IMAGE_BYTES_MAX } from '../../core/terms/files/file-types.ts'
import type { ImageRef } from '../../core/terms/files/images.ts'
import { sha256, toHex } from '../hex.ts'
import { chunkBody } from '../network/chunked-body.ts'
import type { Files, ModelRequest, TaskRef } from '../ports.ts'

/**
 * The images in base64, by their digests. One is left out if its file is gone or has other bytes now. A fork finds the copy under the same name.
 * Rejects where the storage fails, which says nothing of the file.
 */
export async function loadImages(
  files: Pick<Files, 'open'>,
  of: TaskRef,
  messages: readonly Message[],
): Promise<NonNullable<ModelRequest['images']>> {
  const loaded = new Map<string, string>()
  for (const image of messages.flatMap((message) => ('images' in message ? (message.images ?? []) : []))) {
    const bytes = loaded.has(image.digest) ? null : await bytesOf(files, of, image)
    if (bytes !== null) loaded.set(image.digest, base64(bytes))
  }
  return loaded
}

/** null: the file is gone, or it is another one. */
async function bytesOf(
  files: Pick<Files, 'open'>,
  of: TaskRef,
  { name, bytes, digest }: ImageRef,
): Promise<Uint8Array | null> {
  const opened = await files.open(of, name)
  if (!opened.ok || opened.value === null) return null
  const { entry, body } = opened.value
  if (entry.bytes !== bytes || bytes > IMAGE_BYTES_MAX) {
    await body.cancel()
    return null
  }
  const content = await chunkBody(body, bytes).next()
  return toHex(await sha256(content)) === digest ? content : null
}

/** A multiple of three bytes, so that the texts of all parts are one text. */
const PART_BYTES = 24_576

function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += PART_BYTES)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PART_BYTES))))
  return parts.join('')
}
