/** Removes the end of a text without searching the whole text. */

/** No polite phrase is longer. */
const END_CHARS = 80
const SEPARATOR = /[\s,]/u

/** Removes the end that `pattern` finds, and the blanks and commas before it. Only the last characters are searched. */
function withoutEnd(text: string, pattern: RegExp): string {
  const from = Math.max(0, text.length - END_CHARS)
  const match = pattern.exec(text.slice(from))
  if (match === null) return text
  let end = from + match.index
  while (end > 0 && SEPARATOR.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}

/** Removes greetings and politeness from both ends, by the patterns of a language, until neither finds more. */
export function withoutPoliteEnds(text: string, before: RegExp, after: RegExp): string {
  let rest = text.trim()
  for (let previous = ''; previous !== rest;) {
    previous = rest
    rest = withoutEnd(rest.replace(before, ''), after)
      .replace(/^\p{Extended_Pictographic}\uFE0F?\s*/u, '')
      .trim()
  }
  return rest
}
