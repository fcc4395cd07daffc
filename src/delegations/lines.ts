/** Texts as lines: each ends with `\n`, whether it was `\r\n`, `\r` or `\n`. */

export const unifyLineEnds = (text: string): string => text.replace(/\r\n?/g, '\n')

export const isBlank = (line: string): boolean => line.trim() === ''

/** Without the blank lines it begins and ends with; what is left is as it was, indentation too. */
export function withoutBlankEnds(lines: readonly string[]): string {
  const from = lines.findIndex((line) => !isBlank(line))
  return from === -1 ? '' : lines.slice(from, lines.findLastIndex((line) => !isBlank(line)) + 1).join('\n')
}
