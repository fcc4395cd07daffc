/**
 * The JSON Schema of a typed result (U54). The result is held to every word of it, so a word that the service does not apply is refused
 * with its place. References within the schema are replaced by their target.
 */
import * as z from 'zod'
import { isRecord } from '../plain/is-record.ts'
import { utf8Bytes } from '../text.ts'
import { nameHint } from '../values/known-names.ts'
import type { JsonSchema } from './json-schema.ts'
import { SCHEMA_WORDS } from './schema-words.ts'
import { PARTS_MAX, valueAtPointer } from './tool-parameters.ts'

const BYTES_MAX = 16_384
const APPLIED_BYTES_MAX = 65_536
const DEPTH_MAX = 16

/** `path` leads to the part that is refused, and `message` continues a sentence that begins with it. */
interface SchemaProblem {
  path: string[]
  message: string
}
type OutputSchemaResult = { ok: true; schema: JsonSchema } | { ok: false; problem: SchemaProblem }

/** Words that change nothing of what is valid. */
const ANNOTATIONS = ['title', 'description', 'default', 'examples'] as const
const UNSHOWN = z.strictObject({
  $schema: z.string().optional(),
  $id: z.string().optional(),
  $comment: z.string().optional(),
  deprecated: z.boolean().optional(),
  readOnly: z.boolean().optional(),
  writeOnly: z.boolean().optional(),
})
/** One part of a schema. What is within it is looked at by itself, so that a problem has its place. */
const Part = z.strictObject({
  ...UNSHOWN.shape,
  ...SCHEMA_WORDS,
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).min(1).optional(),
  oneOf: z.array(z.unknown()).min(1).optional(),
  allOf: z.array(z.unknown()).min(1).optional(),
  $ref: z.string().optional(),
  $defs: z.record(z.string(), z.unknown()).optional(),
  definitions: z.record(z.string(), z.unknown()).optional(),
})
const WORDS = Object.keys(Part.shape)
/** Words of which nothing is left once references are replaced. */
const REPLACED: ReadonlySet<string> = new Set([...Object.keys(UNSHOWN.shape), '$ref', '$defs', 'definitions'])

interface Walk {
  root: JsonSchema
  parts: number
  problem: SchemaProblem | null
}
/** Where a part is: its path in the schema, the references that lead to it, and its depth. */
interface Place {
  path: string[]
  refs: readonly string[]
  depth: number
}

function reportAt(walk: Walk, { path }: Place, message: string, ...more: string[]): JsonSchema {
  walk.problem ??= { path: [...path, ...more], message }
  return {}
}

const known = new WeakMap<JsonSchema, OutputSchemaResult>()

/** The schema without references, or what is wrong with it. */
export function readOutputSchema(schema: JsonSchema): OutputSchemaResult {
  const result = known.get(schema) ?? readAnew(schema)
  known.set(schema, result)
  return result
}

function readAnew(root: JsonSchema): OutputSchemaResult {
  if (utf8Bytes(JSON.stringify(root)) > BYTES_MAX)
    return { ok: false, problem: { path: [], message: `must have at most ${BYTES_MAX} bytes` } }
  const walk: Walk = { root, parts: 0, problem: null }
  const place: Place = { path: [], refs: [], depth: 1 }
  const schema = applyPart(walk, root, place)
  if (schema['type'] !== 'object')
    reportAt(walk, place, 'must have the type "object" at its top; a list or a text can be a member of it')
  if (walk.problem === null && utf8Bytes(JSON.stringify(schema)) > APPLIED_BYTES_MAX)
    reportAt(walk, place, `must have at most ${APPLIED_BYTES_MAX} bytes with each reference replaced by its target`)
  return walk.problem === null ? { ok: true, schema } : { ok: false, problem: walk.problem }
}

function applyPart(walk: Walk, part: unknown, place: Place): JsonSchema {
  if (walk.problem !== null) return {}
  if (!isRecord(part)) return reportAt(walk, place, 'must be a JSON Schema, which is an object')
  walk.parts += 1
  if (walk.parts > PARTS_MAX)
    return reportAt(walk, place, `must have at most ${PARTS_MAX} parts, each counted where it is referred to`)
  if (place.depth > DEPTH_MAX) return reportAt(walk, place, `must nest no deeper than ${DEPTH_MAX}`)
  const parsed = Part.safeParse(part)
  if (!parsed.success) return reportIssue(walk, place, parsed.error)
  const own = Object.fromEntries(
    Object.entries(part).flatMap(([word, value]) =>
      REPLACED.has(word) ? [] : [[word, applyWord(walk, word, value, place)]],
    ),
  )
  const { $ref } = parsed.data
  return $ref === undefined ? own : withTarget(own, resolveReference(walk, $ref, place))
}

/** Beside a reference only a description and the like may stand without a word that joins both. */
function withTarget(own: JsonSchema, target: JsonSchema): JsonSchema {
  const isPlain = Object.keys(own).every((word) => ANNOTATIONS.some((one) => one === word))
  if (isPlain) return { ...target, ...own }
  const { allOf } = own
  return { ...own, allOf: [target, ...(Array.isArray(allOf) ? allOf : [])] }
}

function reportIssue(walk: Walk, place: Place, { issues: [issue] }: z.ZodError): JsonSchema {
  if (issue === undefined) return reportAt(walk, place, 'is no JSON Schema')
  if (issue.code !== 'unrecognized_keys')
    return reportAt(walk, place, `is not what this word takes: ${issue.message}`, ...issue.path.map(String))
  const word = issue.keys[0] ?? ''
  const taken = Object.keys(SCHEMA_WORDS).concat('$ref', '$defs').join(', ')
  return reportAt(
    walk,
    place,
    `is a word that is not applied to results${nameHint(word, WORDS)} Taken are ${taken}`,
    word,
  )
}

function applyWord(walk: Walk, word: string, value: unknown, place: Place): unknown {
  const inner = (part: unknown, ...more: string[]): JsonSchema =>
    applyPart(walk, part, { ...place, path: [...place.path, word, ...more], depth: place.depth + 1 })
  switch (word) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(Object(value)).map(([name, part]) => [
          name,
          name === '__proto__' ? reportAt(walk, place, 'must have another name', word, name) : inner(part, name),
        ]),
      )
    case 'additionalProperties':
      return typeof value === 'boolean' ? value : inner(value)
    case 'items':
      return inner(value)
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return Array.isArray(value) ? value.map((part, index) => inner(part, String(index))) : value
    default:
      return value
  }
}

/** The part of the same schema that a reference names. A cycle is a problem, because it would have no end. */
function resolveReference(walk: Walk, ref: string, { path, refs, depth }: Place): JsonSchema {
  const place = { path: [...path, '$ref'], refs: [...refs, ref], depth: depth + 1 }
  const target = ref.startsWith('#/') ? valueAtPointer(walk.root, ref.slice(1)) : undefined
  if (target === undefined) return reportAt(walk, place, 'must name a part of the same schema, such as "#/$defs/place"')
  if (refs.includes(ref)) return reportAt(walk, place, 'must not lead back to itself')
  return applyPart(walk, target, place)
}
