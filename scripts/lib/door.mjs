/**
 * A Worker in front of another one that knows one secret: other users of this machine can reach the port of a workerd, and are refused.
 */
import { timingSafeEqual } from 'node:crypto'

export const DOOR_HEADER = 'door-secret'

/** Its bindings are `SECRET`, a text, and `GUARDED`, the Worker behind it. Both sides of a comparison are compared in constant time. */
export const DOOR = `const bytesOf = (text) => new TextEncoder().encode(text)
function isSecret(given, secret) {
  const [one, other] = [bytesOf(given ?? ''), bytesOf(secret)]
  return one.length === other.length && crypto.subtle.timingSafeEqual(one, other)
}
export default {
  fetch(request, env) {
    const open = isSecret(request.headers.get(${JSON.stringify(DOOR_HEADER)}), env.SECRET)
    return open ? env.GUARDED.fetch(request) : new Response(null, { status: 403 })
  },
}
`

/** Makes the same comparison in this process. */
export function isSecret(given, secret) {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}
