/**
 * The JSON Schemas of the contracts, made from the zod schemas that validate the replies. In a bundle the schemas stand here as data, and the
 * part of zod that makes them is left out (scripts/lib/contract-schemas.mjs).
 */
import * as z from 'zod'
import { modeOf } from '../modes/index.ts'
import type { JsonSchema } from '../terms/schema/json-schema.ts'

/** `name` comes from contractOf(). null: the reply is free text. */
export function contractSchema(mode: string, name: string): JsonSchema | null {
  const contract = modeOf(mode).contracts[name]
  if (contract === undefined) return null
  const { $schema: _, ...schema } = z.toJSONSchema(contract, { target: 'draft-7', io: 'output' })
  return schema
}
