/** Arguments that a JSON Schema asks for, as JSON that a person fills in. */
import { isRecord } from '../../../core/terms/plain/is-record.ts'

const DEPTH_MAX = 4

/** The arguments that a schema requires, as JSON to be filled in; where it requires none, all that it names. */
export const argumentsFor = (schema: unknown): string => JSON.stringify(objectFor(schema, 0), null, 2)

function objectFor(schema: unknown, depth: number): Record<string, unknown> {
  if (!isRecord(schema) || !isRecord(schema['properties']) || depth > DEPTH_MAX) return {}
  const { properties, required } = schema
  const names = Array.isArray(required) && required.length > 0 ? required.map(String) : Object.keys(properties)
  return Object.fromEntries(
    names
      .filter((name) => Object.hasOwn(properties, name))
      .map((name) => [name, valueFor(properties[name], depth + 1)]),
  )
}

function valueFor(schema: unknown, depth: number): unknown {
  if (!isRecord(schema)) return ''
  const { default: preset, const: only, enum: choices, examples, type, minimum } = schema
  for (const given of [preset, only, firstOf(choices), firstOf(examples)]) if (given !== undefined) return given
  const kind: unknown = Array.isArray(type) ? type[0] : type
  if (kind === 'integer' || kind === 'number') return typeof minimum === 'number' ? minimum : 0
  if (kind === 'boolean') return false
  if (kind === 'array') return []
  return kind === 'object' || isRecord(schema['properties']) ? objectFor(schema, depth) : ''
}

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)
