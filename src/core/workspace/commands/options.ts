/** Parses the options of a command: `--name value` anywhere after the command words (requirements 2.1). */
import { parseOk, parseProblem, type OptionName, type ParseResult } from './command.ts'
import { DATE_SOURCE } from './dates.ts'

const WORD = '(?!--)\\S+'
const INTEGER = '-?\\d+'

/** `given` finds the option with a value of its shape, `named` its name with any value, or without one. */
const option = (name: OptionName, shape: string) => ({
  // A value ends at white space or at the end, so `3abc` is not a number. A value never begins with `--`.
  given: new RegExp(`(?:^|\\s)--${name}\\s+(${shape})(?=\\s|$)`),
  named: new RegExp(`(?:^|\\s)--${name}(?![\\w-])`),
})

const OPTIONS: Record<OptionName, ReturnType<typeof option>> = {
  tag: option('tag', WORD),
  view: option('view', WORD),
  priority: option('priority', INTEGER),
  due: option('due', DATE_SOURCE),
  remind: option('remind', DATE_SOURCE),
  interval: option('interval', INTEGER),
  duration: option('duration', INTEGER),
  times: option('times', INTEGER),
  'remind-start': option('remind-start', DATE_SOURCE),
}

/** The text without its options and with single spaces, and the raw values of the options. */
export type OptionValues = { text: string; raw: ReadonlyMap<OptionName, string> }

/**
 * Takes each named option once out of the input, in the given order. An option that is still there was given twice or has a
 * bad value, and is refused by name. `--other` is not an option and stays in the text.
 */
export function takeOptions(input: string, names: readonly OptionName[]): ParseResult<OptionValues> {
  const raw = new Map<OptionName, string>()
  let text = input
  for (const name of names) {
    const match = OPTIONS[name].given.exec(text)
    if (match === null) continue
    raw.set(name, match[1] ?? '')
    text = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
  }
  const invalid = names.find((name) => OPTIONS[name].named.test(text))
  return invalid === undefined
    ? parseOk({ text: collapseSpaces(text), raw })
    : parseProblem({ about: 'option', option: invalid, given: valueAfter(text, OPTIONS[invalid].named) })
}

/** How many characters of a bad value are repeated. */
const VALUE_CHARS = 40

/** What stands behind the name of an option, up to the next option. */
function valueAfter(text: string, named: RegExp): string {
  const match = named.exec(text)
  const start = match === null ? text.length : match.index + match[0].length
  return collapseSpaces(text.slice(start, start + VALUE_CHARS).split(' --')[0] ?? '')
}

/** The parsed values of these options, in order, each null if it was not given. A parser answers null for a value that it refuses. */
export function readOptions<T extends { [N in OptionName]?: unknown }>(
  { raw }: OptionValues,
  parsers: { [N in keyof T]: (raw: string) => T[N] | null },
): ParseResult<{ [N in keyof T]: T[N] | null }> {
  const values = new Map<string, unknown>()
  for (const name of Object.keys(parsers) as (OptionName & keyof T)[]) {
    const given = raw.get(name)
    const value = given === undefined ? null : parsers[name](given)
    if (given !== undefined && value === null) return parseProblem({ about: 'option', option: name, given })
    values.set(name, value)
  }
  return parseOk(Object.fromEntries(values) as T) // a value for each parser
}

export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A parser of whole numbers from `min` to `max`, at most those that a double holds exactly. */
export function integerParser(min: number, max = Number.MAX_SAFE_INTEGER): (raw: string) => number | null {
  return (raw) => {
    const value = /^-?\d+$/.test(raw) ? Number(raw) : NaN
    return Number.isSafeInteger(value) && value >= min && value <= max ? value : null
  }
}

const parsePositive = integerParser(1)

/** Parses an id: ASCII digits with a value above 0. Leading zeros are allowed. */
export function parseId(raw: string): ParseResult<number> {
  const id = parsePositive(raw)
  return id === null ? parseProblem({ about: 'id' }) : parseOk(id)
}

/** A tag as it is stored: trimmed, in lower case, without leading `#`. null: nothing is left. */
export function parseTag(raw: string): string | null {
  const tag = raw.trim().replace(/^#+/, '').trim().toLowerCase()
  return tag === '' ? null : tag
}

/** Splits off the first word of a text with single spaces. `rest` is empty if there is only one word. */
export function splitFirstWord(text: string): { word: string; rest: string } {
  const space = text.indexOf(' ')
  return space < 0 ? { word: text, rest: '' } : { word: text.slice(0, space), rest: text.slice(space + 1) }
}
