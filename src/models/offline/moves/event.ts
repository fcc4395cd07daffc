/** The moves of a new event. One question asks for each missing detail and for each conflict; without a time the event becomes a todo. */
import { isPast, minutesOf, plusDays, stampOf, type Moment } from '../time/clock.ts'
import { DAY_MINUTES } from '../../../core/terms/plain/minutes.ts'
import { eventCommand, momentIn, moveEvent, startIn, todoCommand } from './commands.ts'
import { readWhen } from '../time/dates.ts'
import type { Details } from '../goal/details.ts'
import { forward } from '../goal/goal.ts'
import type { Intent } from '../goal/intents.ts'
import {
  actsOf,
  ask,
  askFor,
  endDone,
  firstLine,
  readAnswer,
  notDone,
  failureLine,
  type IntentItem,
  type IntentMove,
  type AskResult,
} from './item.ts'
import { isLeftOver } from '../manners/left-over.ts'
import { minutesIn } from '../time/numbers.ts'
import { lengthIn, likelyLength, likelyTime, unlikelyAnswer } from './likely.ts'
import { takeRepeat } from '../time/repeats.ts'
import { eventOf } from '../goal/requests.ts'
import { stripPolite } from '../goal/split.ts'
import { wordsOf } from '../texts.ts'

type EventIntent = Extract<Intent, { kind: 'event' }>
/** One step towards a complete event: the details with one more of them settled. */
type EventStep = AskResult<Details>
/** The most starts that are tried before giving up on a taken time. */
export const TRIES_MAX = 4
const LENGTH_DEFAULT = 60

export function moveForEvent(intent: EventIntent, item: IntentItem): IntentMove {
  const words = wordsOf(item.locale)
  const attempts = actsOf(item, 'schedule', '/schedule add')
  const known = subjectFor(intent, item)
  if (attempts.length > 0) return afterTry(intent, 'move' in known ? item.title : known.value.subject, item)
  if ('move' in known) return known.move
  const { subject } = known.value
  const noted = actsOf(item, 'todo', '/todo add').at(-1)
  if (noted)
    return noted.ok
      ? endDone(item, `${firstLine(noted.result)} ${words.asTodo}`)
      : notDone(item, failureLine(noted.result))
  const steps = [startFor, notPast, settleInterval, settleUntil, lengthFor(intent.booked), likelyLength]
  let { details } = known.value
  for (const step of steps) {
    const settled = step(subject, details, item)
    if ('move' in settled) return settled.move
    details = settled.value
  }
  const start = momentIn(details)
  return start
    ? { kind: 'act', tool: 'schedule', input: eventCommand(subject, start, details) }
    : notDone(item, words.noTime)
}

function subjectFor(intent: EventIntent, item: IntentItem): AskResult<{ subject: string; details: Details }> {
  if (intent.subject !== null && !isLeftOver(intent.subject))
    return { value: { subject: intent.subject, details: intent.details } }
  const words = wordsOf(item.locale)
  const start = momentIn(intent.details)
  const question = words.what('event', start ? stampOf(start) : intent.details.date)
  return askFor(item, question, words.noSubject, (answer) => {
    const answered = eventOf(stripPolite(answer), item.now)[0]?.intent
    if (answered?.kind !== 'event' || answered.subject === null || isLeftOver(answered.subject)) return null
    return { subject: answered.subject, details: mergeDetails(intent.details, answered.details) }
  })
}

/** Fills the open details of `own` from `more`. */
export function mergeDetails(own: Details, more: Details): Details {
  const pick = <K extends keyof Details>(key: K): Details[K] => own[key] ?? more[key]
  return {
    ...own,
    date: pick('date'),
    time: pick('time'),
    duration: pick('duration'),
    unlikely_length: pick('unlikely_length'),
    unlikely_time: pick('unlikely_time'),
    interval: pick('interval'),
    odd: pick('odd'),
    times: pick('times'),
    until: pick('until'),
    before: pick('before'),
    remind: pick('remind'),
  }
}

/** Settles a time that does not exist, then what is missing. */
function startFor(subject: string, details: Details, item: IntentItem): EventStep {
  const likely = likelyTime(subject, details, item)
  return 'move' in likely ? likely : whenFor(subject, likely.value, item)
}

/** Settles the date, then the time, with at most one question each; without them the wish becomes a todo. */
function whenFor(subject: string, details: Details, item: IntentItem): EventStep {
  const words = wordsOf(item.locale)
  const known = forward(details, item.now)
  if (momentIn(known)) return { value: known }
  const question = known.date === null ? words.whenEvent(subject) : words.timeOf(subject, known.date)
  const reading = readAnswer(item, question, (answer) => {
    const answerIntent = eventOf(answer, item.now)[0]?.intent
    const more = answerIntent?.kind === 'event' ? mergeDetails(known, answerIntent.details) : known
    const { date, time, unlikely_time } = more
    return date !== known.date || time !== known.time || unlikely_time !== known.unlikely_time ? more : null
  })
  if (reading.kind === 'open') return { move: ask(question) }
  if (reading.kind === 'known') return startFor(subject, reading.value, item)
  if (reading.skip) return { move: notDone(item, words.skipped) }
  const due = known.date === null ? known : { ...known, time: '18:00' }
  const command = todoCommand(subject, { ...due, before: null, remind: null }, false)
  return { move: { kind: 'act', tool: 'todo', input: command } }
}

