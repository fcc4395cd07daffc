/** The Idempotency-Key of a request, and the digest by which a repeated request is compared (U6). */
import type { RequestKey } from '../../core/protocol/advance.ts'
import { sha256, toHex } from '../../shell/hex.ts'
import { joinBytes } from '../../shell/network/chunked-body.ts'
import { mediaTypeOf } from './body.ts'
import { refuse, type HttpResult } from '../shapes/http-refusal.ts'
import { pointerToken } from '../shapes/pointers.ts'
import type { Route } from '../route.ts'

const NAME = 'Idempotency-Key'
/** Visible ASCII has no space. Two headers arrive as one text with a comma and a space, so they are refused. */
const KEY = /^[\x21-\x7e]{1,255}$/

/** The key as sent, null without a key, or a 422 that names the header. */
export function idempotencyKey(headers: Headers): HttpResult<string | null> {
  const key = headers.get(NAME)
  if (key === null || KEY.test(key)) return { ok: true, value: key }
  const message = `${NAME} must be given once, as 1 to 255 visible ASCII characters`
  return refuse({ code: 'validation_failed', errors: [{ pointer: pointerToken(NAME), message }] })
}

/**
 * `params` are the decoded parts of the path, so that each encoding of an id is the same request. The digest is SHA-256 in hex over
 * content type, query and the bytes of the body. Neither of the first two can contain a line feed.
 */
export async function requestKey(
  key: string,
  route: Route,
  params: Record<string, string>,
  request: Request,
  bytes: Uint8Array,
): Promise<RequestKey> {
  const type = mediaTypeOf(request.headers.get('content-type') ?? '')
  const head = new TextEncoder().encode(`${type}\n${new URL(request.url).search}\n`)
  const digest = await sha256(joinBytes([head, bytes]))
  return { ...keyScope(route, params), key, digest: toHex(digest) }
}

export const keyScope = ({ method, path }: Route, params: Record<string, string>): Pick<RequestKey, 'scope'> => ({
  scope: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')}`,
})
