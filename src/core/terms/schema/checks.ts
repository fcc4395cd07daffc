/** How much the service computes to hold values against JSON Schemas: of one answer, or of all calls of one reply together. */
import type { JsonSchema } from './json-schema.ts'

/** The validator takes at most about half a microsecond for each. */
export const CHECK_STEPS_MAX = 60_000

export interface Checks {
  /** Steps. */
  left: number
  /** What is applied of the parameters of a tool, by its name. */
  applied: Map<string, JsonSchema>
}

export const freshChecks = (): Checks => ({ left: CHECK_STEPS_MAX, applied: new Map() })

/** What is said of a value that takes more steps than are left. */
export function tooLarge(left: number): string {
  const others = left < CHECK_STEPS_MAX ? ', with the calls before it in the same reply' : ''
  return `it is too large for its schema: checking it takes more than ${CHECK_STEPS_MAX} steps${others}; send less at a time`
}
