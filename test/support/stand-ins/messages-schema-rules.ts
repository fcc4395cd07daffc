/** What `/v1/messages` refuses of the form of a reply. */
import { isRecord } from '../../../src/core/terms/plain/is-record.ts'
import { bad, MODELS, recordsIn, type Asked, type Json, type Refusal, type Rule } from './messages-asked.ts'

const SOURCE = 'https://platform.claude.com/docs/en/build-with-claude/structured-outputs'

const UNSUPPORTED = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'oneOf',
  'patternProperties',
]
const UNIONS_MAX = 16
const OPTIONAL_MAX = 24

/** All parts of a schema. The names of properties are no words of a schema. */
function partsOf(schema: unknown): Json[] {
  if (!isRecord(schema)) return []
  const { properties, items, anyOf, allOf, $defs, definitions } = schema
  const named = [properties, $defs, definitions].flatMap((map) => (isRecord(map) ? Object.values(map) : []))
  return [schema, ...[...named, items, ...recordsIn(anyOf), ...recordsIn(allOf)].flatMap(partsOf)]
}

const isUnion = ({ anyOf, type }: Json) => anyOf !== undefined || Array.isArray(type)

function optionalIn({ properties, required }: Json): number {
  const needed = Array.isArray(required) ? required : []
  return isRecord(properties) ? Object.keys(properties).filter((name) => !needed.includes(name)).length : 0
}

function formatOf({ body: { output_config } }: Asked): Json | null {
  return isRecord(output_config) && isRecord(output_config.format) ? output_config.format : null
}

/** A rule about the schema of the reply. */
const schemaRule =
  (problem: (parts: Json[]) => string | null): Rule['check'] =>
  (asked): Refusal | null => {
    const message = problem(partsOf(formatOf(asked)?.schema))
    return message === null ? null : bad(`output_config.format.schema: ${message}`)
  }

export const SCHEMA_RULES: readonly Rule[] = [
  {
    rule: 'only some endpoints take a form',
    source: SOURCE,
    check: (asked) =>
      asked.traits === MODELS.plain && formatOf(asked) !== null
        ? bad('output_config.format: Extra inputs are not permitted')
        : null,
  },
  {
    rule: 'no member of output_config is unknown',
    source: SOURCE,
    check({ body: { output_config } }) {
      if (output_config === undefined) return null
      const strange = isRecord(output_config)
        ? Object.keys(output_config).find((name) => name !== 'effort' && name !== 'format')
        : 'output_config'
      return strange === undefined ? null : bad(`output_config.${strange}: Extra inputs are not permitted`)
    },
  },
  {
    rule: 'a form is a schema and nothing else',
    source: SOURCE,
    check(asked) {
      const format = formatOf(asked)
      if (format === null) return null
      const isForm = format.type === 'json_schema' && isRecord(format.schema) && Object.keys(format).length === 2
      return isForm ? null : bad('output_config.format: Input should have type json_schema and a schema')
    },
  },
  {
    rule: 'each object of a schema names its members and allows no other',
    source: SOURCE,
    check: schemaRule((parts) =>
      parts.every((part) => part.type !== 'object' || part.additionalProperties === false)
        ? null
        : `For 'object' type, 'additionalProperties' must be explicitly set to false`,
    ),
  },
  {
    rule: 'a schema has no bounds of numbers, lengths or counts',
    source: SOURCE,
    check: schemaRule((parts) => {
      const word = UNSUPPORTED.find((name) => parts.some((part) => part[name] !== undefined))
      return word === undefined ? null : `property '${word}' is not supported`
    }),
  },
  {
    rule: 'a list of a schema asks for at most one item',
    source: SOURCE,
    check: schemaRule((parts) =>
      parts.some(({ minItems }) => minItems !== undefined && minItems !== 0 && minItems !== 1)
        ? 'minItems: only 0 and 1 are supported'
        : null,
    ),
  },
  {
    rule: 'a schema refers only to its own parts',
    source: SOURCE,
    check: schemaRule((parts) =>
      parts.some(({ $ref }) => $ref !== undefined && !String($ref).startsWith('#/')) ? 'external $ref' : null,
    ),
  },
  {
    rule: 'a schema has at most sixteen unions',
    source: SOURCE,
    check: schemaRule((parts) => (parts.filter(isUnion).length > UNIONS_MAX ? 'Schema is too complex' : null)),
  },
  {
    rule: 'a schema has at most 24 optional members',
    source: SOURCE,
    check: schemaRule((parts) =>
      parts.reduce((sum, part) => sum + optionalIn(part), 0) > OPTIONAL_MAX ? 'Schema is too complex' : null,
    ),
  },
  {
    rule: 'a form is not asked of a turn that the request begins',
    source: SOURCE,
    check: (asked) =>
      formatOf(asked) !== null && asked.turns.at(-1)?.role === 'assistant'
        ? bad('output_config.format: incompatible with message prefilling')
        : null,
  },
]
