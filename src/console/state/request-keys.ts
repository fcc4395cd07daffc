/**
 * Idempotency keys of requests whose answers have not come. The same request goes out again under the same key, from any view, so that
 * the service does it once. After ten minutes it gets a new key. A control such as “pause” gets one as soon as another request of its
 * task is answered, because that request may have undone it.
 */
import { newUuid } from '../api/uuid.ts'

export interface RequestKeys {
  /** Returns the key under which `request` goes out to `path` now. */
  keyOf(path: string, request: string): string
  /** Notes the end of a request. `isAnswered` says whether its outcome is known. */
  settle(path: string, request: string, isAnswered: boolean): void
  /** Forgets the requests of another API key; null forgets all. */
  belongTo(owner: string | null): void
}
interface RequestEntry {
  key: string
  at_ms: number
  /** The path of the task, if the request is a control of one. */
  controls: string | null
  pending: number
}
const FRESH_MS = 10 * 60_000

export function requestKeys(now_ms: () => number): RequestKeys {
  const entries = new Map<string, RequestEntry>()
  let owner: string | null = null
  return {
    keyOf(path, request) {
      const before = entries.get(request)
      const isSame = before !== undefined && (before.pending > 0 || now_ms() - before.at_ms < FRESH_MS)
      const key = isSame ? before.key : newUuid()
      const pending = (isSame ? before.pending : 0) + 1
      entries.set(request, { key, at_ms: now_ms(), controls: CONTROL.exec(path)?.[1] ?? null, pending })
      return key
    },
    settle(path, request, isAnswered) {
      const one = entries.get(request)
      if (one !== undefined) one.pending -= 1
      if (!isAnswered) return
      entries.delete(request)
      for (const [other, { controls, pending }] of entries)
        if (controls !== null && path.startsWith(`${controls}/`) && pending === 0) entries.delete(other)
    },
    belongTo(next) {
      if (next === null || next !== owner) entries.clear()
      owner = next
    },
  }
}

/** Requests with a text or an amount are no controls. They stay the same request whatever is done meanwhile. */
const CONTROL = /^(\/tasks\/[^/?]+)\/(?:pause|resume|cancel|step)$/
