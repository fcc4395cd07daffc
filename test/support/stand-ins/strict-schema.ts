/**
 * What OpenAI refuses of a strict schema: https://developers.openai.com/api/docs/guides/structured-outputs ("Supported schemas"). Bounds of length
 * are not in its list of words either.
 */
type Schema = Record<string, unknown>

const PROPERTIES_MAX = 5_000
const DEPTH_MAX = 10
const ENUM_VALUES_MAX = 1_000
const CHARS_MAX = 120_000
const WORDS: ReadonlySet<string> = new Set(
  (
    'type enum const anyOf $ref $defs definitions description title properties required additionalProperties items ' +
    'pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'
  ).split(' '),
)

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Why a schema is no strict one. null: it is. */
export function strictSchemaError(schema: unknown): string | null {
  if (!isSchema(schema) || schema['type'] !== 'object' || 'anyOf' in schema)
    return 'schema must be an object at its root'
  const sums = { properties: 0, enum_values: 0, chars: 0 }
  const error = errorIn(schema, [], 1, sums)
  if (error !== null) return error
  if (sums.properties > PROPERTIES_MAX) return `more than ${PROPERTIES_MAX} properties`
  if (sums.enum_values > ENUM_VALUES_MAX) return `more than ${ENUM_VALUES_MAX} enum values`
  return sums.chars > CHARS_MAX ? `more than ${CHARS_MAX} characters in names and values` : null
}

interface Sums {
  properties: number
  enum_values: number
  chars: number
}

function errorIn(schema: Schema, path: readonly string[], depth: number, sums: Sums): string | null {
  const at = `In context=(${path.map((part) => `'${part}'`).join(', ')}), `
  const unknown = Object.keys(schema).find((word) => !WORDS.has(word))
  if (unknown !== undefined) return `${at}'${unknown}' is not permitted`
  const values = [...listOf(schema['enum']), ...('const' in schema ? [schema['const']] : [])]
  sums.enum_values += values.length
  sums.chars += values.reduce<number>((sum, value) => sum + String(value).length, 0)
  const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : []
  if (schema['type'] === 'object') {
    if (depth > DEPTH_MAX) return `${DEPTH_MAX} levels of nesting are exceeded`
    if (schema['additionalProperties'] !== false) return `${at}'additionalProperties' has to be false`
    const missing = properties.find(([name]) => !listOf(schema['required']).includes(name))
    if (missing !== undefined) return `${at}'required' has to name '${missing[0]}'`
  }
  sums.properties += properties.length
  sums.chars += properties.reduce((sum, [name]) => sum + name.length, 0)
  const inner: [string[], unknown][] = [
    ...properties.map(([name, part]): [string[], unknown] => [['properties', name], part]),
    ...listOf(schema['anyOf']).map((part, index): [string[], unknown] => [['anyOf', String(index)], part]),
    ...('items' in schema ? [[['items'], schema['items']] satisfies [string[], unknown]] : []),
  ]
  for (const [names, part] of inner) {
    if (!isSchema(part)) return `${at}no schema at ${names.join('.')}`
    const error = errorIn(part, [...path, ...names], names[0] === 'anyOf' ? depth : depth + 1, sums)
    if (error !== null) return error
  }
  return null
}
