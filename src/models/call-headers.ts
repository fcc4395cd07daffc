/** The headers of a model call that say which call it is. */
import type { CallContext, ModelRequest } from '../shell/ports.ts'

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/** Sends `cf-aig-metadata` always, and `traceparent` only when it is well-formed, because a malformed one must not cost the call. */
export function callHeaders(request: ModelRequest, call: CallContext): Record<string, string> {
  const headers: Record<string, string> = { 'cf-aig-metadata': asciiJson(request.metadata) }
  if (call.traceparent !== null && TRACEPARENT.test(call.traceparent)) headers.traceparent = call.traceparent
  return headers
}

/** JSON for a header: everything outside printable ASCII is written as `\\uXXXX`. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
