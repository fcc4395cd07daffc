/** The words of the schemas of OpenAPI 3.0 and 3.1, each with what it becomes in a tool's parameters. */
import { isRecord } from '../../core/terms/plain/is-record.ts'
import type { JsonSchema } from '../../core/terms/schema/json-schema.ts'
import { own, type Members } from './document.ts'

export interface WordContext {
  is_3_0: boolean
  /** The schema that has the word. */
  schema: Members
  lose: (what: string) => void
  describe: (text: string) => string
  /** Counts characters of the result. */
  count: (chars: number) => void
  translate: (part: unknown) => JsonSchema
  /** Whether only answers have a member. */
  isReadOnly: (part: unknown) => boolean
  isOver: () => boolean
}

type Words = [string, unknown][]

const ENUM_MAX = 100
const NAMES_MAX = 500
const TEXT_MAX = 200
const EXAMPLES_SHOWN = 3

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
/** They say nothing to who writes arguments. */
const SILENT: ReadonlySet<string> = new Set(
  'title deprecated readOnly writeOnly externalDocs nullable $schema $comment $id $anchor $defs definitions'.split(' '),
)
const COUNTS: ReadonlySet<string> = new Set(
  'minLength maxLength minItems maxItems minProperties maxProperties'.split(' '),
)

export const isNull = (value: unknown): boolean => value === null
const isScalar = (value: unknown): boolean =>
  (typeof value === 'string' && value.length <= TEXT_MAX) ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  typeof value === 'boolean' ||
  value === null

/** A value that costs no time, however often it is referred to. */
function isShort(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= EXAMPLES_SHOWN && value.every(isScalar)
  if (!isRecord(value)) return isScalar(value)
  // Looks at no more than one member.
  for (const name in value) if (name !== undefined) return false
  return true
}

/** A word with its translation. The list is empty if the word is left out. */
export function translateWord(context: WordContext, word: string, value: unknown): Words {
  if (SILENT.has(word) || word.startsWith('x-')) return []
  const words = translateKnownWord(context, word, value)
  if (words === null) context.lose(/^[$A-Za-z]{1,40}$/.test(word) ? `\`${word}\`` : 'unknown words')
  return words ?? []
}

/** null: the word is not known, or its value cannot be used. */
function translateKnownWord(context: WordContext, word: string, value: unknown): Words | null {
  if (COUNTS.has(word)) return Number.isSafeInteger(value) && Number(value) >= 0 ? [[word, value]] : null
  switch (word) {
    case 'type':
      return translateType(value)
    case 'description':
      return translateDescription(context, value)
    case 'enum':
      return translateEnum(context, value)
    case 'const':
    case 'default':
      return isShort(value) ? [[word, value]] : null
    case 'example':
      return isScalar(value) ? [['examples', [value]]] : []
    case 'examples':
      return Array.isArray(value) ? examplesOf(value) : []
    case 'format':
    case 'pattern':
      return typeof value === 'string' && value.length <= TEXT_MAX ? [[word, value]] : null
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return translateBound(context, word, value)
    case 'multipleOf':
      return Number.isFinite(value) && Number(value) > 0 ? [[word, value]] : null
    case 'uniqueItems':
      return typeof value === 'boolean' ? [[word, value]] : null
    default:
      return translateParts(context, word, value)
  }
}

function translateParts(context: WordContext, word: string, value: unknown): Words | null {
  const { schema, translate } = context
  switch (word) {
    case 'properties':
      return isRecord(value) ? [[word, translateProperties(context, value)]] : null
    case 'required':
      return Array.isArray(value) ? translateRequired(context, value) : null
    case 'additionalProperties':
      // Patterns, which are left out, also decide which members are additional.
      if (own(schema, 'patternProperties') !== undefined) return []
      if (typeof value === 'boolean') return [[word, value]]
      return isRecord(value) ? [[word, translate(value)]] : null
    case 'items':
      // Beside positions it is about the items behind them.
      if (own(schema, 'prefixItems') !== undefined) return []
      if (typeof value === 'boolean') return []
      return isRecord(value) ? [[word, translate(value)]] : null
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return translateChoices(context, word, value)
    default:
      return null
  }
}

function translateType(value: unknown): Words | null {
  if (TYPES.has(value)) return [['type', value]]
  if (!Array.isArray(value) || value.length > TYPES.size) return null
  const types = [...new Set(value.filter((one) => TYPES.has(one)))]
  return types.length === 0 ? null : [['type', types.length === 1 ? types[0] : types]]
}

function translateDescription({ describe }: WordContext, value: unknown): Words | null {
  if (typeof value !== 'string') return null
  const text = describe(value)
  return text === '' ? [] : [['description', text]]
}

function translateEnum({ lose, schema }: WordContext, value: unknown): Words | null {
  if (!Array.isArray(value) || value.length === 0) return null
  if (value.length <= ENUM_MAX && value.every(isScalar)) return [['enum', value]]
  lose(`an \`enum\` of ${value.length} values`)
  const has_examples = own(schema, 'examples') !== undefined || own(schema, 'example') !== undefined
  return has_examples ? [] : examplesOf(value)
}

function examplesOf(values: readonly unknown[]): Words {
  const shown = values.slice(0, EXAMPLES_SHOWN).filter(isScalar)
  return shown.length === 0 ? [] : [['examples', shown]]
}

/** In 3.0 `exclusiveMinimum: true` makes the minimum exclusive. */
function translateBound({ schema }: WordContext, word: string, value: unknown): Words | null {
  const exclusive = word === 'minimum' ? 'exclusiveMinimum' : word === 'maximum' ? 'exclusiveMaximum' : null
  if (exclusive === null) return typeof value === 'boolean' ? [] : Number.isFinite(value) ? [[word, value]] : null
  if (!Number.isFinite(value)) return null
  return [[own(schema, exclusive) === true ? exclusive : word, value]]
}

function translateProperties(context: WordContext, properties: Members): JsonSchema {
  const members: [string, unknown][] = []
  for (const name of Object.keys(properties)) {
    if (context.isOver()) break
    if (context.isReadOnly(properties[name])) continue
    context.count(name.length)
    // A lone surrogate cannot be stored. In values it is replaced at the end.
    members.push([name.toWellFormed(), context.translate(properties[name])])
  }
  return Object.fromEntries(members)
}

function translateRequired({ schema, isReadOnly }: WordContext, value: readonly unknown[]): Words {
  const properties = own(schema, 'properties')
  const isAsked = (name: unknown) =>
    typeof name === 'string' && !(isRecord(properties) && isReadOnly(own(properties, name)))
  const names = [...new Set(value.slice(0, NAMES_MAX).filter(isAsked))]
  return names.length === 0 ? [] : [['required', names]]
}

function translateChoices({ translate, isOver }: WordContext, word: string, value: unknown): Words | null {
  if (!Array.isArray(value) || value.length === 0) return null
  const parts: JsonSchema[] = []
  for (const part of value) {
    if (isOver()) return []
    parts.push(translate(part))
  }
  return [[word, parts]]
}
