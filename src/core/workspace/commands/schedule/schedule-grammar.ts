/** Parses what follows the command words of the schedule (requirements 2.2, 2.4). */
import { parseOk, parseProblem, SPANS, type Command, type EventEntry, type ParseResult, type Span } from '../command.ts'
import { DATE_SOURCE, MORNING, reachesTooFar, type ReadMoment } from '../dates.ts'
import { dayMinute, SPAN_MINUTES } from '../../../terms/plain/minutes.ts'
import {
  splitFirstWord,
  parseId,
  integerParser,
  readOptions,
  collapseSpaces,
  takeOptions,
  type OptionValues,
} from '../options.ts'

const minutes = integerParser(1, SPAN_MINUTES)
const anyInteger = integerParser(Number.MIN_SAFE_INTEGER)
const takeEventOptions = (rest: string) =>
  takeOptions(rest, ['interval', 'duration', 'remind', 'times', 'remind-start'])

interface RepeatOptions {
  interval: number | null
  times: number | null
  'remind-start': string | null
}

/** The repeat rule of an entry (2.4 "Repeat combinations"). null: the event happens once. */
function ruleOf(
  { interval, times, 'remind-start': remind_start }: RepeatOptions,
  start: string,
): ParseResult<EventEntry['rule']> {
  if (interval === null) {
    if (remind_start !== null) return parseProblem({ about: 'needs', option: 'remind-start', other: 'interval' })
    if (times !== null && times !== 1) return parseProblem({ about: 'needs', option: 'times', other: 'interval' })
    return parseOk(null)
  }
  const count = times ?? -1
  if (count !== -1 && count < 2) return parseProblem({ about: 'option', option: 'times', given: String(count) })
  const rule = { interval, times: count, remind_start }
  return reachesTooFar(rule, start) ? parseProblem({ about: 'span' }) : parseOk(rule)
}

const START = new RegExp(`^(${DATE_SOURCE})(?: (.+))?$`)
/** The beginning of a text that has no start. */
const START_CHARS = 20

/** Parses `datetime title` from a text without its options. */
function eventEntry(options: OptionValues, text: string, moment: ReadMoment): ParseResult<EventEntry> {
  const words = START.exec(text)
  const start = moment(words?.[1] ?? '', null)
  if (start === null) return parseProblem({ about: 'start', given: words?.[1] ?? text.slice(0, START_CHARS) })
  const title = words?.[2]
  if (title === undefined) return parseProblem({ about: 'text' })
  const values = readOptions(options, {
    duration: minutes,
    remind: (raw) => moment(raw, MORNING),
    interval: minutes,
    times: anyInteger,
    'remind-start': (raw) => moment(raw, MORNING),
  })
  if (!values.ok) return values
  const { duration, remind, ...repeat } = values.value
  const rule = ruleOf(repeat, start)
  return rule.ok ? parseOk({ title, start, duration, remind_at: remind, rule: rule.value }) : rule
}

/** `datetime title {option}`. */
export function scheduleAdd(rest: string, moment: ReadMoment): ParseResult<Command> {
  const options = takeEventOptions(rest)
  if (!options.ok) return options
  const entry = eventEntry(options.value, options.value.text, moment)
  return entry.ok ? parseOk({ kind: 'schedule_add', entry: entry.value }) : entry
}

/** `id datetime title {option}`. */
export function scheduleUpdate(rest: string, moment: ReadMoment): ParseResult<Command> {
  const options = takeEventOptions(rest)
  if (!options.ok) return options
  const { word, rest: text } = splitFirstWord(options.value.text)
  const id = parseId(word)
  if (!id.ok) return id
  const entry = eventEntry(options.value, text, moment)
  return entry.ok ? parseOk({ kind: 'schedule_update', id: id.value, entry: entry.value }) : entry
}

/** The anchor is `YYYY-MM-DD` for day and week, `YYYY-MM` for month. Month and day may have one digit. */
function anchorOf(span: Span, raw: string): number | null {
  const shape = span === 'month' ? /^(\d{4})-(\d{1,2})$/ : /^(\d{4})-(\d{1,2})-(\d{1,2})$/
  const fields = shape.exec(raw)?.slice(1).map(Number)
  if (fields === undefined) return null
  const [year = 0, month = 0, day = 1] = fields
  return dayMinute(year, month, day)
}

/** `day|week|month [anchor]`. */
export function scheduleView(rest: string): ParseResult<Command> {
  const { word, rest: raw } = splitFirstWord(collapseSpaces(rest))
  const span = SPANS.find((name) => name === word.toLowerCase())
  if (span === undefined) return parseProblem({ about: 'form' })
  if (raw === '') return parseOk({ kind: 'schedule_view', span, anchor: null })
  const anchor = anchorOf(span, raw)
  return anchor === null ? parseProblem({ about: 'anchor' }) : parseOk({ kind: 'schedule_view', span, anchor })
}

/** `id on|off`. */
export function scheduleRepeat(rest: string): ParseResult<Command> {
  const { word, rest: state } = splitFirstWord(collapseSpaces(rest))
  const id = parseId(word)
  if (!id.ok) return id
  const lower = state.toLowerCase()
  if (lower !== 'on' && lower !== 'off') return parseProblem({ about: 'form' })
  return parseOk({ kind: 'schedule_repeat', id: id.value, enabled: lower === 'on' })
}
