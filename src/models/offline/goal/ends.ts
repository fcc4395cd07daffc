/** What a text ends with, found without looking at all of it. */

/** Longer than any word of politeness. */
const END_CHARS = 80
const SEPARATOR = /[\s,]/u

/** Takes the end that `pattern` finds off, and the blanks and commas before it. Only the last characters are searched. */
export function withoutEnd(text: string, pattern: RegExp): string {
  const from = Math.max(0, text.length - END_CHARS)
  const match = pattern.exec(text.slice(from))
  if (match === null) return text
  let end = from + match.index
  while (end > 0 && SEPARATOR.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}
