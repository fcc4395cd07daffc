/**
 * Idempotency keys of requests whose answers have not come: the same request again, in whatever view, goes out under the same key, so that
 * it is done once. It is another request once its reader has seen what became of it: something else of the same task has been answered
 * since, or it is long ago.
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
  /** Of a task, or of all that is made at one path. */
  about: string
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
      kept.set(request, { key, at_ms: now_ms(), about: aboutOf(path), underWay })
      return key
    },
    cameBack(path, request, isAnswered) {
      const one = kept.get(request)
      if (one !== undefined) one.underWay -= 1
      if (!isAnswered) return
      kept.delete(request)
      for (const [other, { about, underWay }] of kept) if (about === aboutOf(path) && underWay === 0) kept.delete(other)
    },
    belongTo(next) {
      if (next === null || next !== owner) kept.clear()
      owner = next
    },
  }
}

const aboutOf = (path: string): string => /^\/tasks\/[^/?]+/.exec(path)?.[0] ?? path
