/** Asks for the length or the time of an entry where the text has one that cannot be meant (U63). */
import { isLikelyMinutes, unlikelyLengthIn } from '../manners/unlikely.ts'
import { readDetails, type Details } from '../goal/details.ts'
import { forward } from '../goal/goal.ts'
import { readWhen } from '../time/dates.ts'
import { minutesIn } from '../time/numbers.ts'
import type { Moment } from '../time/clock.ts'
import { askFor, type AskResult, type IntentItem } from './item.ts'
import { wordsOf } from '../texts.ts'

/** Settles a time that does not exist. What the answer leaves open stays as the request has it. */
export function likelyTime(subject: string, details: Details, item: IntentItem): AskResult<Details> {
  const { unlikely_time } = details
  if (unlikely_time === null) return { value: details }
  const words = wordsOf(item.locale)
  return askFor(item, words.oddTime(subject, unlikely_time), words.badTime(unlikely_time), (answer) => {
    const said = readDetails(answer, item.now, true).details
    if (said.unlikely_time !== null || (said.date === null && said.time === null)) return null
    const [date, time] = [said.date ?? details.date, said.time ?? details.time]
    return forward({ ...details, date, time, unlikely_time: null }, item.now)
  })
}

/** Settles a length that no event has. A title that a person wrote may hold such a number of minutes, too. */
export function likelyLength(subject: string, details: Details, item: IntentItem): AskResult<Details> {
  const { duration, unlikely_length } = details
  const written = unlikely_length ?? unlikelyMinutes(duration)
  if (written === null) return { value: details }
  const words = wordsOf(item.locale)
  const asked = askFor(item, words.oddLength(subject, written), words.badLength(written), lengthIn(item.now))
  return 'move' in asked ? asked : { value: { ...details, duration: asked.value, unlikely_length: null } }
}

/** null: an event may last that long. */
const unlikelyMinutes = (minutes: number | null): string | null =>
  minutes === null || isLikelyMinutes(minutes) ? null : `${minutes} min`

const ANY_LENGTH = { interval: null, odd: null }
/** The length that an answer names, also as a time from one hour to another; null: none that an event may have. */
export const lengthIn =
  (now: Moment) =>
  (answer: string): number | null => {
    if (unlikelyLengthIn(answer, ANY_LENGTH) !== null) return null
    const minutes = minutesIn(answer) ?? readWhen(answer, now)?.length ?? null
    return minutes !== null && isLikelyMinutes(minutes) ? minutes : null
  }

/** The length of an answer that no event has; null: the answer has none. */
export const unlikelyAnswer = (answer: string): string | null =>
  unlikelyLengthIn(answer, ANY_LENGTH)?.words ?? unlikelyMinutes(minutesIn(answer))
