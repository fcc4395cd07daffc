/** The English rules, in the order in which they are tried. */
import { CHANGES_EN } from './changes-en.ts'
import type { Moment } from '../time/clock.ts'
import { ALL_DAY, readDetails } from './details.ts'
import {
  asAgenda,
  asEvent,
  asFind,
  asIds,
  asList,
  asLookup,
  asSubject,
  asTodo,
  bySubject,
  errandOf,
  eventOf,
  firstOf,
  isEmptySubject,
  listOf,
  lookupOf,
  refusal,
  todoOf,
  type IntentDraft,
  type Rule,
} from './requests.ts'
import { deedOf } from '../manners/deeds.ts'
import { isErrandEn, isMeetingEn, namesEventEn } from './verbs-en.ts'

const TODO = '(?:(?:to-?\\s?do|task)\\s+(?:lists?|items?)|to-?\\s?dos?|tasks?)'
const CALENDAR = '(?:calendar|schedule|agenda|diary)'
const EVENT = '(?:events?|appointments?|meetings?|calendar\\s+(?:entry|entries|events?|items?))'
const IDS = '#?(\\d{1,9}(?:\\s*(?:,\\s*and|,|and|&)\\s*#?\\d{1,9})*)'
const SHOW =
  "(?:show|list|display|view|see|give|what(?:'s|\\s+is|\\s+are)?|which|check|read|open|tell|do\\s+i\\s+have|have\\s+i\\s+got|any|are\\s+there)"
const rule = (source: string, read: Rule[1]): Rule => [new RegExp(source, 'iu'), read]
const NO_SUBJECT = /\b(?:for|about|with|containing|matching|named|called|mentioning)\s+\S/iu

const ON_TODOS: Rule[] = [
  rule(
    `^(?:find|search|look\\s+for|look|search\\s+for)\\s+(?:in\\s+|through\\s+|among\\s+)?(?:all\\s+|the\\s+|my\\s+|a\\s+)*${TODO}\\s+(?:for|about|with|containing|matching|named|called|mentioning)\\s+(?:the\\s+word\\s+)?(.+)$`,
    asFind,
  ),
  rule(
    `^(?:show|list|which)\\s+(?:me\\s+)?(?:all\\s+|the\\s+|my\\s+)*${TODO}\\s+(?:about|containing|matching|mentioning|contain|mention)\\s+(.+)$`,
    asFind,
  ),
  rule(
    `^(?:find|search(?:\\s+for)?|look\\s+for)\\s+(.+?)\\s+(?:in|on|among)\\s+(?:my\\s+|the\\s+)?(?:${TODO}|list)$`,
    asFind,
  ),
  rule(`^find\\s+(?:the\\s+|my\\s+)?(.+?)\\s+${TODO}$`, asFind),
  rule(`^${SHOW}\\b.*\\b(?:${TODO}|reminders)\\b`, (_, text) =>
    NO_SUBJECT.test(text.replace(/tagged with|with (?:the )?tag|without/giu, '')) ? null : listOf(text),
  ),
  rule(`^(?:all\\s+|my\\s+)*${TODO}\\??$`, asList),
  rule(`^what(?:'s|\\s+is)\\s+(?:overdue|due(?:\\s+today)?)|^what\\s+do\\s+i\\s+(?:have|need)\\s+to\\s+do\\b`, asList),
  rule(
    `^(?:finish|complete|close|tick\\s+off|check\\s+off|done\\s+with|mark|cross\\s+off|set)\\s+(?:my\\s+|the\\s+)?(?:${TODO}|items?|numbers?|no\\.?)?\\s*${IDS}(?:\\s+(?:as\\s+|to\\s+)?(?:done|completed?|finished))?$`,
    asIds('finish'),
  ),
  rule(
    `^mark\\s+(?:my\\s+|the\\s+)?(?:${TODO}\\s+|item\\s+)?(.+?)(?:\\s+${TODO})?\\s+(?:as|to)\\s+(?:done|completed?|finished)$`,
    asSubject('finish'),
  ),
  rule(
    '^(?:tick|check|cross)\\s+off\\s+(?:the\\s+)?(.+?)(?:\\s+(?:from|on)\\s+(?:my|the)\\s+.*list)?$',
    asSubject('finish'),
  ),
  rule('^(?:tick|cross)\\s+(.+?)\\s+off(?:\\s+(?:my|the)\\s+.*list)?$', asSubject('finish')),
  rule(`^(?:finish|complete|close)\\s+(?:the\\s+|my\\s+)?(?:${TODO})\\s+(.+)$`, asSubject('finish')),
  rule(`^(?:finish|complete|close)\\s+(?:the\\s+|my\\s+)?(.+?)\\s+(?:to-?do|task)$`, asSubject('finish')),
  rule(
    "^(?:i(?:'ve|\\s+have)?\\s+(?:already\\s+)?(?:finished|done|completed)|done\\s+with)\\s+(?:the\\s+)?(.+)$",
    asSubject('finish'),
  ),
  rule(
    `^(?:delete|remove|drop|erase|cancel)\\s+(?:my\\s+|the\\s+)?(?:${TODO}|items?)\\s*(?:no\\.?|number)?\\s*${IDS}$`,
    asIds('remove'),
  ),
  rule(`^(?:delete|remove|drop|erase|cancel)\\s+(?:the\\s+|my\\s+)?(?:${TODO})\\s+(.+)$`, asSubject('remove')),
  rule(
    `^(?:delete|remove|drop|erase|take)\\s+(?:the\\s+|my\\s+)?(.+?)\\s+(?:from|off)\\s+(?:my\\s+|the\\s+)?(?:${TODO}|list)$`,
    asSubject('remove'),
  ),
  rule('^(?:delete|remove|drop|erase|cancel)\\s+(?:the\\s+|my\\s+)?(.+?)\\s+(?:to-?do|task)$', asSubject('remove')),
]

