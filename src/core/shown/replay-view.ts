/** What a replay found. */
import * as z from 'zod'

/** The first difference that a replay found. */
export const Difference = z.object({
  seq: z.int().min(1).describe('the row'),
  path: z.string().describe('where in the row, as a JSON pointer'),
  expected: z.unknown().describe('what the state machine makes of the rows before and the outcome of this one'),
  found: z.unknown().describe('what is stored; a long value is cut'),
})
export type Difference = z.infer<typeof Difference>
/** The answer of POST /tasks/:id/replay. */
export const Replay = z.object({
  equal: z.boolean(),
  events: z.int().min(0).describe('rows that were compared: outcomes, and what people and time said'),
  first_difference: Difference.nullable(),
})
export type Replay = z.infer<typeof Replay>
