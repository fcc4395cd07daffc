/** The template of a schedule's tasks: the body of a create, with placeholders in its goal, its labels and the texts of its input. */
import { isRecord } from '../../terms/plain/is-record.ts'
import { nearestName } from '../../terms/values/known-names.ts'
import { rfc3339 } from '../../terms/text.ts'
import { localDay, localTime } from '../zones.ts'

const PLACEHOLDER = /\{\{([a-z_]{1,40})\}\}/g

/** The placeholders. Dates and times are those of the zone of the schedule. */
const placeholdersAt = (name: string, tick: number, timezone: string): Record<string, string> => ({
  schedule: name,
  scheduled_at: rfc3339(tick),
  scheduled_date: localDay(tick, timezone),
  scheduled_time: localTime(tick, timezone).slice(11),
})
const NAMES = ['schedule', 'scheduled_at', 'scheduled_date', 'scheduled_time']

/** The labels that tell which schedule made a task, and for which tick. */
export const SCHEDULE_LABELS = ['schedule', 'scheduled_at'] as const

/** The text with its placeholders filled in. What stands in other braces stays as it is. */
const filledText = (text: string, values: Record<string, string>): string =>
  text.replace(PLACEHOLDER, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole))

/** Fills in every text of a value. A body nests no deeper than the gate allows. */
function filledWithin(value: unknown, values: Record<string, string>): unknown {
  if (typeof value === 'string') return filledText(value, values)
  if (Array.isArray(value)) return value.map((one) => filledWithin(one, values))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filledWithin(one, values)]))
}

/** All texts of a value, without the names of members. */
export function textsWithin(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsWithin)
  return isRecord(value) ? Object.values(value).flatMap(textsWithin) : []
}

/** The placeholder that was probably misspelt, with the known one. null: there is none. */
export function misspeltPlaceholder(text: string): { given: string; known: string } | null {
  for (const [, given = ''] of text.matchAll(PLACEHOLDER)) {
    const known = NAMES.includes(given) ? null : nearestName(given, NAMES)
    if (known !== null) return { given, known }
  }
  return null
}

/** The body of the create for one tick. */
export function filledTemplate(
  template: Record<string, unknown>,
  { name, tick, timezone }: { name: string; tick: number; timezone: string },
): Record<string, unknown> {
  const values = placeholdersAt(name, tick, timezone)
  const { goal, metadata, input } = template
  const labels = isRecord(metadata) ? Object.entries(metadata) : []
  const own = SCHEDULE_LABELS.map((label) => [label, values[label]] as const)
  return {
    ...template,
    ...(typeof goal === 'string' ? { goal: filledText(goal, values) } : {}),
    ...(input === undefined ? {} : { input: filledWithin(input, values) }),
    metadata: Object.fromEntries([
      ...labels.map(([key, value]) => [key, typeof value === 'string' ? filledText(value, values) : value] as const),
      ...own,
    ]),
  }
}