const ON_CALENDAR: Rule[] = [
  rule(
    `^(?:delete|remove|drop|cancel|erase)\\s+(?:my\\s+|the\\s+)?${EVENT}\\s*(?:no\\.?|number)?\\s*${IDS}$`,
    asIds('unschedule'),
  ),
  rule(
    `^(?:delete|remove|drop|erase|cancel|take)\\s+(?:the\\s+|my\\s+)?(.+?)\\s+(?:from|off)\\s+(?:my\\s+|the\\s+)?${CALENDAR}$`,
    asSubject('unschedule'),
  ),
  rule(
    `^(?:delete|remove|cancel|drop)\\s+(?:the\\s+|my\\s+)?(${EVENT})\\s+(?:called\\s+|named\\s+)?(.+)$`,
    asSubject('unschedule'),
  ),
  rule(
    '^(?:delete|remove|cancel|drop)\\s+(?:the\\s+|my\\s+)?(.+?)\\s+(?:events?|appointments?)$',
    asSubject('unschedule'),
  ),
  rule('^(cancel|delete|erase|remove)\\s+(.+)$', ([, verb = '', subject = ''], _, now) =>
    discardIn(verb, subject, now),
  ),
  rule(
    `^${SHOW}\\b.*\\b(?:my|the|our)\\s+(?:\\w+\\s+)?(?:${CALENDAR}|${EVENT}|plans)\\b|^(?:my\\s+)?(?:agenda|calendar)\\b(?!\\s*:)`,
    asAgenda,
  ),
  rule(
    `^${SHOW}\\s+(?:me\\s+)?(?:all\\s+|(?:today|tomorrow|(?:this|next)\\s+(?:week|month))(?:'s)?\\s+)?(?:${CALENDAR}|${EVENT})\\b`,
    asAgenda,
  ),
  rule(
    `^(?:(?:my|the|our|show|today's|tomorrow's|(?:this|next)\\s+(?:week|month)'s|(?:this\\s+|next\\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day's)\\s+)+${CALENDAR}\\??$`,
    asAgenda,
  ),
  rule(
    "^what\\s+(?:am\\s+i\\s+doing|do\\s+i\\s+have|have\\s+i\\s+got|is\\s+(?:planned|on|scheduled))\\b|^what's\\s+(?:on|planned|happening|up)\\s+(?:for\\s+)?(?:today|tomorrow|this|next|on)\\b|^am\\s+i\\s+(?:free|busy)\\b",
    asAgenda,
  ),
]

