/**
 * The form of a client's schema that endpoints can enforce: every object names all its members, and each is required. A member that may be
 * left out becomes one that may be null, and such a null is taken out of the reply again. The validator checks the rest.
 */
import { isRecord } from '../plain/is-record.ts'
import type { JsonSchema } from './json-schema.ts'

/** Endpoints enforce no schema that nests deeper. */
const DEPTH_MAX = 9

const NULL: JsonSchema = { type: 'null' }
const SCALARS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null'])
/** Words that a schema for an endpoint does without: the validator knows them. */
const UNSENT: ReadonlySet<string> = new Set(['title', 'default', 'examples', 'description'])

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const namesOf = (schema: JsonSchema): Record<string, unknown> =>
  isRecord(schema['properties']) ? schema['properties'] : {}
const isNull = (schema: unknown): boolean => isRecord(schema) && schema['type'] === 'null'

/** Whether null is valid, as far as the words of the schema itself tell. */
function takesNull(schema: unknown): boolean {
  if (!isRecord(schema)) return false
  const { type, enum: values, anyOf, oneOf } = schema
  if ('const' in schema) return schema['const'] === null
  if (values !== undefined) return listOf(values).includes(null)
  if (type !== undefined) return type === 'null' || listOf(type).includes('null')
  return [...listOf(anyOf), ...listOf(oneOf)].some(takesNull)
}

/** The schema that is sent. null: it has something that no endpoint enforces, so only the prompt tells it. */
export const wireSchema = (schema: JsonSchema): JsonSchema | null => wirePart(schema, { depth: 1, is_branch: false })

/** `is_branch`: it is one of several forms of a value, so nobody could tell later which nulls stand for nothing. */
interface Place {
  depth: number
  is_branch: boolean
}

function wirePart(schema: unknown, place: Place): JsonSchema | null {
  if (!isRecord(schema) || place.depth > DEPTH_MAX) return null
  const { description } = schema
  const part = wireForm(schema, place)
  return part === null || typeof description !== 'string' ? part : { ...part, description }
}

function wireForm(schema: JsonSchema, place: Place): JsonSchema | null {
  const { type, enum: values, anyOf, oneOf, allOf } = schema
  const words = Object.keys(schema).filter((word) => !UNSENT.has(word))
  if (allOf !== undefined)
    return words.length === 1 && listOf(allOf).length === 1 ? wirePart(listOf(allOf)[0], place) : null
  if ('const' in schema || values !== undefined) return literals('const' in schema ? [schema['const']] : listOf(values))
  if (anyOf !== undefined || oneOf !== undefined)
    return words.length === 1 ? wireUnion(listOf(anyOf ?? oneOf), place) : null
  if (Array.isArray(type)) return wireTypes(schema, type, place)
  if (type === 'object') return wireObject(schema, place)
  if (type === 'array') return wireList(schema, place)
  return SCALARS.has(type) ? { type } : null
}

function literals(values: unknown[]): JsonSchema | null {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  if (types.some((type) => !SCALARS.has(type))) return null
  return { type: types.length === 1 ? types[0] : types, enum: values }
}

function wireUnion(forms: unknown[], place: Place): JsonSchema | null {
  const is_branch = place.is_branch || forms.filter((form) => !isNull(form)).length > 1
  return unionOf(forms.map((form) => wirePart(form, { ...place, is_branch })))
}

function unionOf(forms: (JsonSchema | null)[]): JsonSchema | null {
  const known = forms.filter((form) => form !== null)
  return known.length === forms.length ? { anyOf: known } : null
}

function wireTypes(schema: JsonSchema, types: unknown[], place: Place): JsonSchema | null {
  if (types.every((type) => SCALARS.has(type))) return { type: types }
  const others = types.filter((type) => type !== 'null')
  if (others.length !== 1) return null
  return unionOf([wireForm({ ...schema, type: others[0] }, place), NULL])
}

function wireObject(schema: JsonSchema, { depth, is_branch }: Place): JsonSchema | null {
  const properties = namesOf(schema)
  const names = Object.keys(properties)
  const required = listOf(schema['required'])
  const isOpen =
    isRecord(schema['additionalProperties']) || (names.length === 0 && schema['additionalProperties'] !== false)
  if (isOpen || required.some((name) => !names.includes(String(name)))) return null
  const parts: [string, JsonSchema][] = []
  for (const name of names) {
    const part = wirePart(properties[name], { depth: depth + 1, is_branch })
    const mayMiss = !required.includes(name) && !takesNull(properties[name])
    if (part === null || (mayMiss && is_branch)) return null
    parts.push([name, mayMiss ? { anyOf: [part, NULL] } : part])
  }
  return { type: 'object', properties: Object.fromEntries(parts), required: names, additionalProperties: false }
}

function wireList({ items }: JsonSchema, { depth, is_branch }: Place): JsonSchema | null {
  const part = wirePart(items, { depth: depth + 1, is_branch })
  return part === null ? null : { type: 'array', items: part }
}

/** A value without the nulls that stand for members which may be left out. */
export function withoutNulls(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return value
  const { anyOf, oneOf, allOf, items } = schema
  const forms = [...listOf(anyOf ?? oneOf ?? allOf)].filter((form) => !isNull(form))
  if (forms.length === 1) return withoutNulls(forms[0], value)
  if (Array.isArray(value)) return items === undefined ? value : value.map((one) => withoutNulls(items, one))
  if (!isRecord(value) || forms.length > 1) return value
  const properties = namesOf(schema)
  const required = listOf(schema['required'])
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      if (!Object.hasOwn(properties, name)) return [[name, one]]
      const part = properties[name]
      const isMissing = one === null && !required.includes(name) && !takesNull(part)
      return isMissing ? [] : [[name, withoutNulls(part, one)]]
    }),
  )
}
