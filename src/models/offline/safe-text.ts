/**
 * Makes texts from a dataset harmless inside the texts of the rules. Names and values may hold line ends, tags, markers or links, and none of
 * these may take effect.
 */
import { cut } from '../../core/terms/text.ts'

const LABEL_CHARS = 60
const MARKDOWN_CHARS = 200

/** One line without characters that cannot be shown. */
export const plainLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()

/**
 * A name within a title or a thought. No tag starts in it, nor a note that would be removed from a title (R14). Bars are replaced, because they
 * separate the parts of a line of a thought.
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

/** Markdown that shows the text unchanged, also within a cell of a table. */
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

/** A JavaScript literal of any text. */
export const literal = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[<\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A number for people, the same in both languages: 12,345.68. */
export function figure(value: number): string {
  if (Math.abs(value) >= 1e15) return String(value)
  const digits = Math.abs(value) >= 1 || value === 0 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 3 }
  return (value === 0 ? 0 : value).toLocaleString('en-US', digits)
}

/** Formats a share as percent: 12.3%. */
export const percent = (share: number): string => `${figure(Math.round(share * 1_000) / 10)}%`
/** Formats a change as percent with its sign. */
export const change = (share: number): string => `${share > 0 ? '+' : ''}${percent(share)}`

/** Writes a Markdown table. The first `texts` columns are texts, and the numbers behind them are aligned right. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[], texts = 1): string[] => [
  `| ${heads.join(' | ')} |`,
  `|${heads.map((_, column) => (column < texts ? ' --- ' : ' ---: ')).join('|')}|`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
]
