/** Options of a command, `--name value` at any place of its remainder, and the shapes of their values (requirements 2.1). */
import { parseOk, parseProblem } from './command.ts'
import type { OptionName, ParseResult } from './command.ts'

/** A value ends at white space or at the end, so `3abc` is no number; a value never begins with `--`, which begins an option. */
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
/** Of an option that stands in a text still, whatever follows it. */
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

/** The text without its options, single-spaced, and the raw values of the options found. */
export type OptionValues = { text: string; raw: ReadonlyMap<OptionName, string> }

/**
 * Takes each named option once, in the given order, out of `rest`. An option that is left afterwards was given twice or has a bad
 * value and is refused by name; `--other` is no option and stays in the text.
 */
export function takeOptions(rest: string, names: readonly OptionName[]): ParseResult<OptionValues> {
  const raw = new Map<OptionName, string>()
  let text = rest
  for (const name of names) {
    const found = SHAPES[name].exec(text)
    if (found === null) continue
    raw.set(name, found[1] ?? '')
    text = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`
  }
  const kept = names.find((name) => USES[name].test(text))
  return kept === undefined
    ? parseOk({ text: collapseSpaces(text), raw })
    : parseProblem({ about: 'option', option: kept })
}

/** One option read by `read`, which answers null for a value it refuses; null when the option was not given. */
export function readOption<T>(
  taken: OptionValues,
  name: OptionName,
  read: (raw: string) => T | null,
): ParseResult<T | null> {
  const raw = taken.raw.get(name)
  if (raw === undefined) return parseOk(null)
  const value = read(raw)
  return value === null ? parseProblem({ about: 'option', option: name }) : parseOk(value)
}

export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A reader of whole numbers from `min` to `max`, at most those a double holds exactly. */
export function integerParser(min: number, max = Number.MAX_SAFE_INTEGER): (raw: string) => number | null {
  return (raw) => {
    const value = /^-?\d+$/.test(raw) ? Number(raw) : NaN
    return Number.isSafeInteger(value) && value >= min && value <= max ? value : null
  }
}

const parsePositive = integerParser(1)

/** An id: ASCII digits, above 0, leading zeros allowed. */
export function parseId(raw: string): ParseResult<number> {
  const id = parsePositive(raw)
  return id === null ? parseProblem({ about: 'id' }) : parseOk(id)
}

/** A tag as it is kept: trimmed, lower case, without leading `#`; null when nothing is left. */
export function parseTag(raw: string): string | null {
  const tag = raw.trim().replace(/^#+/, '').trim().toLowerCase()
  return tag === '' ? null : tag
}

/** `first rest` → both parts, single-spaced; the rest is empty when there is only one word. */
export function splitFirstWord(text: string): { word: string; rest: string } {
  const space = text.indexOf(' ')
  return space < 0 ? { word: text, rest: '' } : { word: text.slice(0, space), rest: text.slice(space + 1) }
}
