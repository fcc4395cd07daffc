/** Turns the words of one request into a draft of its intent. Dates that other parts may provide stay open. */
import type { Moment } from '../time/clock.ts'
import { readDetails, type Details } from './details.ts'
import type { Aim, RefusalReason } from './aims.ts'
import { subjectOf, type Intent, type PointedIntent } from './intents.ts'
import { deedOf } from '../manners/deeds.ts'
import { splitException, unusedOfCalendar, unusedOfTodos } from '../manners/filters.ts'
import { saysRepeat } from '../time/repeats.ts'
import * as en from './verbs-en.ts'
import * as zh from './verbs-zh.ts'

/** `vague`: the usual hour for `tomorrow morning`, used where an exact hour is not needed. */
export interface IntentDraft {
  intent: Intent
  vague: string | null
  /** The part of the goal that it was read from. */
  said?: string
}
/** Reads what a rule has matched. It returns null when the request is of another kind after all. */
type Read = (match: string[], text: string, now: Moment) => IntentDraft[] | null
export type Rule = [RegExp, Read]

export const plainRequest = (intent: Intent): IntentDraft[] => [{ intent, vague: null }]
export const isEmptySubject = (text: string) => text === '' || en.isEmptySubjectEn(text) || zh.isEmptySubjectZh(text)
const subjectOrNull = (text: string) => (isEmptySubject(text) ? null : subjectOf(text))

const BOUND_TO = /^(?:to\s+|about\s+|of\s+|for\s+|that\s+|:\s*|，|,|:|：)+/iu

/** Drafts a todo. A repetition becomes an event instead, because a todo does not repeat. */
export function todoOf(text: string, now: Moment, nudge = false, more: Partial<Details> = {}): IntentDraft[] {
  if (saysRepeat(text)) {
    const draft = eventOf(text, now)
    const details = draft[0]?.intent.kind === 'event' ? draft[0].intent.details : null
    if (details && (details.interval !== null || details.odd !== null)) {
      if (nudge && details.before === null) details.before = 0
      return draft
    }
  }
  const { details, vague, rest } = readDetails(text, now, false)
  const subject = subjectOrNull(rest.replace(BOUND_TO, ''))
  return [{ intent: { kind: 'todo', nudge, offered: false, subject, details: { ...details, ...more } }, vague }]
}

/** An errand that is asked for without a word of a list. What would have to be sent is only offered as a todo, since nothing can send it. */
export function errandOf(text: string, deed: string, now: Moment): IntentDraft[] {
  const offered = deedOf(deed) === 'message'
  return todoOf(text, now).map(({ intent, vague }) => ({
    intent: intent.kind === 'todo' ? { ...intent, offered } : intent,
    vague,
  }))
}

/** What the groups of a rule hold, together. */
const wordsOf = ([, ...groups]: string[]) => groups.join(' ')

export const asTodo: Read = (match, _, now) => todoOf(wordsOf(match), now)
export const asEvent: Read = (match, _, now) => eventOf(wordsOf(match), now)

export function eventOf(text: string, now: Moment, booked = false): IntentDraft[] {
  const { details, vague, rest } = readDetails(text, now, true)
  const subject = subjectOrNull(rest.replace(BOUND_TO, '').replace(/^(?:an?|the|my)\s+(?=\S)/iu, ''))
  const title = subject !== null && readDetails(subject, now, true).rest === '' ? null : subject
  return [{ intent: { kind: 'event', booked, subject: title, details }, vague }]
}

type PointedKind = PointedIntent['kind']
/** Makes one draft for each id: `3`, `3 and 4`, `3、4`. */
export const asIds =
  (kind: PointedKind): Read =>
  (match) =>
    (wordsOf(match).match(/\d{1,9}/gu) ?? [])
      .slice(0, 20)
      .map((id) => ({ intent: { kind, id: Number(id), subject: null, date: null, time: null }, vague: null }))

const EVERYTHING =
  /^(?:all|every|each|everything|both)\b|^(?:my\s+|the\s+)?(?:whole|entire)\b|^(?:所有|全部|一切)|(?:全部|所有)$/iu
/** Drafts for the entry that `text` describes; its dates say when the entry is. A request for all entries at once is refused. */
export function bySubject(kind: PointedKind, text: string, now: Moment): IntentDraft[] | null {
  if (EVERYTHING.test(text.trim())) return refusal(text, 'all')
  const aim = aimOf(text, now)
  if (!aim) return null
  return plainRequest({ kind, ...aim, ...(kind === 'finish' ? { date: null, time: null } : {}) })
}
export const asSubject =
  (kind: PointedKind): Read =>
  (match, _, now) =>
    bySubject(kind, wordsOf(match), now)

export const asFind: Read = (match) => {
  const subject = wordsOf(match)
  return subject.trim() === '' ? null : plainRequest({ kind: 'find', subject: subjectOf(subject) })
}

export const refusal = (text: string, why: RefusalReason): IntentDraft[] =>
  plainRequest({ kind: 'refuse', subject: subjectOf(text) || '?', why })