/** `remove the stains at 5pm` is something to do, unless it names an event. */
function discardIn(verb: string, subject: string, now: Moment): IntentDraft[] | null {
  if (isEmptySubject(subject)) return refusal(`${verb} ${subject}`, 'change')
  const event = namesEventEn(subject)
  if (verb.toLowerCase() === 'remove' && !event && readDetails(subject, now, false).rest !== subject) return null
  return bySubject(event && verb.toLowerCase() === 'cancel' ? 'unschedule' : 'discard', subject, now)
}

const ADDING: Rule[] = [
  rule('^(?:urgent|important)\\s*[:!]\\s*(.+)$', ([, text = ''], _, now) => todoOf(text, now, false, { priority: 0 })),
  rule(
    '^(?:remind\\s+me|set\\s+(?:up\\s+)?a\\s+reminder(?:\\s+for\\s+me)?|add\\s+a\\s+reminder|create\\s+a\\s+reminder|reminder)\\b(.*)$',
    ([, text = ''], all, now) => todoOf(/^remind\s+me\s+(?:\S+\s+){1,4}before\b/iu.test(all) ? all : text, now, true),
  ),
  rule(
    `^(?:add|create|make|new|put|write\\s+down|set\\s+up)\\s+(?:me\\s+)?(?:an?\\s+|the\\s+|another\\s+|new\\s+)*((?:high|top|medium|low)[\\s-]priority\\s+)?${TODO}\\b\\s*(?:to\\b|for\\b|:|called\\b|named\\b|saying\\b|-)?(.*)$`,
    ([, priority = '', text = ''], _, now) => todoOf(`${text} ${priority}`, now),
  ),
  rule(
    `^(?:add|put|write|note|enter|save)\\s+(.+?)\\s+(?:to|on|onto|in|into)\\s+(?:my\\s+|the\\s+)?${CALENDAR}\\b(.*)$`,
    asEvent,
  ),
  rule(
    `^(?:add|put|write|note|enter|save)\\s+(.+?)\\s+(?:to|on|onto|in|into)\\s+(?:my\\s+|the\\s+)?(?:${TODO}|list)\\b(.*)$`,
    asTodo,
  ),
  rule(
    '^(?:add|put|write)\\s+(.+?)\\s+(?:to|on|onto)\\s+(?:my\\s+|the\\s+)?(\\w+)\\s+list\\b(.*)$',
    ([, text = '', tag = '', tail = ''], _, now) => todoOf(`${text} ${tail}`, now, false, { tag: tag.toLowerCase() }),
  ),
  rule(`^(?:new\\s+)?${TODO}\\s*[:-]\\s*(.+)$`, asTodo),
  rule(
    "^(?:remember|don'?t\\s+forget|don'?t\\s+let\\s+me\\s+forget|note(?:\\s+down)?|write\\s+down|jot\\s+down)(?:\\s+(?:to|that|about))?\\b\\s*:?(.*)$",
    asTodo,
  ),
  rule(
    '^(?:make|book|create|set\\s+up|arrange|get)\\s+(?:me\\s+)?(?:an?\\s+)?(appointment|reservation)\\b(.*)$',
    ([, noun = '', text = ''], _, now) => bookingIn(noun, text, now),
  ),
  rule('^(?:book|reserve)\\b\\s*(?:me\\b|in\\b)?(.*)$', ([, text = ''], _, now) => eventOf(text, now, true)),
  rule('^(?:schedule|set\\s+up|arrange|block(?:\\s+(?:out|off))?)\\b(.*)$', asEvent),
  rule('^(?:plan|organi[sz]e|make|create|add|new|put(?:\\s+in)?|have|set|fix)\\s+(.+)$', ([, text = ''], all, now) =>
    namesEventEn(text) && (!isErrandEn(all) || isTimed(text, now)) ? eventOf(text, now) : null,
  ),
  rule('^(?:add|put)\\s+(.+)$', ([, text = ''], _, now) =>
    isTimed(text, now) && !isErrandEn(text) ? eventOf(text, now) : todoOf(text, now),
  ),
  rule('^(?:add|schedule|put|new|create)$', (_, text, now) =>
    /schedule/iu.test(text) ? eventOf('', now) : todoOf('', now),
  ),
]

