/** Writes the slash commands of intents with complete details (requirements 2.2), and reads parts of them back. */
import { minutesOf, momentOf, stampOf, type Moment } from '../time/clock.ts'
import type { Details } from '../goal/details.ts'

/** Text for a command; words that look like an option are changed, so that no text can set one. */
export const plainText = (text: string) =>
  text
    .replace(/(^|\s)-{2,}(?=\S)/gu, '$1–')
    .replace(/\s+/gu, ' ')
    .trim()

const option = (name: string, value: string | number | null) => (value === null ? '' : ` --${name} ${value}`)

/** A tag is one word without `#`. */
const tagOf = (tag: string | null) => tag?.replace(/^#+/u, '') ?? null

/** The time of the reminder for something at `at`: some minutes before, at a named time, or (`nudge`) at that very moment. */
function remindAt(details: Details, at: Moment | null, nudge: boolean): string | null {
  if (at === null) return null
  if (details.remind !== null) return details.remind.length > 5 ? details.remind : `${at.date} ${details.remind}`
  if (details.before !== null) return stampOf(momentOf(minutesOf(at.date, at.time) - details.before))
  return nudge ? stampOf(at) : null
}

export const momentIn = ({ date, time }: Details): Moment | null =>
  date !== null && time !== null ? { date, time } : null

export function todoCommand(subject: string, details: Details, nudge: boolean): string {
  const due = momentIn(details)
  return [
    `/todo add ${plainText(subject)}`,
    option('tag', tagOf(details.tag)),
    option('priority', details.priority),
    option('due', due && stampOf(due)),
    option('remind', remindAt(details, due, nudge)),
  ].join('')
}

export function eventCommand(subject: string, start: Moment, details: Details): string {
  const { interval } = details
  const times = interval !== null && details.times !== null && details.times >= 2 ? details.times : null
  return [
    `/schedule add ${stampOf(start)} ${plainText(subject)}`,
    option('duration', details.duration),
    option('interval', interval),
    option('times', times),
    option('remind', remindAt(details, start, false)),
  ].join('')
}

const EVENT = /^\/schedule add (\d{4}-\d\d-\d\d) (\d\d:\d\d) (.*)$/u
export function startIn(command: string): Moment | null {
  const [, date, time] = EVENT.exec(command) ?? []
  return date !== undefined && time !== undefined ? { date, time } : null
}

/** The same event with another start; its reminder moves with it. */
export function moveEvent(command: string, start: Moment): string {
  const old = startIn(command)
  if (!old) return command
  const shift = minutesOf(start.date, start.time) - minutesOf(old.date, old.time)
  const rest = (EVENT.exec(command)?.[3] ?? '').replace(
    /--remind (\d{4}-\d\d-\d\d) (\d\d:\d\d)/u,
    (_, date: string, time: string) => `--remind ${stampOf(momentOf(minutesOf(date, time) + shift))}`,
  )
  return `/schedule add ${stampOf(start)} ${rest}`
}
