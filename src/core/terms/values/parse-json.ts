/** Parses JSON. null: the text is not JSON, so the schema that reads it refuses it. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