/** The subject of `book an appointment with the dentist` is the dentist; without `with` the noun itself may be the subject. */
function bookingIn(noun: string, text: string, now: Moment): IntentDraft[] {
  const draft = eventOf(
    text.replace(/^\s*(?:with|at|for)\s+(?!\d)(?:the\s+|my\s+)?(?!\d|noon|midnight|(?:an?|\d+)\s+(?:hour|min))/iu, ''),
    now,
    true,
  )
  return noun.toLowerCase() === 'reservation' && draft[0]?.intent.kind === 'event' && draft[0].intent.subject === null
    ? eventOf(`reservation ${text}`, now, true)
    : draft
}

const LOOKING: Rule[] = [
  rule(
    '^(?:search|google|look\\s?up|look\\s+into|look\\s+for|research|find\\s+out|find|browse|bing)\\b(.*)$',
    asLookup,
  ),
  rule(
    '^(?:check|see)\\s+((?:the\\s+(?:weather|news|price|score|exchange|forecast)|if|whether|what|when|who|how|where|which|why)\\b.*)$',
    asLookup,
  ),
  rule('^tell\\s+me\\s+(?:about\\s+|more\\s+about\\s+)?((?!a\\s+(?:joke|story)).+)$', asLookup),
  rule(
    "^(?!how\\s+(?:are\\s+you|do\\s+you\\s+do))(?:who|whose|what|which|when|where|why|how)(?:'s|'re)?\\s+.+$",
    (_, text) => lookupOf(text),
  ),
  rule('^(?:is|are|does|do|did|was|were|has|have)\\s+(?!you\\b|i\\b).+\\?$', (_, text) => lookupOf(text)),
]

const isTimed = (text: string, now: Moment) => readDetails(text, now, true).details.time !== null

/** Errands and events without a verb that names their kind. */
function byNature(text: string, now: Moment): IntentDraft[] | null {
  const { details, rest } = readDetails(text, now, false)
  const meeting = isMeetingEn(rest)
  if (rest === '' && details.date !== null) return eventOf(text, now)
  if ((isErrandEn(rest) || deedOf(rest) === 'message') && !(meeting && details.time !== null))
    return errandOf(text, rest, now)
  if (meeting && (details.time !== null || details.date !== null)) return eventOf(text, now)
  const allDay = details.date !== null && ALL_DAY.test(text)
  if (allDay || details.time !== null || details.interval !== null || details.odd !== null) return eventOf(text, now)
  return namesEventEn(text) && !/\b(?:poem|song|story|essay)\b/iu.test(text) ? eventOf(text, now) : null
}

/** Reads one part of a goal without its politeness; null when no rule fits. */
export function recogniseEnglish(text: string, now: Moment): IntentDraft[] | null {
  if (text.startsWith('/')) return null
  return firstOf([...ON_TODOS, ...CHANGES_EN, ...ON_CALENDAR, ...ADDING, ...LOOKING], text, now) ?? byNature(text, now)
}
