/**
 * The front matter of Markdown files: `key: value` lines between the first two `---` (O2-08). Only a value is YAML, and only a scalar on its
 * line: what others send is taken apart by lines, so no tag, anchor or nesting of theirs reaches anything (ASI07).
 */
import { isMap, isScalar, parseDocument, stringify } from 'yaml'
import { isBlank } from './lines.ts'

export type FrontMatterFields = ReadonlyMap<string, string>

/** A longer one counts as missing: no id, word or number is, and it bounds what the YAML parser gets to see. */
const VALUE_CHARS_MAX = 1_000

const FENCE = /^---[ \t]*$/
const KEY_LINE = /^([A-Za-z]\w*)[ \t]*:(.*)$/s

interface FrontMatterFile {
  /** Of the keys that were asked for, in lower case; null: the file does not begin with a front matter. */
  fields: FrontMatterFields | null
  body: readonly string[]
}

/**
 * The first line of a key decides, even when its value counts as missing. A front matter that is never closed names nothing, and all of the file
 * is body: half of one says nothing that can be relied on (F53).
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

/** Those that end on their line; a block goes on below it. */
const ON_ONE_LINE: ReadonlySet<unknown> = new Set(['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'])

/** null: it is no scalar, or not just a scalar. */
function readScalar(written: string): string | null {
  if (written.length > VALUE_CHARS_MAX) return null
  // Behind a key: alone, `---` and `%` would mean something.
  const { contents, errors } = parseDocument(`v: ${written}`, { schema: 'failsafe', prettyErrors: false })
  const value = isMap(contents) ? contents.get('v', true) : null
  if (errors.length > 0 || !isScalar(value) || !ON_ONE_LINE.has(value.type)) return null
  if (value.anchor !== undefined || value.tag !== undefined) return null
  return typeof value.value === 'string' ? value.value : null
}

/** One line, quoted where it would not be read as this text – by a reader of YAML 1.1 either, to whom `yes` and `1:20` are none. */
export const fieldLine = (key: string, value: string): string => lineOf(key, value, 'yaml-1.1')

/** Of an instant: in RFC 3339 it stands plain, as in the seed. */
export const timeLine = (key: string, value: string): string => lineOf(key, value, 'core')

function lineOf(key: string, value: string, compat: 'core' | 'yaml-1.1'): string {
  // Single quotes cannot escape the end of a line.
  const oneLine = {
    lineWidth: 0,
    blockQuote: false,
    singleQuote: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  }
  // Without the end of its line, and no more: a value may end in what trim() takes for space.
  return stringify({ [key]: value }, { ...oneLine, compat }).slice(0, -1)
}
