/** Parses the options of a command: `--name value` anywhere after the command words (requirements 2.1). */
import { parseOk, parseProblem, type OptionName, type ParseResult } from './command.ts'

/** A value ends at white space or at the end, so `3abc` is not a number. A value never begins with `--`. */
const option = (name: OptionName, shape: string) => new RegExp(`(?:^|\\s)--${name}\\s+(${shape})(?=\\s|$)`)
const WORD = '(?!--)\\S+'
const INTEGER = '-?\\d+'
const MOMENT = '\\d{4}-\\d{2}-\\d{2}\\s+\\d{2}:\\d{2}'

const SHAPES: Record<OptionName, RegExp> = {
  tag: option('tag', WORD),
  view: option('view', WORD),
  priority: option('priority', INTEGER),
  due: option('due', MOMENT),
  remind: option('remind', MOMENT),
  interval: option('interval', INTEGER),
  duration: option('duration', INTEGER),
  times: option('times', INTEGER),
  'remind-start': option('remind-start', MOMENT),
}

const optionUse = (name: OptionName) => new RegExp(`(?:^|\\s)--${name}(?![\\w-])`)
/** Finds the name of an option with any value, or without one. */
const USES: Record<OptionName, RegExp> = {
  tag: optionUse('tag'),
  view: optionUse('view'),
  priority: optionUse('priority'),
  due: optionUse('due'),
  remind: optionUse('remind'),
  interval: optionUse('interval'),
  duration: optionUse('duration'),
  times: optionUse('times'),
  'remind-start': optionUse('remind-start'),
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
    const match = SHAPES[name].exec(text)
    if (match === null) continue
    raw.set(name, match[1] ?? '')
    text = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
  }
  const invalid = names.find((name) => USES[name].test(text))
  return invalid === undefined
    ? parseOk({ text: collapseSpaces(text), raw })
    : parseProblem({ about: 'option', option: invalid })
}

/** The parsed value of an option, or null if it was not given. `parse` answers null for a value that it refuses. */
export function readOption<T>(
  options: OptionValues,
  name: OptionName,
  parse: (raw: string) => T | null,
): ParseResult<T | null> {
  const raw = options.raw.get(name)
  if (raw === undefined) return parseOk(null)
  const value = parse(raw)
  return value === null ? parseProblem({ about: 'option', option: name }) : parseOk(value)
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
