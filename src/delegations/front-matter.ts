/**
 * The front matter of Markdown files: `key: value` lines between the first two `---` (O2-08). Files of others are split by lines, and only a
 * scalar on one line is parsed as YAML, so no tag, anchor or nesting takes effect (ASI07).
 */
import { isMap, isScalar, parseDocument, stringify } from 'yaml'
import { isBlank } from './lines.ts'

export type FrontMatterFields = ReadonlyMap<string, string>

/** A longer value counts as missing. No id, word or number is longer, and the bound protects the YAML parser. */
const VALUE_CHARS_MAX = 1_000

const FENCE = /^---[ \t]*$/
const KEY_LINE = /^([A-Za-z]\w*)[ \t]*:(.*)$/s

interface FrontMatterFile {
  /** The fields with the wanted keys, in lower case; null: the file does not start with a front matter. */
  fields: FrontMatterFields | null
  body: readonly string[]
}

/**
 * The first line of a key decides, even when its value counts as missing. A front matter that is never closed has no fields, and the whole file
 * is body, because half a front matter cannot be relied on (F53).
 */
export function splitFrontMatter(lines: readonly string[], keys: ReadonlySet<string>): FrontMatterFile {
  const first = lines.findIndex((line) => !isBlank(line))
  if (!FENCE.test(lines[first] ?? '')) return { fields: null, body: lines }
  const last = lines.findIndex((line, index) => index > first && FENCE.test(line))
  if (last === -1) return { fields: new Map(), body: lines }
  return { fields: fieldsIn(lines.slice(first + 1, last), keys), body: lines.slice(last + 1) }
}

function fieldsIn(lines: readonly string[], keys: ReadonlySet<string>): FrontMatterFields {
  const written = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', value = ''] = KEY_LINE.exec(line) ?? []
    const key = name.toLowerCase()
    if (keys.has(key) && !written.has(key)) written.set(key, value)
  }
  const read = [...written].map(([key, value]) => [key, readScalar(value)] as const)
  return new Map(read.flatMap(([key, value]) => (value === null ? [] : [[key, value]])))
}

/** The scalars that end on their line; a block would go on below it. */
const ON_ONE_LINE: ReadonlySet<unknown> = new Set(['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'])

/** null: the value is not a single scalar. */
function readScalar(written: string): string | null {
  if (written.length > VALUE_CHARS_MAX) return null
  // The value is parsed behind a key, because `---` and `%` alone would have a meaning.
  const { contents, errors } = parseDocument(`v: ${written}`, { schema: 'failsafe', prettyErrors: false })
  const value = isMap(contents) ? contents.get('v', true) : null
  if (errors.length > 0 || !isScalar(value) || !ON_ONE_LINE.has(value.type)) return null
  if (value.anchor !== undefined || value.tag !== undefined) return null
  return typeof value.value === 'string' ? value.value : null
}

/**
 * Writes one line, quoted where a reader would not read this text back. This includes readers of YAML 1.1, for whom `yes` and `1:20` are no
 * texts.
 */
export const fieldLine = (key: string, value: string): string => lineOf(key, value, 'yaml-1.1')

/** Writes an instant in RFC 3339 without quotes. */
export const timeLine = (key: string, value: string): string => lineOf(key, value, 'core')

function lineOf(key: string, value: string, compat: 'core' | 'yaml-1.1'): string {
  // Single quotes cannot escape a line end.
  const oneLine = {
    lineWidth: 0,
    blockQuote: false,
    singleQuote: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  }
  // Only the line end is cut off, because a value may end in characters that trim() would remove.
  return stringify({ [key]: value }, { ...oneLine, compat }).slice(0, -1)
}
