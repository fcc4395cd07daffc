/** Turns the schema of an answer into fields of a form. An answer that needs more than simple fields is typed as JSON. */
import { asNumber, asText } from '../../../parse.ts'
import { isRecord } from '../../../../core/terms/plain/is-record.ts'

export type Schema = Record<string, unknown>
type Simple = 'text' | 'number' | 'integer' | 'boolean'
/** The kind of one value: a simple one, or a choice. */
type AnswerKind = { of: Simple; format: string | null } | { of: 'choice'; options: unknown[] }
export interface AnswerField {
  /** The name of the property; empty if the answer is one value. */
  name: string
  title: string
  help: string
  kind: AnswerKind
  /** Whether the field takes a list of such values. */
  many: boolean
  required: boolean
  /** Whether an empty field stands for null. Otherwise it leaves the property out. */
  nullable: boolean
  least: number | null
  most: number | null
  /** The text that the field holds at first. */
  preset: string
}
export type AnswerShape =
  | { kind: 'text' }
  | { kind: 'json' }
  /** `other`: another answer is taken too. */
  | { kind: 'choices'; options: string[]; other: boolean }
  /** `whole`: the only field is the answer itself. `plain`: the answer is sent as text, not as JSON. */
  | { kind: 'fields'; fields: AnswerField[]; whole: boolean; plain: boolean }

export function answerShapeOf(choices: string[] | null, other: boolean, schema: Schema | null): AnswerShape {
  if (choices !== null) return { kind: 'choices', options: choices, other }
  if (schema === null) return { kind: 'text' }
  if (schema['type'] === 'object') return objectOf(schema)
  const field = fieldOf('', schema, true)
  if (field === null) return { kind: 'json' }
  return { kind: 'fields', fields: [field], whole: true, plain: schema['type'] === 'string' }
}

/** A schema with only these words asks for named properties and nothing else. */
const OBJECT_WORDS = new Set(['type', 'title', 'description', 'properties', 'required', 'additionalProperties'])

function objectOf(schema: Schema): AnswerShape {
  const { properties, required, additionalProperties = true } = schema
  const isSimple = Object.keys(schema).every((word) => OBJECT_WORDS.has(word)) && isRecord(properties)
  if (!isSimple || typeof additionalProperties !== 'boolean') return { kind: 'json' }
  const requiredNames = Array.isArray(required) ? required : []
  const fields = Object.entries(properties).map(([name, part]) =>
    isRecord(part) ? fieldOf(name, part, requiredNames.includes(name)) : null,
  )
  const all = fields.filter((field) => field !== null)
  // A required property without a description has no field.
  const isWhole =
    all.length === fields.length && requiredNames.every((name) => all.some((field) => field.name === name))
  return isWhole && all.length > 0 ? { kind: 'fields', fields: all, whole: false, plain: false } : { kind: 'json' }
}

const WORDS_BEYOND = ['const', 'anyOf', 'oneOf', 'allOf', 'properties']

function fieldOf(name: string, schema: Schema, required: boolean): AnswerField | null {
  if (WORDS_BEYOND.some((word) => word in schema)) return null
  const [type, nullable] = typeOf(schema)
  const items = schema['items']
  const many = type === 'array'
  if (many && !isRecord(items)) return null
  const one = many && isRecord(items) ? items : schema
  const kind =
    many && WORDS_BEYOND.some((word) => word in one) ? null : kindOf(one, many ? typeOf(one) : [type, nullable])
  if (kind === null) return null
  return {
    name,
    title: asText(schema['title']) || name,
    help: asText(schema['description']) ?? '',
    kind,
    many,
    required,
    nullable,
    ...rangeOf(schema, kind, many),
    preset: presetOf(schema['default'], kind, many),
  }
}

function kindOf(schema: Schema, [type, nullable]: [string | null, boolean]): AnswerKind | null {
  const options = schema['enum']
  if (Array.isArray(options)) {
    const simple = options.filter((option) => !isRecord(option) && !Array.isArray(option))
    return simple.length === options.length
      ? { of: 'choice', options: simple.filter((option) => !(nullable && option === null)) }
      : null
  }
  if (type === 'string') return { of: 'text', format: asText(schema['format']) || null }
  return type === 'number' || type === 'integer' || type === 'boolean' ? { of: type, format: null } : null
}

/** Returns the type, and whether null is allowed too. */
function typeOf({ type }: Schema): [string | null, boolean] {
  if (typeof type === 'string') return [type, false]
  if (!Array.isArray(type)) return [null, false]
  const types = type.filter((name) => name !== 'null')
  const [only] = types
  return types.length === 1 && typeof only === 'string' ? [only, types.length < type.length] : [null, false]
}

/** Returns the limits of a number, of the length of a text, or of the length of a list. */
function rangeOf(schema: Schema, kind: AnswerKind, many: boolean): { least: number | null; most: number | null } {
  const [least, most] = many
    ? ['minItems', 'maxItems']
    : kind.of === 'text'
      ? ['minLength', 'maxLength']
      : ['minimum', 'maximum']
  return { least: asNumber(schema[least]), most: asNumber(schema[most]) }
}

function presetOf(value: unknown, kind: AnswerKind, many: boolean): string {
  if (value === undefined || value === null) return ''
  if (many) return Array.isArray(value) ? value.map((one) => typedText(one, kind)).join('\n') : ''
  return typedText(value, kind)
}

/** Writes a value as its field holds it. A choice is written as JSON, so that `1` and `"1"` differ. */
export const typedText = (value: unknown, kind: AnswerKind): string =>
  kind.of === 'choice' || typeof value !== 'string' ? JSON.stringify(value) : value
