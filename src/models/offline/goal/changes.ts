/** The shared parts of both languages that read a change: its target, and the entry that is meant. */
import { NO_TARGET, type EntryChange, type Target } from './aims.ts'
import type { Moment } from '../time/clock.ts'
import { readDetails } from './details.ts'
import { subjectOf } from './intents.ts'
import { isLeftOver } from '../manners/left-over.ts'
import { minutesIn } from '../time/numbers.ts'
import { aimOf, plainRequest, refusal, type IntentDraft } from './requests.ts'
import { namesEventEn } from './verbs-en.ts'
import { namesEventZh } from './verbs-zh.ts'

type What = EntryChange['what']
/** The longest text that is kept of an entry and of its new name, because a title holds both. */
const NAME_MAX = 120
const nameOf = (text: string) => [...subjectOf(text)].slice(0, NAME_MAX).join('').trim()

const TODO_WORD =
  /^(?:(?:the|my)\s+)?(?:to-?do|task|reminder)\b(?:\s+item)?(?:\s+(?:called|named|to))?\s*:?\s*(?=\S)|^(?:我的)?(?:待办(?:事项)?|任务)(?:里的?|中的?|:)?(?=.)/iu
const EVENT_WORD =
  /^(?:(?:the|my)\s+)?(?:event|calendar\s+(?:entry|event|item))\b(?:\s+(?:called|named))?\s*:?\s*(?=\S)|^(?:我的)?日程(?:里的?|中的?|:)?(?=.)/iu

/** The kind of entry that a text names, and the text without that word. */
export function kindIn(text: string): { what: What; rest: string; explicit: boolean } {
  if (TODO_WORD.test(text)) return { what: 'todo', rest: text.replace(TODO_WORD, ''), explicit: true }
  if (EVENT_WORD.test(text)) return { what: 'event', rest: text.replace(EVENT_WORD, ''), explicit: true }
  if (/\s(?:to-?do|task)$|(?:待办|任务)$/iu.test(text))
    return { what: 'todo', rest: text.replace(/\s(?:to-?do|task)$|(?:这个|的)?(?:待办|任务)$/iu, ''), explicit: true }
  const isEvent = namesEventEn(text) || namesEventZh(text) || /日程|安排|开会/u.test(text)
  return {
    what: isEvent ? 'event' : 'any',
    rest: text,
    explicit: /\b(?:event|appointment|meeting)\b|日程|会议/iu.test(text),
  }
}

/** Drafts a change of `subject` to `to`; null when the subject refers to no entry. */
export function changeOf(
  subject: string,
  to: Partial<Target>,
  now: Moment,
  forced: What | null = null,
): IntentDraft[] | null {
  const { what, rest } = kindIn(subject.trim())
  const aim = aimOf(rest, now)
  if (!aim) return null
  const target = { ...NO_TARGET, ...to }
  const name = target.name === null ? null : nameOf(target.name)
  if (name !== null && isLeftOver(name)) return null
  const pointed = { ...aim, subject: aim.subject === null ? null : nameOf(aim.subject) }
  return plainRequest({ kind: 'change', what: forced ?? what, ...pointed, to: { ...target, name } })
}

/** Reads a target that is only a time. `ask`: it names no day and no hour; null: it is no time. */
export function whenIn(text: string, now: Moment, usual: boolean): Partial<Target> | 'ask' | 'repeats' | null {
  const bare = text
    .trim()
    .replace(/^(?:at|on|to|until|till|for|be)\s+/iu, '')
    .replace(/(?:\s*(?:,\s*)?(?:at\s+)?(?:the\s+)?same\s+time|同一时间|\s+instead|进行|举行|开始|吧)$/iu, '')
    .replace(/^(\d{1,2})$/u, 'at $1')
  if (bare === '') return null
  const { details, vague, rest } = readDetails(bare, now, true)
  if (rest.replace(/[\s,，的]/gu, '') !== '') return null
  const { date, time, duration, interval, odd, before, unlikely_length } = details
  if (before !== null || unlikely_length !== null) return null
  if (interval !== null || odd !== null) return 'repeats'
  if (time === null && vague !== null) return usual ? { date, time: vague, duration } : { date, open: true }
  return date === null && time === null && duration === null ? 'ask' : { date, time, duration }
}

/** Drafts a change of the time of `subject`; null when `to` is no time. */
export function moveOf(subject: string, to: string, now: Moment, forced: What | null = null): IntentDraft[] | null {
  const { what } = kindIn(subject.trim())
  const when = whenIn(to, now, (forced ?? what) === 'todo')
  if (when === null) return null
  if (when === 'repeats') return refusal(`${subject} ${to}`, 'change')
  return changeOf(subject, when === 'ask' ? {} : when, now, forced)
}

/** Drafts a move by a duration; `earlier` reverses its direction. */
export function shiftOf(subject: string, minutes: number, earlier: boolean, now: Moment): IntentDraft[] | null {
  return Number.isFinite(minutes) && minutes >= 1 ? changeOf(subject, { by: earlier ? -minutes : minutes }, now) : null
}

export type ChangeField = 'due' | 'when' | 'priority' | 'length' | 'name' | 'other'
/** Drafts a change of one named field. A field that is unknown or cannot be changed is refused and never taken for a new entry. */
export function fieldOf(field: ChangeField, subject: string, to: string, now: Moment, whole: string): IntentDraft[] {
  const refused = refusal(whole, 'change')
  switch (field) {
    case 'due':
      return moveOf(subject, to, now, 'todo') ?? refused
    case 'when':
      return moveOf(subject, to, now) ?? refused
    case 'priority': {
      const priority = levelIn(to)
      return (priority === null ? null : changeOf(subject, { priority }, now, 'todo')) ?? refused
    }
    case 'length': {
      const duration = minutesIn(to)
      return (duration === null ? null : changeOf(subject, { duration }, now, 'event')) ?? refused
    }
    case 'name':
      return changeOf(subject, { name: to }, now) ?? refused
    case 'other':
      return refused
  }
}

function levelIn(text: string): number | null {
  const word = text.trim().toLowerCase()
  if (/^\d{1,4}$/u.test(word)) return Number(word)
  if (/^(?:high|top|urgent|最?高)/u.test(word)) return 0
  if (/^(?:medium|normal|中)/u.test(word)) return 5
  return /^(?:low|低)/u.test(word) ? 9 : null
}
