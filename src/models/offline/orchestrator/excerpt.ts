/** What a section of a report says, on one line for people. */
import { cut } from '../../../core/terms/text.ts'
import { plainLine } from '../safe-text.ts'

export const EXCERPT_CHARS = 200
/** Characters of a section that are looked at for one of the excerpt. */
const MARKS_PER_CHAR = 10
const MARKS = /^ *(?:#{1,6} .*|```.*|-{3,}|[-*+•>] +|\d{1,2}[.)] +)/u

/** Without headings and the marks of Markdown. */
export function excerpt(text: string, chars: number = EXCERPT_CHARS): string {
  const lines = text
    .slice(0, chars * MARKS_PER_CHAR)
    .split('\n')
    .map((line) => plainLine(line.replace(MARKS, '').replaceAll(/\*\*|__/gu, '')))
    .filter((line) => line !== '')
  return cut(lines.join(' '), chars)
}
