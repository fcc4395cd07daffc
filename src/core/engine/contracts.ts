/**
 * The JSON Schemas of the contracts as models get them. A model gets the form without bounds of length, because endpoints refuse
 * them in strict schemas. The zod schemas check the bounds.
 */
import { TOOL_NAME_MARK } from '../mode/tool-name.ts'
import { contractSchema } from './contract-schemas.ts'
import { isRecord } from '../terms/plain/is-record.ts'
import { contractOf } from '../terms/effect.ts'
import type { JsonSchema } from '../terms/schema/json-schema.ts'
import { wireSchema } from '../terms/schema/wire-schema.ts'
import { RESULT_PHASE } from '../terms/settings.ts'
import { utf8Bytes } from '../terms/text.ts'

/** What a reply has to be, as an endpoint is told it. */
export interface Contract {
  /** `[a-z_]+` */
  name: string
  schema: JsonSchema
  /** The schema is that of a client, so what an endpoint says of it tells nothing of others. */
  by_client?: true
}

/** The contract of a call. `output_schema` is the schema of a closing call. null: the reply is free text, or only its prompt tells the schema. */
export function contractOfCall(
  mode: string,
  call: { phase: string; contract?: string | undefined },
  tools: readonly string[],
  output_schema: JsonSchema | null,
): Contract | null {
  const name = contractOf(call)
  const by_client = call.phase === RESULT_PHASE
  const schema = !by_client ? schemaOf(mode, name, tools) : output_schema === null ? null : wireSchema(output_schema)
  return schema === null ? null : { name: `${mode}_${name}`, schema, ...(by_client ? { by_client } : {}) }
}

const lengths = new WeakMap<JsonSchema, number>()

/** The bytes of the schema of a contract in a request. Most calls of an isolate have the same schema, so it is written once. */
export function schemaBytes({ schema }: Contract): number {
  const known = lengths.get(schema)
  if (known !== undefined) return known
  const bytes = utf8Bytes(JSON.stringify(schema))
  lengths.set(schema, bytes)
  return bytes
}

/** A schema, and its newest form with the names of tools: most calls of an isolate offer the same ones. */
interface NamedSchema {
  plain: JsonSchema
  tools: string
  named: JsonSchema
}
const schemas = new Map<string, NamedSchema>()

/** `name` comes from contractOf(). Where a reply names a tool, it is one of `tools`. null: the reply is free text. */
export function schemaOf(mode: string, name: string, tools: readonly string[]): JsonSchema | null {
  const key = `${mode}/${name}`
  const [known, offered] = [schemas.get(key), tools.join()]
  if (known?.tools === offered) return known.named
  const plain = known?.plain ?? makeSchema(mode, name)
  if (plain === null) return null
  const named = withToolNames(plain, tools)
  schemas.set(key, { plain, tools: offered, named })
  return named
}

function makeSchema(mode: string, name: string): JsonSchema | null {
  const schema = contractSchema(mode, name)
  return schema === null ? null : withoutBounds(schema)
}

const BOUNDS: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
])

const withoutBounds = (schema: JsonSchema): JsonSchema =>
  mapSchema(schema, (part) => Object.fromEntries(Object.entries(part).filter(([word]) => !BOUNDS.has(word))))

const withToolNames = (schema: JsonSchema, tools: readonly string[]): JsonSchema =>
  mapSchema(schema, (part) => {
    const { [TOOL_NAME_MARK]: others, ...plain } = part
    return Array.isArray(others) && tools.length > 0 ? { ...plain, enum: [...new Set([...tools, ...others])] } : plain
  })

/** Applies a change to a schema and to every schema within it. The names of properties are no words of a schema. */
function mapSchema(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner)
    return isRecord(value) ? mapSchema(value, change) : value
  }
  const parts = Object.entries(change(schema)).map(([word, value]) => {
    const isMap = word === 'properties' && isRecord(value)
    const mapped = isMap ? Object.entries(value).map(([name, part]) => [name, inner(part)]) : []
    return [word, isMap ? Object.fromEntries(mapped) : inner(value)]
  })
  return Object.fromEntries(parts)
}
