/**
 * Translates the schemas of an OpenAPI document into JSON Schema that models and the service read. References are replaced by what they
 * name. What does not fit the bounds of a tool becomes `{}`, which allows anything: the server checks its arguments itself.
 */
import { isRecord } from '../../core/terms/plain/is-record.ts'
import type { JsonSchema } from '../../core/terms/schema/json-schema.ts'
import { DEPTH_MAX, PARTS_MAX } from '../../core/terms/schema/tool-parameters.ts'
import { followReference, own, ownText, quoteValue, type Members, type OpenApiDocument } from './document.ts'
import { plainText } from './texts.ts'
import { isNull, translateWord, type WordContext } from './schema-words.ts'

/** The state of the translation of one tool. */
export interface SchemaWalk {
  document: OpenApiDocument
  depth_max: number
  description_max: number
  parts: number
  chars: number
  /** Whether the tool has become too large. Then its translation is not used. */
  over: boolean
  /** A reference that leads out of the document. */
  external: string | null
  /** What was left out, in words. */
  lost: Set<string>
}

/** Longer parameters would take the room of the conversation. */
const CHARS_MAX = 16_384
/** The first translation that is small enough is taken, so that what is cut lies as deep as possible. */
const TIERS: readonly { depth_max: number; description_max: number }[] = [
  { depth_max: DEPTH_MAX - 4, description_max: 300 },
  { depth_max: 12, description_max: 200 },
  { depth_max: 8, description_max: 120 },
  { depth_max: 6, description_max: 120 },
  { depth_max: 4, description_max: 80 },
  { depth_max: 3, description_max: 80 },
  { depth_max: 2, description_max: 40 },
  { depth_max: 1, description_max: 0 },
]
/** It says nothing of the arguments but their names, so it always fits. */
const LAST_TIER = { depth_max: 0, description_max: 0 }

/** The first translation that fits the bounds of a tool, and its state. */
export function translateWithin<T>(
  document: OpenApiDocument,
  translate: (walk: SchemaWalk) => T,
): { value: T; walk: SchemaWalk } {
  for (const tier of TIERS) {
    const walk = newWalk(document, tier)
    const value = translate(walk)
    if (!walk.over) return { value, walk }
  }
  const walk = newWalk(document, LAST_TIER)
  return { value: translate(walk), walk }
}

const newWalk = (document: OpenApiDocument, tier: Pick<SchemaWalk, 'depth_max' | 'description_max'>): SchemaWalk => ({
  document,
  ...tier,
  parts: 1,
  chars: 0,
  over: false,
  external: null,
  lost: new Set(),
})

/** Where a part is: how deep, and the references that have led to it. */
interface SchemaPlace {
  depth: number
  refs: readonly string[]
}
const TOP: SchemaPlace = { depth: 1, refs: [] }

export function translateSchema(walk: SchemaWalk, schema: unknown, place: SchemaPlace = TOP): JsonSchema {
  if (walk.over || schema === undefined || typeof schema === 'boolean') return countPart(walk, {})
  if (!isRecord(schema)) return lose(walk, 'a schema that is not an object')
  if (place.depth > walk.depth_max) return lose(walk, `what is deeper than ${walk.depth_max} levels`)
  const ref = own(schema, '$ref')
  if (ref === undefined) return translateWords(walk, schema, place)
  const target = followReference(walk.document, ref)
  if (!target.ok && target.external) walk.external ??= quoteValue(ref)
  if (!target.ok) return lose(walk, `${quoteValue(ref)}, which the document does not have`)
  const name = String(ref)
  if (place.refs.includes(name)) return lose(walk, `${quoteValue(ref)} within itself`)
  const value = translateSchema(walk, target.value, { ...place, refs: [...place.refs, name] })
  return withSiblings(walk, value, schema, place)
}

function countPart(walk: SchemaWalk, schema: JsonSchema): JsonSchema {
  walk.parts += 1
  if (walk.parts > PARTS_MAX || walk.chars > CHARS_MAX) walk.over = true
  return walk.over ? {} : schema
}

