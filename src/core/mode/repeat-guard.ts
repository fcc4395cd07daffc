/**
 * The guard against an action that brings nothing new: the same action with the same result is told after the second time, and
 * a third one is refused. It remembers the newest actions of an item by fingerprints.
 */
import * as z from 'zod'
import { fingerprint } from '../terms/values/hash.ts'
import { pushBounded } from '../terms/values/bounded-list.ts'

/** [fingerprint of tool and input, fingerprint of the result, how often that result came in a row]. */
const Seen = z.tuple([z.string(), z.string(), z.int().min(1)])
export const RepeatGuard = z.array(Seen)
export type RepeatGuard = z.infer<typeof RepeatGuard>
export const NOTHING_SEEN: RepeatGuard = []

/** So many different actions are remembered. */
const SEEN_MAX = 8
const TIMES_TOLD = 2

interface ActionText {
  tool: string
  input: string
}
const markOf = ({ tool, input }: ActionText): string => fingerprint(`${tool.toLowerCase()}\n${input.trim()}`)

/** Remembers an action with its result. Another result begins anew. */
export function rememberAction(seen: RepeatGuard, action: ActionText, result: string): RepeatGuard {
  const mark = markOf(action)
  const resultMark = fingerprint(result)
  const before = seen.find(([known]) => known === mark)
  const times = before?.[1] === resultMark ? before[2] + 1 : 1
  return pushBounded(
    seen.filter((one) => one !== before),
    [mark, resultMark, times],
    SEEN_MAX,
  )
}

/** How often the latest action has brought the same result, if that is to be told. null: it is not. */
export function repeatedTimes(seen: RepeatGuard): number | null {
  const times = seen.at(-1)?.[2] ?? 0
  return times >= TIMES_TOLD ? times : null
}

/** Whether an action is refused, because it has brought the same result as often as is told. */
export const isRefused = (seen: RepeatGuard, action: ActionText): boolean =>
  seen.some(([mark, , times]) => times >= TIMES_TOLD && mark === markOf(action))
