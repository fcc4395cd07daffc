/** Texts as lines. Line ends are `\n`, whether they were `\r\n`, `\r` or `\n`. */

export const unifyLineEnds = (text: string): string => text.replace(/\r\n?/g, '\n')

export const isBlank = (line: string): boolean => line.trim() === ''

/** Removes the blank lines at both ends; the other lines keep their indentation. */
export function withoutBlankEnds(lines: readonly string[]): string {
  const from = lines.findIndex((line) => !isBlank(line))
  return from === -1 ? '' : lines.slice(from, lines.findLastIndex((line) => !isBlank(line)) + 1).join('\n')
}
