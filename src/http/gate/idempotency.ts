/** The Idempotency-Key of a request, and what a request that comes again under it is compared by (U6). */
import type { RequestKey } from '../../core/protocol/advance.ts'
import { toHex } from '../../shell/hex.ts'
import { mediaTypeOf } from './body.ts'
import type { HttpResult } from '../shapes/http-refusal.ts'
import { pointerToken } from './text-safety.ts'
import type { Route } from '../route.ts'

const NAME = 'Idempotency-Key'
/** Visible ASCII has no space, and two headers arrive as one text with a comma and a space between them. */
const KEY = /^[\x21-\x7e]{1,255}$/

/** The key as sent, null without one; else a 422 that names the header. */
export function idempotencyKey(headers: Headers): HttpResult<string | null> {
  const key = headers.get(NAME)
  if (key === null || KEY.test(key)) return { ok: true, value: key }
  const message = `${NAME} must be given once, as 1 to 255 visible ASCII characters`
  return { ok: false, refusal: { code: 'validation_failed', errors: [{ pointer: pointerToken(NAME), message }] } }
}

/**
 * `params` are the decoded parts of the path: however an id was encoded, it is the same request. The digest is SHA-256 in
 * hex over content type, query and the exact bytes of the body; neither of the first two can hold a line feed.
 */
export async function requestKey(
  key: string,
  { method, path }: Route,
  params: Record<string, string>,
  request: Request,
  bytes: Uint8Array,
): Promise<RequestKey> {
  const type = mediaTypeOf(request.headers.get('content-type') ?? '')
  const head = new TextEncoder().encode(`${type}\n${new URL(request.url).search}\n`)
  const whole = new Uint8Array(head.byteLength + bytes.byteLength)
  whole.set(head)
  whole.set(bytes, head.byteLength)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', whole))
  const scope = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')}`
  return { scope, key, digest: toHex(digest) }
}