/** Reads a reference to an entry: `tomorrow's lunch with Anna`, `明天的会议`, `#3`; null when there is none. */
export function aimOf(text: string, now: Moment): Aim | null {
  const id =
    /^(?:(?:event|todo|to-do|task|appointment|meeting|日程|待办|任务|会议)\s*)?(?:#|编号|第)?\s*(\d{1,9})\s*(?:号|条|个|项)?$/iu.exec(
      text.trim(),
    )
  if (id) return { id: Number(id[1]), subject: null, date: null, time: null }
  const { details, rest } = readDetails(text, now, false)
  const bare = rest
    .replace(/^(?:'s\s+|的|(?:my|the|our|an?)(?:\s+|$))+/iu, '')
    .replace(/(?:的|'s)$/u, '')
    .trim()
  const subject = subjectOrNull(bare)
  const own = subject ?? (isEmptySubject(bare) && (details.date ?? details.time) !== null ? null : undefined)
  return own === undefined ? null : { id: null, subject: own, date: details.date, time: details.time }
}

const QUERY_LEAD =
  /^(?:(?:on|in)?\s*(?:the\s+)?(?:web|internet|net|google|wikipedia)\b|online\b|for\b|about\b|on\b|up\b|the answer to\b|information (?:on|about)\b|[:,：，]|一下|下|有关|关于|网上)\s*/iu
const QUERY_TAIL =
  /(?:\s+(?:on(?:\s+the)?\s+(?:web|internet|net|google|wikipedia)|online)|[\s.?!。？！]+|的(?:信息|资料|内容))$/iu
export function lookupOf(text: string): IntentDraft[] {
  let query = text.trim()
  for (let before = ''; before !== query;) {
    before = query
    query = query.replace(QUERY_LEAD, '').replace(QUERY_TAIL, '').trim()
  }
  return plainRequest({ kind: 'lookup', subject: subjectOrNull(query) })
}

export const asLookup: Read = (match) => lookupOf(wordsOf(match))

/** Applies the first rule that matches and does not return null. */
export function firstOf(rules: Rule[], text: string, now: Moment): IntentDraft[] | null {
  for (const [pattern, read] of rules) {
    const match = pattern.exec(text)
    const drafts = match
      ? read(
          [...match].map((group) => (group as string | undefined) ?? ''),
          text,
          now,
        )
      : null // a group that took no part is undefined
    if (drafts !== null && drafts.length > 0) return drafts
  }
  return null
}

/** The todo view that a question names, else null. */
function todoViewIn(text: string): string | null {
  if (/\boverdue\b|\blate\b|逾期|过期|超期/iu.test(text)) return 'overdue'
  if (/\btoday\b|今天|今日/iu.test(text)) return 'today'
  if (/\bupcoming\b|\bthis week\b|\bnext (?:7|seven) days\b|\bcoming\b|即将|未来|接下来|近期|这周|本周/iu.test(text))
    return 'upcoming'
  return /\binbox\b|\bwithout (?:a )?(?:due )?date\b|\bno due date\b|收件箱|没有(?:截止)?(?:日期|时间)|无日期/iu.test(
    text,
  )
    ? 'inbox'
    : null
}
const TAG =
  /#([\p{L}\p{N}_-]{1,40})|\b(?:tag|tagged)\s+(?:with\s+)?#?([\p{L}\p{N}_-]{1,40})|标签(?:为|是)?\s*#?([\p{L}\p{N}_-]{1,40}?)(?=的|\s|$)/iu
export function listOf(text: string): IntentDraft[] {
  const { kept, exception } = splitException(text)
  const tag = TAG.exec(kept)
  const word = tag?.[1] ?? tag?.[2] ?? tag?.[3] ?? null
  const used = { view: todoViewIn(kept), tag: word?.toLowerCase() ?? null }
  return plainRequest({ kind: 'list', ...used, unused: unusedOfTodos(kept, used, exception) })
}

export const asList: Read = (_, text) => listOf(text)

/** Drafts for a day, a week or a month of the calendar, or for the list of near events. */
export const asAgenda: Read = (_, text, now) => {
  const { details, vague } = readDetails(text, now, false)
  const day = details.date ?? (details.time === null && vague === null ? null : now.date)
  const weekly = /\bweek\b(?!end)|(?:[这本下]|一|个)(?:周|星期|礼拜)(?!末|[一二三四五六天]|日(?!程))/iu.test(text)
  const monthly = /\bmonth\b|[这本下]个?月(?!底|[\d一二三四五六七八九十])/iu.test(text)
  const span = weekly ? 'week' : monthly ? 'month' : day === null ? 'list' : 'day'
  const ahead = /下个?月/u.test(text) ? nextMonth(now.date) : null
  const date = ahead ?? day ?? now.date
  const anchor = span === 'list' ? null : span === 'month' ? date.slice(0, 7) : date
  return plainRequest({ kind: 'agenda', span, anchor, unused: unusedOfCalendar(text) })
}
function nextMonth(date: string): string {
  const [year = 0, month = 0] = date.split('-').map(Number)
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
}
