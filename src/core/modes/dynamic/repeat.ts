/**
 * The guard against the same actions again and again (S3-13): one action, or a cycle of two or three. Seen for the n-th time in a row they
 * are warned of, the next action of the kind is refused, the one after it ends the step. It remembers three fingerprints and three counts.
 */
import { fingerprint } from '../../terms/values/hash.ts'
import type { Repeat } from './state.ts'

/** Of a tool with the input it would be given. */
export const markOf = (tool: string, input: string): string => fingerprint(`${tool}\n${input.trim()}`)

export function remember({ marks, runs }: Repeat, mark: string): Repeat {
  const run = (period: number, length: number) => (marks.at(-period) === mark ? length + 1 : 0)
  const [one, two, three] = runs
  return { marks: [...marks, mark].slice(-3), runs: [run(1, one), run(2, two), run(3, three)] }
}

interface Repetition {
  /** How often the action, or the cycle it belongs to, has come in a row. */
  times: number
  /** Actions beyond the one that made it too often; below 0: it is not. */
  beyond: number
}

/** The worst of the three periods; `limit` is repeat_action_limit. */
export function judge({ runs }: Repeat, limit: number): Repetition {
  const found = runs.map((run, index) => {
    const period = index + 1
    // Any two actions are a cycle that came once: it takes two of them to be seen.
    const most = period === 1 ? limit : Math.max(2, limit)
    return { times: Math.floor(run / period) + 1, beyond: run - period * (most - 1) }
  })
  return found.reduce((worst, one) => (one.beyond > worst.beyond ? one : worst))
}

/** Whether the model is to be warned: something did repeat, as often as it may. */
export const isRepeating = (repeat: Repeat, limit: number): boolean => {
  const { times, beyond } = judge(repeat, limit)
  return beyond >= 0 && times > 1
}
