/**
 * The guard against repeated actions (S3-13): the same action, or a cycle of two or three. At the limit the model is warned. The
 * next repeated action is refused, and one more ends the step. The guard stores three fingerprints and three counts.
 */
import { fingerprint } from '../../terms/values/hash.ts'
import type { Repeat } from './state.ts'

/** The fingerprint of a tool with its input. */
export const markOf = (tool: string, input: string): string => fingerprint(`${tool}\n${input.trim()}`)

export function remember({ marks, runs }: Repeat, mark: string): Repeat {
  const run = (period: number, length: number) => (marks.at(-period) === mark ? length + 1 : 0)
  const [one, two, three] = runs
  return { marks: [...marks, mark].slice(-3), runs: [run(1, one), run(2, two), run(3, three)] }
}

interface Repetition {
  /** How often the action, or its cycle, has come in a row. */
  times: number
  /** The number of actions beyond the limit. Below 0: the limit is not reached. */
  beyond: number
}

/** The worst repetition of the three periods. `limit` is repeat_action_limit. */
export function judge({ runs }: Repeat, limit: number): Repetition {
  const repetitions = runs.map((run, index) => {
    const period = index + 1
    // Any two actions are one cycle of two, so a cycle counts only when it comes twice.
    const limit_of_period = period === 1 ? limit : Math.max(2, limit)
    return { times: Math.floor(run / period) + 1, beyond: run - period * (limit_of_period - 1) }
  })
  return repetitions.reduce((worst, one) => (one.beyond > worst.beyond ? one : worst))
}

/** Whether the model is warned: an action or a cycle has reached the limit. */
export const isRepeating = (repeat: Repeat, limit: number): boolean => {
  const { times, beyond } = judge(repeat, limit)
  return beyond >= 0 && times > 1
}
