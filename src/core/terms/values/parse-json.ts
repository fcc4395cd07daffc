/** Parses JSON; null: the text is not JSON. A schema then refuses it like any other value that does not fit. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
