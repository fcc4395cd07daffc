/** Parses JSON from outside, which may be any text. */

/** The value of a JSON text. undefined: the text is not JSON. No JSON has this value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of a JSON text. null: the text is not JSON, so the schema that reads it refuses it. */
export const jsonOrNull = (text: string): unknown => parseJson(text) ?? null

/** The value of a JSON text, or the text itself if it is not JSON. */
export function jsonOrText(text: string): unknown {
  const value = parseJson(text)
  return value === undefined ? text : value
}
