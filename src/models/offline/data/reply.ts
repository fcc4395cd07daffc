/** The closing call (U54): data in the shape of the client, from what the result says. What it does not say is never made up. */
import * as z from 'zod'
import { Locale } from '../../../core/terms/locale.ts'
import { readOutputSchema } from '../../../core/terms/schema/output-schema.ts'
import { fillObject } from './fill.ts'

export const ResultContext = z.object({
  output_schema: z.record(z.string(), z.unknown()),
  goal: z.string(),
  locale: Locale,
  result: z.string(),
  items: z.array(z.object({ title: z.string(), status: z.string(), result: z.string().nullable() })),
  remarks: z.array(z.string()).default([]),
})
type ResultContext = z.infer<typeof ResultContext>

const CANNOT: Record<Locale, (names: string) => string> = {
  en: (names) => `the result says nothing of ${names}`,
  zh: (names) => `结果中没有 ${names}`,
}
const NAMES_MAX = 10

/** What the user has said since comes first, because it may say what was missing. */
export function dataReply({ output_schema, goal, locale, result, items, remarks }: ResultContext): object | null {
  const read = readOutputSchema(output_schema)
  if (!read.ok) return null
  const text = [...remarks.toReversed(), result].join('\n')
  const { value, missing } = fillObject(read.schema, { goal, text, items })
  if (missing.length === 0) return value
  return { cannot: CANNOT[locale](missing.slice(0, NAMES_MAX).join(', ')) }
}
