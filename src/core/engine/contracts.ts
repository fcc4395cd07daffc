/** JSON Schemas of the contracts, from the zod schemas that validate the replies; made once per process. */
import * as z from 'zod'
import type { JsonSchema } from '../terms/schema/json-schema.ts'
import { modeOf } from '../modes/index.ts'

const schemas = new Map<string, JsonSchema>()

/** `name`: what contractOf() says. null: the reply is free text. */
export function schemaOf(mode: string, name: string): JsonSchema | null {
  const key = `${mode}/${name}`
  const known = schemas.get(key)
  if (known !== undefined) return known
  const contract = modeOf(mode).contracts[name]
  if (contract === undefined) return null
  const { $schema: _, ...schema } = z.toJSONSchema(contract, { target: 'draft-7', io: 'output' })
  schemas.set(key, schema)
  return schema
}
