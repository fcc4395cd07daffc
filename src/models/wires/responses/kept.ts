/**
 * What is kept of a reply, so that the endpoint gets it back with the conversation. Reasoning belongs to the item behind it, and is refused
 * without that item or before another one.
 */
import * as z from 'zod'
import { isTooDeep } from '../../../core/mode/json-text.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import { jsonOf } from '../reply-parts.ts'

const Phase = z.enum(['commentary', 'final_answer'])
const KeptItems = z.object({
  /** The items before the text, and then those before each call. */
  before: z.array(z.array(z.looseObject({}))),
  /** Whether the text was a remark or the answer. Newer models stop early when they are not told. */
  phase: Phase.nullable().catch(null),
})
export type KeptItems = z.infer<typeof KeptItems>

export const readPhase = (phase: unknown): KeptItems['phase'] => Phase.safeParse(phase).data ?? null

/** null: nothing is kept, or an earlier release has kept it in another way. */
export const readKept = (json: string | null): KeptItems | null =>
  json === null ? null : (KeptItems.safeParse(jsonOrNull(json)).data ?? null)

/** JSON text. null: there is nothing to keep, or nothing that an endpoint would mean. */
export function writeKept({ before, phase }: KeptItems): string | null {
  if (phase === null && before.every((items) => items.length === 0)) return null
  const json = jsonOf({ before, phase })
  return json === null || isTooDeep(json) ? null : json
}
