/**
 * Counts the steps that the validator takes. Each part of a schema may be compared with each part of a value, so a small schema and value
 * can take seconds. The count stops when the steps are used up. The weights are measured: a step takes at most half a microsecond in every
 * shape (test/growth/checks.test.ts).
 */
import { isRecord } from '../core/terms/plain/is-record.ts'
interface Budget {
  left: number
  /** Steps to write or compare a literal of the schema, and the number of parts of a value. */
  sizes: Map<unknown, number>
  parts: Map<unknown, number>
}
const CHARS_PER_STEP = 64
/** The validator writes the path of each name, character by character. */
const NAME_CHARS_PER_STEP = 12
const TYPES_PER_STEP = 4
const FORMAT_STEPS = 2
/** Parts of a value that one step compares with a literal. */
const PARTS_PER_STEP = 8
/** The validator passes errors up level by level. */
const LEVELS_PER_STEP = 32

/** The number of steps; null for more than the limit. */
export function stepsWithin(limit: number, schema: unknown, value: unknown): number | null {
  const budget = { left: limit, sizes: new Map(), parts: new Map() }
  return limit > 0 && staysWithin(budget, schema, value, 0) ? limit - budget.left : null
}

function staysWithin(budget: Budget, schema: unknown, value: unknown, depth: number): boolean {
  if (!isRecord(schema)) return true
  const { properties, required, items, additionalProperties } = schema
  const form = schema['format'] === undefined ? 0 : FORMAT_STEPS
  const own = lengthOf(required) + literals(budget, schema, value) + lengthOf(schema['type']) / TYPES_PER_STEP
  budget.left -= (1 + sizeOf(value) + form + own) * (1 + depth / LEVELS_PER_STEP)
  if (budget.left < 0) return false
  for (const word of ['anyOf', 'allOf', 'oneOf']) {
    const parts = schema[word]
    // The validator makes a record for each alternative.
    if (Array.isArray(parts)) budget.left -= 1
    if (Array.isArray(parts) && !parts.every((part) => staysWithin(budget, part, value, depth + 1))) return false
  }
  if (Array.isArray(value))
    return items === undefined || value.every((item) => staysWithin(budget, items, item, depth + 1))
  if (!isRecord(value)) return true
  const named = isRecord(properties) ? properties : {}
  const names = Object.keys(named)
  budget.left -= names.length
  const at = (part: unknown, name: string) => {
    budget.left -= 1 + name.length / NAME_CHARS_PER_STEP
    return staysWithin(budget, part, value[name], depth + 1)
  }
  const fit = names.every((name) => !Object.hasOwn(value, name) || at(named[name], name))
  if (!fit || additionalProperties === undefined) return fit && budget.left >= 0
  return Object.keys(value).every((name) => Object.hasOwn(named, name) || at(additionalProperties, name))
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length / CHARS_PER_STEP
  if (!isRecord(value)) return 0
  return Object.keys(value).reduce((sum, name) => sum + 1 + name.length / CHARS_PER_STEP, 0)
}

/** An error about `enum` or `const` quotes all of it. A list or object is compared with each of its literals. */
function literals(budget: Budget, schema: Record<string, unknown>, value: unknown): number {
  return ['enum', 'const'].reduce((sum, word) => {
    const literal = schema[word]
    if (literal === undefined) return sum
    const known = budget.sizes.get(literal)
    const steps = known ?? lengthOf(literal) + (JSON.stringify(literal) ?? '').length / CHARS_PER_STEP
    budget.sizes.set(literal, steps)
    const compared = word === 'enum' ? lengthOf(literal) : 1
    return sum + steps + (compared * partsOf(budget, value)) / PARTS_PER_STEP
  }, 0)
}

/** The number of parts of a list or an object. */
function partsOf(budget: Budget, value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const known = budget.parts.get(value)
  if (known !== undefined) return known
  const parts = Object.values(value).reduce<number>((sum, part) => sum + 1 + partsOf(budget, part), 0)
  budget.parts.set(value, parts)
  return parts
}