const KEEP = /\b(?:keep|as it is|yes)\b|保留|照旧|原样|就这样/iu
export function notPast(subject: string, details: Details, item: IntentItem): EventStep {
  const start = momentIn(details)
  // An event of the whole current day is not past, although it began at midnight.
  const allDay = details.duration === DAY_MINUTES && details.date === item.now.date
  if (!start || allDay || !isPast(start.date, start.time, item.now)) return { value: details }
  const words = wordsOf(item.locale)
  const question = words.past(subject, stampOf(start))
  return askFor(item, question, words.noTime, (answer) => {
    const moved = KEEP.test(answer) ? start : otherStart(answer, start, item.now, item.now.date)
    return moved && { ...details, ...moved }
  })
}

/** Reads another start from an answer; a missing time is that of the old start, a missing date is `date`. */
export function otherStart(answer: string, old: Moment, now: Moment, date: string): Moment | null {
  const when = readWhen(answer, now)
  if (!when || (when.date === null && when.time === null)) return null
  return { date: when.date ?? date, time: when.time ?? old.time }
}

/** A repetition by months, years or working days becomes one by days, or none. */
function settleInterval(subject: string, details: Details, item: IntentItem): EventStep {
  if (details.odd === null) return { value: details }
  const question = wordsOf(item.locale).odd(subject, details.odd)
  const reading = readAnswer(item, question, (answer) => {
    const repeat = { interval: null, odd: null }
    takeRepeat(answer, repeat)
    return repeat.interval ?? minutesIn(answer)
  })
  if (reading.kind === 'open') return { move: ask(question) }
  const interval = reading.kind === 'known' && reading.value >= 1440 ? reading.value : null
  return { value: { ...details, odd: null, interval, times: interval === null ? null : details.times } }
}

/** Turns the last day of a repetition into a number of times, because the commands know no other end. */
function settleUntil(_: string, details: Details, item: IntentItem): EventStep {
  const start = momentIn(details)
  const { until, interval } = details
  if (until === null || !start || interval === null) return { value: { ...details, until: null } }
  const room = endOf(until, start) - minutesOf(start.date, start.time)
  if (room < 0) return { move: notDone(item, wordsOf(item.locale).endsBefore) }
  const times = Math.floor(room / interval) + 1
  return { value: { ...details, until: null, ...(times < 2 ? { interval: null, times: null } : { times }) } }
}

/** The last minute of the end: a day counts as a whole, and an hour alone is the next one after the start. */
function endOf(until: string, start: Moment): number {
  const [date = '', time] = until.includes('-') ? until.split(' ') : ['', until]
  if (date === '')
    return minutesOf(time !== undefined && time > start.time ? start.date : plusDays(start.date, 1), time)
  return time === undefined ? minutesOf(plusDays(date, 1)) - 1 : minutesOf(date, time)
}

/** Settles the length of a booked appointment: 60 minutes when the answer names none. A length that no event has is asked about next. */
const lengthFor =
  (booked: boolean) =>
  (subject: string, details: Details, item: IntentItem): EventStep => {
    const start = momentIn(details)
    if (!booked || details.duration !== null || details.unlikely_length !== null || !start) return { value: details }
    const question = wordsOf(item.locale).howLong(subject, stampOf(start))
    const lengthOf = lengthIn(item.now)
    const reading = readAnswer(item, question, (answer) => lengthOf(answer) ?? unlikelyAnswer(answer))
    if (reading.kind === 'open') return { move: ask(question) }
    const said = reading.kind === 'known' ? reading.value : LENGTH_DEFAULT
    return {
      value: typeof said === 'string' ? { ...details, unlikely_length: said } : { ...details, duration: said },
    }
  }

export const CONFLICT = /conflict|overlap|冲突|重叠/iu
function afterTry(intent: EventIntent, subject: string, item: IntentItem): IntentMove {
  const words = wordsOf(item.locale)
  const attempts = actsOf(item, 'schedule', '/schedule add')
  const last = attempts.at(-1)
  const start = startIn(last?.input ?? '')
  if (!last || !start) return notDone(item, words.noTime)
  if (last.ok)
    return endDone(item, intent.booked ? `${firstLine(last.result)} ${words.onlyCalendar}` : firstLine(last.result))
  if (!CONFLICT.test(last.result)) return notDone(item, failureLine(last.result))
  if (attempts.length >= TRIES_MAX) return notDone(item, words.stillTaken)
  const free = askFreeStart(subject, start, last.result, item)
  if ('move' in free) return free.move
  const again = attempts.some(({ input }) => minutesAt(startIn(input)) === minutesAt(free.value))
  return again
    ? notDone(item, words.stillTaken)
    : { kind: 'act', tool: 'schedule', input: moveEvent(last.input, free.value) }
}

/** Asks for another start where `start` is taken, as the report of the conflict says. */
export function askFreeStart(subject: string, start: Moment, report: string, item: IntentItem): AskResult<Moment> {
  const words = wordsOf(item.locale)
  const question = words.conflict(subject, stampOf(start), overlapIn(report))
  return askFor(item, question, words.stillTaken, (answer) => otherStart(answer, start, item.now, start.date))
}
export const minutesAt = (moment: Moment | null) => (moment ? minutesOf(moment.date, moment.time) : null)

/** The first event that the report of a conflict names. */
function overlapIn(result: string): string {
  const line = result.split('\n').find((text, index) => index > 0 && /\d/u.test(text)) ?? result
  return firstLine(line.replace(/^[\s|*•-]+|[\s|]+$/gu, '').replace(/\s*\|\s*/gu, ' '))
}
