/** Cron expressions of five fields, read by croner. Loaded by the first expression. */
import { Cron } from 'croner'
import type { WallTimes } from '../../core/workspace/schedules/ticks.ts'

/** A clock without changes: the zone is applied to what comes out. */
const OPTIONS = { timezone: 'UTC', paused: true } as const

/** The expression has passed `cronProblem`. */
export function cronTimes(expression: string): WallTimes {
  const cron = new Cron(fieldsOf(expression).join(' '), OPTIONS)
  return {
    next: (after) => cron.nextRun(new Date(after))?.getTime() ?? null,
    names_hours: !/^[*?]/.test(fieldsOf(expression)[1] ?? ''),
  }
}

const fieldsOf = (expression: string): string[] => expression.trim().split(/\s+/)

const FIELDS = [
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day of the month', '1 to 31, or L for the last day'],
  ['month', '1 to 12, or JAN to DEC'],
  ['day of the week', '0 to 7, or SUN to SAT'],
] as const
const ALL_FIELDS = 'minute, hour, day of the month, month, day of the week'

/** What is wrong with an expression, for the client that sent it. null: nothing. */
export function cronProblem(expression: string, now_ms: number): string | null {
  const fields = fieldsOf(expression)
  if (fields.length !== FIELDS.length) {
    const given = fields.length === 1 && fields[0]?.startsWith('@') === true ? 'a short name' : String(fields.length)
    return `must have five fields (${ALL_FIELDS}), such as "0 9 * * MON-FRI", not ${given}`
  }
  for (const [index, [name, range]] of FIELDS.entries()) {
    const field = fields[index] ?? ''
    const alone = FIELDS.map((_, other) => (other === index ? field : '*')).join(' ')
    if (!isReadable(field, alone))
      return `has "${field}" as its field ${index + 1}, the ${name}, which must be * or of ${range}, also as a list (1,2), a range (1-5) or with a step (*/5)`
  }
  return cronTimes(expression).next(now_ms) === null ? 'has no time at all: no month has this day' : null
}

function isReadable(field: string, expression: string): boolean {
  if (!/^[0-9A-Za-z*,/#?+-]+$/.test(field)) return false
  try {
    void new Cron(expression, OPTIONS)
    return true
  } catch {
    return false
  }
}
