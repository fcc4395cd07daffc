/**
 * Refuses a body with more members than its schema can take, before zod reads it. zod makes an issue of each element of a list that is
 * too long, so half a megabyte of small numbers would delay all other requests.
 */
import * as z from 'zod'
import { innerSchema, shapeOf } from './inner-schema.ts'

/** The limits where a schema has none: members of a list or record, and unknown fields of an object. */
const MEMBERS_MAX = 1_000
const UNKNOWN_MAX = 100

export interface ExcessMembers {
  path: PropertyKey[]
  /** The fields that the schema does not have, or the rule for the field at `path`. */
  reason: { kind: 'unknown_fields'; keys: string[] } | { kind: 'too_many'; message: string }
}

/** The first part of `input` that has too many members; null: there is none. No more members are visited than the limits allow. */
export function excessMembers(schema: z.core.$ZodType, input: unknown, path: PropertyKey[] = []): ExcessMembers | null {
  if (typeof input !== 'object' || input === null) return null
  const field = innerSchema(schema)
  if (field instanceof z.ZodArray) return Array.isArray(input) ? inList(field, input, path) : null
  if (field instanceof z.ZodUnion) return Array.isArray(input) ? null : inObject(shapeOf(field), input, path)
  if (field instanceof z.ZodObject) return inObject(field.shape, input, path)
  return field instanceof z.ZodRecord && Object.keys(input).length > MEMBERS_MAX
    ? { path, reason: { kind: 'too_many', message: `must have at most ${MEMBERS_MAX} members` } }
    : null
}

function inList(field: z.ZodArray, list: unknown[], path: PropertyKey[]): ExcessMembers | null {
  const { most, message } = listLimit(field)
  if (list.length > most) return { path, reason: { kind: 'too_many', message } }
  return firstOf(list.entries(), (index) => [field.element, [...path, index]])
}

function inObject(shape: z.core.$ZodLooseShape, input: object, path: PropertyKey[]): ExcessMembers | null {
  const keys = Object.keys(input)
  if (keys.length > Object.keys(shape).length + UNKNOWN_MAX) {
    const unknown = keys.filter((key) => !Object.hasOwn(shape, key)).slice(0, UNKNOWN_MAX)
    return { path, reason: { kind: 'unknown_fields', keys: unknown } }
  }
  return firstOf(Object.entries(input), (key) => [Object.hasOwn(shape, key) ? shape[key] : undefined, [...path, key]])
}

function firstOf<K extends PropertyKey>(
  members: Iterable<[K, unknown]>,
  at: (key: K) => [z.core.$ZodType | undefined, PropertyKey[]],
): ExcessMembers | null {
  for (const [key, member] of members) {
    const [schema, path] = at(key)
    const excess = schema === undefined ? null : excessMembers(schema, member, path)
    if (excess !== null) return excess
  }
  return null
}

/** The limit that the schema checks, or the one in its metadata where its own check includes it. */
function listLimit(field: z.ZodArray): { most: number; message: string } {
  const checked = (field.def.checks ?? []).flatMap(({ _zod: { def } }) =>
    'maximum' in def ? [Number(def.maximum)] : [],
  )[0]
  const documented = field.meta()?.maxItems
  if (checked === undefined && typeof documented === 'number')
    return { most: documented, message: `must be at most ${documented}` }
  const most = checked ?? MEMBERS_MAX
  return { most, message: `must be a list of at most ${most}` }
}
