/** Loads the images that a request names, shortly before it is sent. The journal holds only references to them. */
import { imagesOf, type Message } from '../../core/terms/effect.ts'
import { IMAGE_BYTES_MAX } from '../../core/terms/files/file-types.ts'
import type { ImageRef } from '../../core/terms/files/images.ts'
import { sha256, toHex } from '../hex.ts'
import { withDeadline } from '../network/bounded-fetch.ts'
import { chunkBody } from '../network/chunked-body.ts'
import type { Files, ModelRequest, TaskRef } from '../ports.ts'

interface LoadedImages {
  /** In base64, by their digests. One is left out if its file is gone or has other bytes now. */
  images: NonNullable<ModelRequest['images']>
  /** What is left of the time of the call. */
  timeout_ms: number
}
const NO_IMAGES: LoadedImages['images'] = new Map()

/**
 * The images of a request, loaded within the time of its call. null: the storage has failed or is too slow, which says nothing of the files. A
 * fork finds its copies under the same names.
 */
export async function loadWithin(
  timeout_ms: number,
  files: Pick<Files, 'open'>,
  of: TaskRef,
  messages: readonly Message[],
): Promise<LoadedImages | null> {
  const named = messages.flatMap(imagesOf)
  if (named.length === 0) return { images: NO_IMAGES, timeout_ms }
  const begun = Date.now()
  const images = await withDeadline(timeout_ms, null, () => loadImages(files, of, named).catch(() => null))
  const left = timeout_ms - (Date.now() - begun)
  return images === null || left <= 0 ? null : { images, timeout_ms: left }
}

async function loadImages(
  files: Pick<Files, 'open'>,
  of: TaskRef,
  named: readonly ImageRef[],
): Promise<LoadedImages['images']> {
  const loaded = new Map<string, string>()
  for (const image of named) {
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
