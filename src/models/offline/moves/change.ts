/**
 * The moves of a change: find the entry, read the whole of it, write it back with the change. An update replaces what it names and drops a
 * repetition that it does not name, so everything else is written again.
 */
import type { EntryChange, Target } from '../goal/aims.ts'
import { isPast, minutesOf, momentOf, stampOf, type Moment } from '../time/clock.ts'
import { plainText } from './commands.ts'
import { NO_DETAILS } from '../goal/details.ts'
import {
  actsOf,
  askFor,
  endDone,
  firstLine,
  notDone,
  failureLine,
  type IntentItem,
  type IntentMove,
  type AskResult,
} from './item.ts'
import { locate, searchFor, toolOf } from './locate.ts'
import { CONFLICT, TRIES_MAX, askFreeStart, minutesAt, notPast, otherStart } from './event.ts'
import { likelyLength } from './likely.ts'
import { readEntries, type EntryRow } from './tables.ts'
import { wordsOf } from '../texts.ts'

const KINDS = { event: ['event'], todo: ['todo'], any: ['event', 'todo'] } as const
const DAY_END = '18:00'
const momentFrom = (stamp: string): Moment => ({ date: stamp.slice(0, 10), time: stamp.slice(11, 16) })
const minutesFrom = ({ date, time }: Moment) => minutesOf(date, time)
const shiftStamp = (stamp: string, minutes: number) => stampOf(momentOf(minutesFrom(momentFrom(stamp)) + minutes))

/** The first action of a change, which shows which observations belong to it. */
export function openingOfChange(intent: EntryChange): { tool: string; input: string } {
  const [kind] = KINDS[intent.what]
  const input = intent.id === null || intent.what === 'any' ? searchFor(kind, intent) : detailCommand(kind, intent.id)
  return { tool: toolOf(kind), input }
}
const detailCommand = (kind: EntryRow['kind'], id: number) => `/${toolOf(kind)} get ${id}`

export function moveForChange(intent: EntryChange, item: IntentItem): IntentMove {
  if (intent.id === null && intent.subject === null && intent.date === null && intent.time === null)
    return notDone(item, wordsOf(item.locale).noSubject)
  const found = intent.id === null || intent.what === 'any' ? locate(KINDS[intent.what], intent, true, item) : null
  if (found && 'move' in found) return found.move
  // The list shows occurrences of a repetition; only the details of the event show its own start.
  if (found && found.value.interval === null) return changeEntry(found.value, intent.to, item)
  const kind = found?.value.kind ?? KINDS[intent.what][0]
  const id = found?.value.id ?? intent.id ?? 0
  const tool = toolOf(kind)
  const input = detailCommand(kind, id)
  const seen = actsOf(item, tool).findLast((act) => act.input === input)
  if (!seen) return { kind: 'act', tool, input }
  const row = readEntries(kind, seen.result).find((entry) => entry.id === id)
  return seen.ok && row ? changeEntry(row, intent.to, item) : notDone(item, failureLine(seen.result))
}
const changeEntry = (row: EntryRow, to: Target, item: IntentItem) =>
  row.kind === 'todo' ? changeTodo(row, to, item) : changeEvent(row, to, item)

/** Whether the target is still unknown, so that a question must ask for it. */
const isSilent = ({ date, time, open, duration, by, priority, name }: Target) =>
  open || [date, time, duration, by, priority, name].every((value) => value === null)
const option = (name: string, value: string | number | null) => (value === null ? '' : ` --${name} ${value}`)

function changeTodo(row: EntryRow, to: Target, item: IntentItem): IntentMove {
  const words = wordsOf(item.locale)
  const tried = actsOf(item, 'todo', `/todo update ${row.id} `).at(-1)
  if (tried) return tried.ok ? endDone(item, firstLine(tried.result)) : notDone(item, failureLine(tried.result))
  if (to.duration !== null) return notDone(item, words.refused.change)
  const wanted = targetFor(row, to, item)
  if ('move' in wanted) return wanted.move
  const due = dueOf(row, wanted.value, item)
  if (due === null && wanted.value.by !== null) return notDone(item, words.noDue(row.text))
  const [old] = row.times
  const remind =
    due !== null && old !== undefined && row.remind !== null
      ? shiftStamp(row.remind, minutesFrom(momentFrom(due)) - minutesFrom(momentFrom(old)))
      : null
  const text = wanted.value.name === null ? row.text : plainText(wanted.value.name)
  return {
    kind: 'act',
    tool: 'todo',
    input: `/todo update ${row.id} ${text}${option('priority', to.priority)}${option('due', due)}${option('remind', remind)}`,
  }
}

/** The new due time; null when it stays. A missing part is taken from the old due time, else it is the next such time, or the end of the day. */
function dueOf(row: EntryRow, { date, time, by }: Target, { now }: IntentItem): string | null {
  const [old] = row.times
  if (by !== null) return old === undefined ? null : shiftStamp(old, by)
  if (date === null && time === null) return null
  const kept = old === undefined ? null : momentFrom(old)
  const hour = time ?? kept?.time ?? DAY_END
  const next = isPast(now.date, hour, now) ? momentOf(minutesOf(now.date) + 1440).date : now.date
  return stampOf({ date: date ?? kept?.date ?? next, time: hour })
}