function lose(walk: SchemaWalk, what: string): JsonSchema {
  walk.lost.add(what)
  return countPart(walk, {})
}

/** What may stand beside a reference without a schema of its own. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  '$ref description summary title deprecated readOnly writeOnly example examples default nullable'.split(' '),
)

/** 3.0 ignores what stands beside a reference; its words for people and `nullable` are meant all the same. */
function withSiblings(walk: SchemaWalk, target: JsonSchema, schema: Members, place: SchemaPlace): JsonSchema {
  const description = describe(walk, ownText(schema, 'description'))
  const base = description === '' ? target : { ...target, description }
  const has_words =
    !walk.document.is_3_0 && Object.keys(schema).some((word) => !ANNOTATIONS.has(word) && !word.startsWith('x-'))
  if (!has_words) return own(schema, 'nullable') === true ? orNull(walk, base) : base
  const words = Object.fromEntries(Object.entries(schema).filter(([word]) => word !== '$ref'))
  return countPart(walk, { allOf: [base, translateWords(walk, words, { ...place, depth: place.depth + 1 })] })
}

/** Their parts have been counted already. */
const HAS_PARTS: ReadonlySet<string> = new Set(
  'description properties additionalProperties items allOf anyOf oneOf'.split(' '),
)

function translateWords(walk: SchemaWalk, schema: Members, place: SchemaPlace): JsonSchema {
  const inner = { ...place, depth: place.depth + 1 }
  const context: WordContext = {
    is_3_0: walk.document.is_3_0,
    schema,
    lose: (what) => void walk.lost.add(what),
    describe: (text) => describe(walk, text),
    count: (chars) => void (walk.chars += chars),
    translate: (part) => translateSchema(walk, part, inner),
    isReadOnly: (part) => isReadOnly(walk.document, part),
    isOver: () => walk.over,
  }
  const words: [string, unknown][] = []
  for (const word of Object.keys(schema)) {
    if (walk.over) return {}
    for (const [name, value] of translateWord(context, word, schema[word])) {
      walk.chars += name.length + (HAS_PARTS.has(name) ? 0 : JSON.stringify(value).length)
      words.push([name, value])
    }
  }
  const own_words = countPart(walk, Object.fromEntries(words))
  return own(schema, 'nullable') === true ? orNull(walk, own_words) : own_words
}

/** 3.0 says `nullable` where JSON Schema has a type of its own. */
function orNull(walk: SchemaWalk, schema: JsonSchema): JsonSchema {
  const { type } = schema
  if (type === undefined && schema['enum'] === undefined)
    return Object.keys(schema).length === 0
      ? schema
      : countPart(walk, { anyOf: [schema, countPart(walk, { type: 'null' })] })
  const values = schema['enum']
  return {
    ...schema,
    ...(typeof type === 'string' && type !== 'null' && { type: [type, 'null'] }),
    ...(Array.isArray(values) && !values.some(isNull) && { enum: [...values, null] }),
  }
}

function describe(walk: SchemaWalk, text: string): string {
  const plain = plainText(text, walk.description_max)
  walk.chars += plain.length
  return plain
}

/** How many references are followed to see a flag of a schema. */
const HOPS_MAX = 8

/** The schema that a chain of references ends in. */
export function schemaBehind(document: OpenApiDocument, schema: unknown): Members {
  let value = schema
  for (let hops = 0; hops <= HOPS_MAX && isRecord(value); hops++) {
    const ref = own(value, '$ref')
    if (ref === undefined) return value
    const target = followReference(document, ref)
    value = target.ok ? target.value : undefined
  }
  return {}
}

const isReadOnly = (document: OpenApiDocument, schema: unknown): boolean =>
  (isRecord(schema) && own(schema, 'readOnly') === true) || own(schemaBehind(document, schema), 'readOnly') === true
