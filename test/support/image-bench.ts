/** Tasks whose model looks at images of its client, over real file tools: how images are put, and what requests show. */
import { imagesOf, type Message } from '../../src/core/terms/effect.ts'
import { IMAGE_BYTES_MAX } from '../../src/core/terms/files/file-types.ts'
import type { ImageRef } from '../../src/core/terms/files/images.ts'
import type { Refusal } from '../../src/core/terms/refusal.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import { base64Of, png } from './pictures.ts'
import { CALLER, type Bench } from './scripted.ts'

/** Puts an image. Answers the refusal, or null. */
export async function putImage(
  bench: Bench,
  id: string,
  name = 'photo.png',
  bytes: Uint8Array<ArrayBuffer> = png(),
): Promise<Refusal | null> {
  const upload = { name, body: bodyStream(bytes), length: null, bytes_max: IMAGE_BYTES_MAX }
  const answer = await bench.service.putFile(CALLER, id, upload)
  return answer.ok ? null : answer.refusal
}

export const urlOf = (bytes: Uint8Array, type = 'image/png'): string => `data:${type};base64,${base64Of(bytes)}`

/** The references in messages, in order. */
export const refsIn = (messages: readonly Message[]): ImageRef[] => messages.flatMap(imagesOf)

/** The images in the body of any wire, as data URLs, in order. */
export function urlsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('data:') ? [value] : []
  if (Array.isArray(value)) return value.flatMap(urlsIn)
  if (typeof value !== 'object' || value === null) return []
  const { type, media_type, data } = value as Record<string, unknown>
  if (type === 'base64') return [`data:${String(media_type)};base64,${String(data)}`]
  return Object.values(value).flatMap(urlsIn)
}
