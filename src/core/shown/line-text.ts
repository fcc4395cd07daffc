/** Texts of models and strangers as parts of a line that people read. */

const RESULT_MAX = 220

/** The text without control characters, which could move the cursor of a terminal or hide the text after them. */
export const stripControls = (text: string) =>
  text.replaceAll(/[\p{Cc}]/gu, (char) => (char === '\n' || char === '\t' ? char : ' '))
/** The first characters of a text, on one line. */
export function oneLine(text: string, max = RESULT_MAX): string {
  const line = stripControls(text).replaceAll(/\s+/g, ' ').trim()
  return Array.from(line.slice(0, 2 * max))
    .slice(0, max)
    .join('')
}
