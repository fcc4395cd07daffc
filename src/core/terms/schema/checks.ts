/** Bounds the work of checks against JSON Schemas, for one answer or for all calls of one reply together. */
import type { JsonSchema } from './json-schema.ts'

/** The validator takes at most about half a microsecond for a step. */
export const CHECK_STEPS_MAX = 60_000

export interface CheckBudget {
  left: number
  /** The part of a tool's parameter schema that is applied, by the name of the tool. */
  applied: Map<string, JsonSchema>
}

export const newCheckBudget = (): CheckBudget => ({ left: CHECK_STEPS_MAX, applied: new Map() })

/** The message about a value that takes more steps than are left. */
export function tooLargeMessage(left: number): string {
  const others = left < CHECK_STEPS_MAX ? ', with the calls before it in the same reply' : ''
  return `it is too large for its schema: checking it takes more than ${CHECK_STEPS_MAX} steps${others}; send less at a time`
}
