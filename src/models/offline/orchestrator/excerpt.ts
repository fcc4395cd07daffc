/** Shortens a section of a report to one line for people. */
import { cut } from '../../../core/terms/text.ts'
import { plainLine } from '../safe-text.ts'

export const EXCERPT_CHARS = 200
/** The characters of a section that are read for each character of the excerpt. */
const MARKS_PER_CHAR = 10
const MARKS = /^ *(?:#{1,6} .*|```.*|-{3,}|[-*+•>] +|\d{1,2}[.)] +)/u

/** The excerpt has no headings and no Markdown marks. */
export function excerpt(text: string, chars: number = EXCERPT_CHARS): string {
  const lines = text
    .slice(0, chars * MARKS_PER_CHAR)
    .split('\n')
    .map((line) => plainLine(line.replace(MARKS, '').replaceAll(/\*\*|__/gu, '')))
    .filter((line) => line !== '')
  return cut(lines.join(' '), chars)
}
