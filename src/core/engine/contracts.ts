/** The JSON Schemas of the contracts. They are made from the zod schemas that validate the replies, once per process. */
import * as z from 'zod'
import type { JsonSchema } from '../terms/schema/json-schema.ts'
import { modeOf } from '../modes/index.ts'

const schemas = new Map<string, JsonSchema>()

/** `name` comes from contractOf(). null: the reply is free text. */
export function schemaOf(mode: string, name: string): JsonSchema | null {
  const key = `${mode}/${name}`
  const cached = schemas.get(key)
  if (cached !== undefined) return cached
  const contract = modeOf(mode).contracts[name]
  if (contract === undefined) return null
  const { $schema: _, ...schema } = z.toJSONSchema(contract, { target: 'draft-7', io: 'output' })
  schemas.set(key, schema)
  return schema
}
