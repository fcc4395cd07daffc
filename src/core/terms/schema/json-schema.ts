/** A JSON Schema (draft 7) as data. */
export type JsonSchema = Record<string, unknown>
