/**
 * What of the JSON Schema of a tool's arguments is applied. Clients write what their libraries make of their types, so every word is
 * taken and told to the model; applied are those of schema-words.ts, references within it put in place. Whatever is left out makes it
 * laxer, never stricter: a tool checks its own arguments.
 */
import type { JsonSchema } from './json-schema.ts'
import { FORMATS, schemaFlaw } from './schema-words.ts'

/** Each of them may be held against each part of the arguments. */
const PARTS_MAX = 500
const DEPTH_MAX = 32

export type SchemaResult = { ok: true; schema: JsonSchema } | { ok: false; flaw: string }
interface Walk {
  root: JsonSchema
  parts: number
  flaw: string | null
}
/** How one came to a part: the references that were followed, and how deep it lies. */
interface Way {
  refs: readonly string[]
  depth: number
}

/** `flaw` goes on "parameters …". */
export function appliedSchema(parameters: JsonSchema): SchemaResult {
  const walk: Walk = { root: parameters, parts: 0, flaw: null }
  const schema = part(walk, parameters, { refs: [], depth: 0 })
  if (walk.flaw !== null) return { ok: false, flaw: walk.flaw }
  if (!isRecord(schema) || schema['type'] !== 'object') return { ok: false, flaw: 'must have the type "object"' }
  const flaw = schemaFlaw(schema)
  return flaw === null ? { ok: true, schema } : { ok: false, flaw: `must be a JSON Schema: ${flaw}` }
}

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is no schema at all is handed on as it is, for schemaFlaw to name. */
function part(walk: Walk, schema: unknown, way: Way): unknown {
  if (typeof schema === 'boolean') return {}
  if (!isRecord(schema) || walk.flaw !== null) return schema
  walk.parts += 1
  if (walk.parts > PARTS_MAX)
    walk.flaw = `must not have more than ${PARTS_MAX} parts, each counted where it is referred to`
  if (way.depth > DEPTH_MAX) walk.flaw = `must not nest deeper than ${DEPTH_MAX}`
  const inner = { ...way, depth: way.depth + 1 }
  const own = Object.fromEntries(
    Object.entries(schema).flatMap(([word, value]) => kept(walk, schema, word, value, inner)),
  )
  if (schema['$ref'] === undefined) return own
  const target = referred(walk, schema['$ref'], inner)
  return Object.keys(own).length === 0 ? target : { ...own, allOf: [target, ...listed(own['allOf'])] }
}

const listed = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])

const PLAIN = new Set(
  'type enum const minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum required minProperties maxProperties minItems maxItems'.split(
    ' ',
  ),
)

/** A word of a schema as it is applied, none or one. */
function kept(walk: Walk, schema: JsonSchema, word: string, value: unknown, way: Way): [string, unknown][] {
  if (PLAIN.has(word)) return [[word, value]]
  const has = (other: string) => schema[other] !== undefined
  const parts = () => (Array.isArray(value) ? value.map((one) => part(walk, one, way)) : value)
  switch (word) {
    case 'format':
      return FORMATS.some((format) => format === value) ? [[word, value]] : []
    case 'properties':
      return [[word, isRecord(value) ? mapped(value, (one) => part(walk, one, way)) : value]]
    case 'additionalProperties':
      // Which properties are additional is then said by patterns too.
      if (has('patternProperties')) return []
      return [[word, typeof value === 'boolean' ? value : part(walk, value, way)]]
    case 'items':
      // Of a list whose first items have schemas of their own it is meant for the rest.
      return has('prefixItems') || Array.isArray(value) ? [] : [[word, part(walk, value, way)]]
    case 'allOf':
    case 'anyOf':
      return [[word, parts()]]
    case 'oneOf':
      // Of laxer schemas two may fit.
      return has('anyOf') ? [] : [['anyOf', parts()]]
    default:
      return []
  }
}

const mapped = (record: JsonSchema, change: (value: unknown) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/** The part of the same document that a reference names, in place of it. */
function referred(walk: Walk, ref: unknown, { refs, depth }: Way): unknown {
  const pointer = typeof ref === 'string' ? /^#((?:\/[^/]*)*)$/.exec(ref)?.[1] : undefined
  const target = pointer === undefined ? undefined : at(walk.root, pointer)
  if (typeof ref !== 'string' || target === undefined) {
    walk.flaw ??= 'must refer to parts of itself only, such as "#/$defs/place"'
    return {}
  }
  if (refs.includes(ref) || pointer === '') {
    walk.flaw ??= `must not contain itself: ${ref.slice(0, 80)}`
    return {}
  }
  return part(walk, target, { refs: [...refs, ref], depth })
}

/** RFC 6901, in the form of a fragment. */
function at(root: JsonSchema, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Object.getOwnPropertyDescriptor(value, decoded(name).replaceAll('~1', '/').replaceAll('~0', '~'))?.value
  }, root)
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
