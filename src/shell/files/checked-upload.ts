/** Checks an image before any of it is kept: a model would be shown whatever stands under its name. */
import { readImageHeader } from '../../core/terms/files/image-header.ts'
import { IMAGE_SIDE_MAX, imageTypeOf, type ImageType } from '../../core/terms/files/images.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { bodyStream, brokenBody, chunkBody } from '../network/chunked-body.ts'

/** A file that a client sends. Its name was checked. */
export interface Upload {
  name: string
  body: ReadableStream<Uint8Array>
  /** The length that the request announces; null where it announces none. The received bytes are counted all the same. */
  length: number | null
  bytes_max: number
}

/** The body to keep. Only an image is read here, as a whole, because its size may stand far behind its beginning. */
export async function checkedUpload({
  name,
  body,
  length,
  bytes_max,
}: Upload): Promise<Result<ReadableStream<Uint8Array>>> {
  if (imageTypeOf(name) === null) return ok(body)
  const reader = chunkBody(body, bytes_max + 1)
  const bytes = await reader.next()
  if (bytes.byteLength > bytes_max) {
    reader.stop()
    return refuse({ code: 'file_too_large', max_bytes: bytes_max })
  }
  if (bytes.byteLength < (length ?? 0)) throw brokenBody()
  // An empty body is refused in the same words as that of any other file.
  const error = bytes.byteLength === 0 ? null : errorOf(name, bytes)
  return error === null
    ? ok(bodyStream(bytes))
    : refuse({ code: 'validation_failed', errors: [{ pointer: '', message: error }] })
}

/** The names of the types, each with the ending that it is put under. */
const TYPES: Record<ImageType, { called: string; ending: string }> = {
  'image/png': { called: 'a PNG image', ending: 'png' },
  'image/jpeg': { called: 'a JPEG image', ending: 'jpg' },
  'image/webp': { called: 'a WebP image', ending: 'webp' },
  'image/gif': { called: 'a GIF image', ending: 'gif' },
}

/** What is wrong with the bytes of an image, for the client. null: nothing is. */
function errorOf(name: string, bytes: Uint8Array): string | null {
  const read = readImageHeader(name, bytes)
  if (read.ok) return null
  const { error } = read
  switch (error.kind) {
    case 'other_type': {
      const { called } = TYPES[error.wanted]
      if (error.found === null)
        return `the name promises ${called}, and the body does not begin as a PNG, JPEG, WebP or GIF image does`
      const found = TYPES[error.found]
      return `the name promises ${called}, and the body is ${found.called}: put it under a name that ends with .${found.ending}`
    }
    case 'no_size':
      return 'the body begins as an image, and ends or breaks off before its width and height'
    case 'size':
      return `the image has ${error.width} × ${error.height} pixels; allowed are 1 to ${IMAGE_SIDE_MAX} on each side`
  }
}
