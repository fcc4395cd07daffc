/** JSON Schemas of the contracts, from the zod schemas that validate the replies; made once per process. */
import * as z from 'zod'
import { modeOf } from './modes/index.ts'

/** A JSON Schema (draft 7) as data. */
export type JsonSchema = Record<string, unknown>

const schemas = new Map<string, JsonSchema>()

export function schemaOf(mode: string, phase: string): JsonSchema {
  const key = `${mode}/${phase}`
  const known = schemas.get(key)
  if (known !== undefined) return known
  const contract = modeOf(mode).contracts[phase]
  if (contract === undefined) throw new Error(`no contract for ${key}`)
  const { $schema: _, ...schema } = z.toJSONSchema(contract, { target: 'draft-7', io: 'output' })
  schemas.set(key, schema)
  return schema
}
