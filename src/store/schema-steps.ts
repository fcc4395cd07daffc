/**
 * How many steps the validator takes. Each part of a schema may be held against each part of a value, so a small schema and a small value
 * can keep it busy for seconds. The count walks over the words of schema-words.ts and stops when the steps are used up. The weights are
 * measured: whatever the shape, a step takes half a microsecond at most (test/growth/checks.test.ts).
 */
interface Budget {
  left: number
  /** Steps that it takes to write or compare a literal of the schema, and how many parts a value has. */
  sizes: Map<unknown, number>
  parts: Map<unknown, number>
}
const CHARS_PER_STEP = 64
/** A path is written of each name, character by character. */
const NAME_CHARS_PER_STEP = 12
const TYPES_PER_STEP = 4
const FORMAT_STEPS = 2
/** Parts of a value that are looked at for each literal it may be. */
const PARTS_PER_STEP = 8
/** Complaints are handed up level by level. */
const LEVELS_PER_STEP = 32

/** null: more than the limit. */
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
    // It takes a record of its own for each.
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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length / CHARS_PER_STEP
  if (!isRecord(value)) return 0
  return Object.keys(value).reduce((sum, name) => sum + 1 + name.length / CHARS_PER_STEP, 0)
}

/** A complaint about `enum` or `const` quotes all of it; a list or an object is compared with each of its literals. */
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

/** Of a list or an object. */
function partsOf(budget: Budget, value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const known = budget.parts.get(value)
  if (known !== undefined) return known
  const parts = Object.values(value).reduce<number>((sum, part) => sum + 1 + partsOf(budget, part), 0)
  budget.parts.set(value, parts)
  return parts
}
