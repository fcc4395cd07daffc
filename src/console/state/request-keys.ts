/**
 * Idempotency keys of requests whose answers have not come: the same request again, in whatever view, goes out under the same key, so that
 * it is done once, and its answer says that it had been. After ten minutes it is another request; so is a control such as “pause” once
 * something else of its task has been answered, as that may have undone it.
 */
import { unique } from '../api/unique.ts'

export interface RequestKeys {
  /** Under which `request`, made at `path`, goes out now. */
  keyOf(path: string, request: string): string
  /** It has come back; `isAnswered`: it is known what became of it. */
  cameBack(path: string, request: string, isAnswered: boolean): void
  /** Those of another key of the service's are forgotten; null: all are. */
  belongTo(owner: string | null): void
}
interface Kept {
  key: string
  at_ms: number
  /** The path of the task that it is a control of; null: it is none. */
  controls: string | null
  underWay: number
}
const FRESH_MS = 10 * 60_000

export function requestKeys(now_ms: () => number): RequestKeys {
  const kept = new Map<string, Kept>()
  let owner: string | null = null
  return {
    keyOf(path, request) {
      const before = kept.get(request)
      const isSame = before !== undefined && (before.underWay > 0 || now_ms() - before.at_ms < FRESH_MS)
      const key = isSame ? before.key : unique()
      const underWay = (isSame ? before.underWay : 0) + 1
      kept.set(request, { key, at_ms: now_ms(), controls: CONTROL.exec(path)?.[1] ?? null, underWay })
      return key
    },
    cameBack(path, request, isAnswered) {
      const one = kept.get(request)
      if (one !== undefined) one.underWay -= 1
      if (!isAnswered) return
      kept.delete(request)
      for (const [other, { controls, underWay }] of kept)
        if (controls !== null && path.startsWith(`${controls}/`) && underWay === 0) kept.delete(other)
    },
    belongTo(next) {
      if (next === null || next !== owner) kept.clear()
      owner = next
    },
  }
}

/** What is typed or counted is no control: it is the same request however much has been done since. */
const CONTROL = /^(\/tasks\/[^/?]+)\/(?:pause|resume|cancel|step)$/
