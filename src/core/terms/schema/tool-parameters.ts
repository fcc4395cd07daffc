/**
 * Reduces the JSON Schema of a tool's arguments to the part that the service applies. The schema comes from a client's
 * library, so every word is accepted and shown to the model. Only the words of schema-words.ts are applied, and references
 * are replaced by their target. A word that is left out makes the schema laxer, never stricter, because a tool checks its
 * own arguments.
 */
import type { JsonSchema } from './json-schema.ts'
import { FORMATS, schemaError } from './schema-words.ts'
import { isRecord } from '../plain/is-record.ts'

/** The bound limits the work of a check, because each part of a schema may be compared with each part of the arguments. */
export const PARTS_MAX = 500
export const DEPTH_MAX = 32

/** `error` continues a sentence that begins with "parameters". */
type SchemaResult = { ok: true; schema: JsonSchema } | { ok: false; error: string }
interface Walk {
  root: JsonSchema
  parts: number
  error: string | null
}
/** Where a part is: the references that lead to it, and its depth. */
interface SchemaPosition {
  refs: readonly string[]
  depth: number
}

export function appliedSchema(parameters: JsonSchema): SchemaResult {
  const walk: Walk = { root: parameters, parts: 0, error: null }
  const schema = applyPart(walk, parameters, { refs: [], depth: 0 })
  if (walk.error !== null) return { ok: false, error: walk.error }
  if (!isRecord(schema) || schema['type'] !== 'object') return { ok: false, error: 'must have the type "object"' }
  const error = schemaError(schema)
  return error === null ? { ok: true, schema } : { ok: false, error: `must be a JSON Schema: ${error}` }
}

/** The applied part of a schema. A value that is not a schema is returned unchanged, so that schemaError names it. */
function applyPart(walk: Walk, schema: unknown, way: SchemaPosition): unknown {
  if (typeof schema === 'boolean') return {}
  if (!isRecord(schema) || walk.error !== null) return schema
  walk.parts += 1
  if (walk.parts > PARTS_MAX)
    walk.error = `must not have more than ${PARTS_MAX} parts, each counted where it is referred to`
  if (way.depth > DEPTH_MAX) walk.error = `must not nest deeper than ${DEPTH_MAX}`
  const inner = { ...way, depth: way.depth + 1 }
  const own = Object.fromEntries(
    Object.entries(schema).flatMap(([word, value]) => applyWord(walk, schema, word, value, inner)),
  )
  if (schema['$ref'] === undefined) return own
  const target = resolveReference(walk, schema['$ref'], inner)
  return Object.keys(own).length === 0 ? target : { ...own, allOf: [target, ...asList(own['allOf'])] }
}

const asList = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])

const PLAIN = new Set(
  'type enum const minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum required minProperties maxProperties minItems maxItems'.split(
    ' ',
  ),
)

/** A word of a schema with its applied value. The list is empty if the word is not applied. */
function applyWord(
  walk: Walk,
  schema: JsonSchema,
  word: string,
  value: unknown,
  way: SchemaPosition,
): [string, unknown][] {
  if (PLAIN.has(word)) return [[word, value]]
  const has = (other: string) => schema[other] !== undefined
  const parts = () => (Array.isArray(value) ? value.map((one) => applyPart(walk, one, way)) : value)
  switch (word) {
    case 'format':
      return FORMATS.some((format) => format === value) ? [[word, value]] : []
    case 'properties':
      return [[word, isRecord(value) ? mapValues(value, (one) => applyPart(walk, one, way)) : value]]
    case 'additionalProperties':
      // The patterns also decide which properties are additional, and patterns are not applied.
      if (has('patternProperties')) return []
      return [[word, typeof value === 'boolean' ? value : applyPart(walk, value, way)]]
    case 'items':
      // If the first items have schemas of their own, this word applies only to the items after them.
      return has('prefixItems') || Array.isArray(value) ? [] : [[word, applyPart(walk, value, way)]]
    case 'allOf':
    case 'anyOf':
      return [[word, parts()]]
    case 'oneOf':
      // The applied schemas are laxer, so a value may fit two of them although it fits one of the originals.
      return has('anyOf') ? [] : [['anyOf', parts()]]
    default:
      return []
  }
}

const mapValues = (record: JsonSchema, change: (value: unknown) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/** The part of the same document that a reference names. A cycle is an error, because it would have no end. */
function resolveReference(walk: Walk, ref: unknown, { refs, depth }: SchemaPosition): unknown {
  const pointer = typeof ref === 'string' ? /^#((?:\/[^/]*)*)$/.exec(ref)?.[1] : undefined
  const target = pointer === undefined ? undefined : valueAtPointer(walk.root, pointer)
  if (typeof ref !== 'string' || target === undefined) {
    walk.error ??= 'must refer to parts of itself only, such as "#/$defs/place"'
    return {}
  }
  if (refs.includes(ref) || pointer === '') {
    walk.error ??= `must not contain itself: ${ref.slice(0, 80)}`
    return {}
  }
  return applyPart(walk, target, { refs: [...refs, ref], depth })
}

/** The value at a JSON pointer (RFC 6901), which is written as a URL fragment. */
export function valueAtPointer(root: JsonSchema, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Object.getOwnPropertyDescriptor(value, decodeName(name).replaceAll('~1', '/').replaceAll('~0', '~'))?.value
  }, root)
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
