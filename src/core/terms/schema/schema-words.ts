/**
 * The words of JSON Schema that the service applies. Models and clients write the schemas, and strangers send the values. So
 * the time of a check has to grow in proportion to its input, and `pattern` and `$ref` are excluded.
 */
import * as z from 'zod'

const TypeName = z.enum(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const count = z.int().min(0).optional()
export const FORMATS = ['date', 'time', 'date-time', 'email', 'uuid'] as const

/** The words with what they take. */
export const SCHEMA_WORDS = {
  title: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
  type: z.union([TypeName, z.array(TypeName).min(1)]).optional(),
  enum: z.array(z.unknown()).min(1).optional(),
  const: z.unknown().optional(),
  format: z.enum(FORMATS).optional(),
  minLength: count,
  maxLength: count,
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  properties: z.record(z.string(), lazyWords()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.union([z.boolean(), lazyWords()]).optional(),
  minProperties: count,
  maxProperties: count,
  items: lazyWords().optional(),
  minItems: count,
  maxItems: count,
  anyOf: z.array(lazyWords()).min(1).optional(),
  oneOf: z.array(lazyWords()).min(1).optional(),
  allOf: z.array(lazyWords()).min(1).optional(),
}
const SchemaWords: z.ZodType = z.strictObject(SCHEMA_WORDS)

/** Schemas stand within schemas. */
function lazyWords(): z.ZodType {
  return z.lazy(() => SchemaWords)
}

/** Says why a value is not a schema of these words. null: it is one. */
export function schemaError(schema: unknown): string | null {
  const result = SchemaWords.safeParse(schema)
  return result.success ? null : innermostMessage(result.error)
}

/** The path and message of the first issue. */
function innermostMessage({ issues }: z.ZodError): string {
  const [issue] = issues
  return issue === undefined ? '' : `${issue.path.join('.')} ${issue.message}`.trim()
}