/** A change without a target is a move; one question asks for the new time. */
function targetFor(row: EntryRow, to: Target, item: IntentItem): AskResult<Target> {
  if (!isSilent(to)) return { value: to }
  const words = wordsOf(item.locale)
  const question = to.date === null ? words.whereTo(row.text) : words.timeOf(row.text, to.date)
  const old = momentFrom(row.times[0] ?? `${item.now.date} ${DAY_END}`)
  return askFor(item, question, words.noTime, (answer) => {
    const start = otherStart(answer, old, item.now, to.date ?? old.date)
    return start && { ...to, ...start }
  })
}

function changeEvent(row: EntryRow, to: Target, item: IntentItem): IntentMove {
  const words = wordsOf(item.locale)
  const tried = actsOf(item, 'schedule', `/schedule update ${row.id} `)
  const last = tried.at(-1)
  if (last) return afterUpdate(row, tried, item)
  if (to.priority !== null) return notDone(item, words.refused.change)
  const wanted = targetFor(row, to, item)
  if ('move' in wanted) return wanted.move
  const length = lengthFor(row, wanted.value.duration, item)
  if ('move' in length) return length.move
  const target = { ...wanted.value, duration: length.value }
  const old = momentFrom(row.times[0] ?? '')
  const start =
    target.by === null
      ? { date: target.date ?? old.date, time: target.time ?? old.time }
      : momentOf(minutesFrom(old) + target.by)
  if (row.interval !== null && target.by === null && start.date !== old.date)
    return notDone(item, words.series(row.text))
  const moved = start.date !== old.date || start.time !== old.time
  if (!moved || row.interval !== null) return update(row, start, target)
  const settled = notPast(row.text, { ...NO_DETAILS, ...start }, item)
  if ('move' in settled) return settled.move
  const { date, time } = settled.value
  return update(row, { date: date ?? start.date, time: time ?? start.time }, target)
}

/** A new length that no event has is asked about. */
function lengthFor(row: EntryRow, duration: number | null, item: IntentItem): AskResult<number | null> {
  const settled = likelyLength(row.text, { ...NO_DETAILS, duration }, item)
  return 'move' in settled ? settled : { value: settled.value.duration }
}

function update(row: EntryRow, start: Moment, { name, duration }: Target): IntentMove {
  const shift = minutesFrom(start) - minutesFrom(momentFrom(row.times[0] ?? ''))
  const along = (stamp: string | null) => (stamp === null || shift === 0 ? null : shiftStamp(stamp, shift))
  const input = [
    `/schedule update ${row.id} ${stampOf(start)} ${name === null ? row.text : plainText(name)}`,
    option('duration', duration),
    option('interval', row.interval),
    option('times', row.interval === null ? null : row.count),
    option('remind', along(row.remind)),
    option('remind-start', row.interval === null ? null : along(row.remindStart)),
  ].join('')
  return { kind: 'act', tool: 'schedule', input }
}

type LastObservation = IntentItem['observations'][number]
const START = /^(\/schedule update \d+ )(\d{4}-\d\d-\d\d) (\d\d:\d\d)(.*)$/u

function afterUpdate(row: EntryRow, tried: LastObservation[], item: IntentItem): IntentMove {
  const words = wordsOf(item.locale)
  const last = tried.at(-1)
  const [, , date = '', time = ''] = START.exec(last?.input ?? '') ?? []
  if (!last || date === '') return notDone(item, words.noTime)
  if (last.ok) return afterSuccess(row, last, item)
  if (!CONFLICT.test(last.result)) return notDone(item, failureLine(last.result))
  if (tried.length >= TRIES_MAX) return notDone(item, words.stillTaken)
  const free = askFreeStart(row.text, { date, time }, last.result, item)
  if ('move' in free) return free.move
  const start = free.value
  if (row.interval !== null && start.date !== date) return notDone(item, words.series(row.text))
  const again = tried.some(({ input }) => minutesAt(startOf(input)) === minutesAt(start))
  return again ? notDone(item, words.stillTaken) : { kind: 'act', tool: 'schedule', input: movedTo(last.input, start) }
}

const startOf = (input: string): Moment | null => {
  const match = START.exec(input)
  return match ? { date: match[2] ?? '', time: match[3] ?? '' } : null
}

/** The same update with another start; its reminders move with it. */
function movedTo(input: string, start: Moment): string {
  const [, head = '', date = '', time = '', tail = ''] = START.exec(input) ?? []
  const shift = minutesFrom(start) - minutesOf(date, time)
  const rest = tail.replace(
    /--(remind|remind-start) (\d{4}-\d\d-\d\d \d\d:\d\d)/gu,
    (_, name: string, stamp: string) => `--${name} ${shiftStamp(stamp, shift)}`,
  )
  return `${head}${stampOf(start)}${rest}`
}

/** An update switches a repetition on again, so one that was off is switched off once more. */
function afterSuccess(row: EntryRow, last: LastObservation, item: IntentItem): IntentMove {
  const line = firstLine(last.result)
  if (row.interval === null) return endDone(item, line)
  const off = `/schedule repeat ${row.id} off`
  const seen = actsOf(item, 'schedule', off).at(-1)
  if (row.off && !seen) return { kind: 'act', tool: 'schedule', input: off }
  if (seen && !seen.ok) return endDone(item, `${line} ${failureLine(seen.result)}`)
  return endDone(item, `${line} ${wordsOf(item.locale).wholeSeries}`)
}
