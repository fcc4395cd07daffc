/** Texts from a dataset inside what the rules write: names and values may hold line ends, tags, markers, links; none of it may act. */
import { cut } from '../../core/terms/text.ts'

const LABEL_CHARS = 60
const MARKDOWN_CHARS = 200

/** On one line, without what is no character. */
export const plainLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()

/**
 * A name within a title or a thought: no tag begins in it, and no note that would be taken off a title (R14). Its bars are those that
 * parts of a line of a thought are told apart by.
 */
export const label = (text: string, chars = LABEL_CHARS): string => {
  const plain = plainLine(text)
    .replaceAll(/[<＜]/g, '‹')
    .replaceAll(/[>＞]/g, '›')
    .replaceAll(/[(（]/g, '[')
    .replaceAll(/[)）]/g, ']')
    .replaceAll('`', "'")
    .replaceAll('|', '¦')
  return cut(plain, chars) || '–'
}

/** As Markdown that shows it and nothing else, also within a cell of a table. */
export function md(text: string, chars = MARKDOWN_CHARS): string {
  const shown = cut(plainLine(text), chars)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*[\]|~$]/g, String.raw`\$&`)
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
    .replaceAll('://', ':&#47;&#47;')
    .replaceAll(/\bwww\./gi, 'www&#46;')
  return shown === '' ? '–' : shown
}

/** As a literal of JavaScript, whatever is in it. */
export const literal = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[<\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A number as people read it, the same in both languages: 12,345.68. */
export function figure(value: number): string {
  if (Math.abs(value) >= 1e15) return String(value)
  const digits = Math.abs(value) >= 1 || value === 0 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 3 }
  return (value === 0 ? 0 : value).toLocaleString('en-US', digits)
}

/** A share as percent: 12.3%. */
export const percent = (share: number): string => `${figure(Math.round(share * 1_000) / 10)}%`
/** A change as percent with its sign. */
export const change = (share: number): string => `${share > 0 ? '+' : ''}${percent(share)}`

/** Numbers stand to the right: what is behind the first columns, `texts` of them. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[], texts = 1): string[] => [
  `| ${heads.join(' | ')} |`,
  `|${heads.map((_, column) => (column < texts ? ' --- ' : ' ---: ')).join('|')}|`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
]
