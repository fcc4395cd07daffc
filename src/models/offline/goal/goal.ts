/** Reads the text of a goal, or of a remark, as a list of intents. */
import type { Locale } from '../../../core/terms/locale.ts'
import { isPast, minutesOf, momentOf, plusDays, type Moment } from '../time/clock.ts'
import { namesImage } from './aims.ts'
import { recogniseChinese } from './chinese.ts'
import { hasHan, readWhen } from '../time/dates.ts'
import { isOnlyWhen, readDetails, type Details } from './details.ts'
import { startsChange } from './changes-en.ts'
import { recogniseEnglish } from './english.ts'
import { intentOf, subjectOf, intentTitle, wishKeyOf, type Intent } from './intents.ts'
import { greetingOf } from '../manners/greetings.ts'
import { isLeftOver, isNoName } from '../manners/left-over.ts'
import { namedCallIn } from './tool-calls.ts'
import { isEmptySubject, refusal, type IntentDraft } from './requests.ts'
import { ALIKE, PART_MAX, isNegated, splitGoal, stripPolite } from './split.ts'

/** No task plans as many (replan.ts). Reading a part takes up to a millisecond, so the rest of a longer text is left out. */
const PARTS_MAX = 100
/** The due time of a todo with a known day and an unknown hour. */
const DAY_END = '18:00'
const LAST_MINUTE = '23:59'

/** The dates that parts pass on to later ones: `said` for all of them, `led` within a sentence, `last` to a bare time. */
interface SharedDates {
  said: string | null
  /** The usual hour that goes with `said`. */
  vague: string | null
  led: string | null
  last: string | null
  /** Parts that are alike (`dinner at 7 and movie at 9`), and whether they are on an evening. */
  alike: IntentDraft[]
  evening: boolean
}

/** Every intent of `text` in order, with dates settled; parts that fit no rule, and those of which only small words are left, are `unclear`. */
export const intentsOf = (text: string, now: Moment): Intent[] =>
  readParts(text, now).map(({ intent, said }) => (isNameless(intent) ? { kind: 'unclear', subject: said } : intent))

/** Whether nothing tells what the new entry is, or the request corrects itself. */
export const isNameless = (intent: Intent): boolean =>
  (intent.kind === 'todo' || intent.kind === 'event') && intent.subject !== null && isNoName(intent.subject)

interface PartRead {
  intent: Intent
  /** The words of the part. */
  said: string
}

export function readParts(text: string, now: Moment): PartRead[] {
  if (isCommand(text)) return refusal(text, 'command').map(({ intent }) => ({ intent, said: text }))
  const { date, vague, sentences, restore } = splitGoal(text, now)
  const found: IntentDraft[] = []
  let room = PARTS_MAX
  const intents = sentences.flatMap((all) => {
    const parts = all.slice(0, room)
    room -= parts.length
    const lent: SharedDates = { said: date, vague, led: null, last: null, alike: [], evening: false }
    return parts.flatMap((part, index) => readPart(part, index === 0, now, lent, found))
  })
  return intents.map((draft) => ({
    intent: restoreQuotes(settleDates(draft, now), restore),
    said: subjectOf(restore(draft.said ?? '')) || '…',
  }))
}
const isCommand = (text: string) => /^\s*\/(?:todo|schedule|help|cancel|views?)\b/iu.test(text)

function readPart(marked: string, first: boolean, now: Moment, lent: SharedDates, found: IntentDraft[]): IntentDraft[] {
  const alike = marked.startsWith(ALIKE)
  const part = greetingOf(marked) === null ? stripPolite(marked.replaceAll(ALIKE, '')) : ''
  const short = part.length <= PART_MAX
  if (part === '' || (mergeInto(found.at(-1), part, now) && short)) return []
  const lead = short ? leadOf(part, now) : null
  if (first && lead) lent.led = lead.date
  const text = short ? inEvening(timeLast(part, now), alike, lent) : part
  const drafts = short ? (recogniseChange(lead, now) ?? recognise(text, now) ?? recogniseAfterLead(lead, now)) : null
  const unclear = { kind: 'unclear' as const, subject: subjectOf(text) }
  const intents: IntentDraft[] = (drafts ?? [{ intent: unclear, vague: null }]).map((draft) => ({
    ...draft,
    said: text,
  }))
  if (!alike) lent.alike = []
  for (const draft of intents) lend(draft, lent)
  lent.alike.push(...intents)
  found.push(...intents)
  return intents
}

/** `dinner at 7 tomorrow evening and movie at 9`: the second hour is on that evening too. */
function inEvening(text: string, alike: boolean, lent: SharedDates): string {
  const evening = /\b(?:evening|tonight|night)\b/iu.test(text)
  const also = alike && lent.evening && !/\b(?:[ap]m|morning|noon|midnight|afternoon)\b|\d(?:[ap]m|:)/iu.test(text)
  lent.evening = evening || (alike && lent.evening)
  return also && !evening ? `${text} in the evening` : text
}

/** `In an hour, take out the pizza`: moves the request to the front, where the rules expect it. */
function timeLast(text: string, now: Moment): string {
  const [, when = '', rest = ''] = (hasHan(text) ? null : /^([^,:]{2,60})(?:,|:(?!\d))\s*(.+)$/u.exec(text)) ?? []
  return rest !== '' && isOnlyWhen(when, now) ? `${stripPolite(rest)} ${when}` : text
}

const recognise = (text: string, now: Moment): IntentDraft[] | null => {
  if (isCommand(text)) return refusal(text, 'command')
  if (isNegated(text)) return refusal(text, 'negated')
  const drafts = hasHan(text) ? recogniseChinese(text, now) : recogniseEnglish(text, now)
  return drafts ?? (hasHan(text) ? recogniseEnglish(text, now) : null)
}

/** `tomorrow look up the weather`: reads the request behind a leading date. */
function recogniseAfterLead(lead: Lead | null, now: Moment): IntentDraft[] | null {
  const drafts = lead && lead.rest !== '' ? recognise(lead.rest, now) : null
  for (const { intent } of drafts ?? []) {
    if ((intent.kind === 'todo' || intent.kind === 'event') && intent.details.date === null)
      intent.details.date = lead?.date ?? null
  }
  return drafts
}

/** `tomorrow move the dentist to 4pm`: a change, not an event of that name. The date belongs to the new time. */
function recogniseChange(lead: Lead | null, now: Moment): IntentDraft[] | null {
  if (!lead || !startsChange(lead.rest)) return null
  const drafts = recognise(lead.rest, now)
  for (const { intent } of drafts ?? []) {
    if (intent.kind === 'change') intent.to.date ??= lead.date
    else if ('id' in intent) intent.date ??= lead.date
    else return null
  }
  return drafts
}

interface Lead {
  date: string
  rest: string
}
const LEAD =
  /^(?:(?:on\s+)?(?:(?:this|next)\s+)?(?:tomorrow|today|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b,?\s*(?:morning|afternoon|evening)?|(?:今天|明天|后天|大后天|今晚|明晚|(?:下+个?|这个?|本)?(?:周|星期)(?:[一二三四五六天末]|日(?!程)))(?:早上|上午|下午|晚上)?)[\s,]*/iu
function leadOf(text: string, now: Moment): Lead | null {
  const match = LEAD.exec(text)
  const date = match ? (readWhen(match[0], now)?.date ?? null) : null
  return match && date ? { date, rest: stripPolite(text.slice(match[0].length)) } : null
}

/** A part that says only when, how long or how often belongs to the request before it. */
function mergeInto(before: IntentDraft | undefined, text: string, now: Moment): boolean {
  if (!before || text.length > PART_MAX || (before.intent.kind !== 'todo' && before.intent.kind !== 'event'))
    return false
  const { details, vague, rest } = readDetails(text, now, true)
  const hasDetails = Object.values(details).some((value) => value !== null) || vague !== null
  const reminder = /^(?:and\s+)?(?:remind\s+me|with\s+a\s+reminder|提醒我?)$/iu.test(rest)
  if (!hasDetails || !(reminder || rest === '' || (isEmptySubject(rest) && !/[a-z]{3}/iu.test(rest)))) return false
  const own = before.intent.details
  if (reminder && details.time !== null) {
    own.remind = details.date === null ? details.time : `${details.date} ${details.time}`
    return true
  }
  if (reminder && details.before === null) return false
  before.intent.details = { ...own, ...missingDetails(details, own) }
  before.vague ??= vague
  return true
}
/** The details that `more` has and `own` lacks. */
const missingDetails = (more: Details, own: Details): Partial<Details> =>
  Object.fromEntries(
    Object.entries(more).filter(([key, value]) => value !== null && own[key as keyof Details] === null),
  ) // keys of Details

/** Keeps the date of a part for later parts, and gives the part one where it has none. */
function lend(draft: IntentDraft, lent: SharedDates): void {
  const { intent, vague } = draft
  if (intent.kind !== 'todo' && intent.kind !== 'event') return
  const { details } = intent
  if (details.date !== null && vague === null) lendBack(details.date, lent.alike)
  else if (details.date === null && details.time === null && lent.led === null) draft.vague ??= lent.vague
  const repeats = details.interval !== null || details.odd !== null
  details.date ??= repeats
    ? null
    : (lent.led ?? lent.said ?? (details.time === null && vague === null ? null : lent.last))
  lent.last = details.date ?? lent.last
}

/** `room A at 15:00 and room B at 15:00 tomorrow`: a date at the end holds for the other parts too. */
function lendBack(date: string, alike: IntentDraft[]): void {
  for (const { intent } of alike)
    if ((intent.kind === 'todo' || intent.kind === 'event') && intent.details.time !== null)
      intent.details.date ??= date
}

/** Settles dates: a bare time means the next such time, and a day without a time is due at its end. */
export function settleDates(draft: IntentDraft, now: Moment): Intent {
  const { intent, vague } = draft
  if (intent.kind !== 'todo' && intent.kind !== 'event') return intent
  const details = { ...intent.details }
  if (intent.kind === 'todo' && details.time === null && (details.date !== null || vague !== null)) {
    details.date ??= now.date
    const usual = vague ?? DAY_END
    details.time = details.date === now.date && isPast(details.date, usual, now) ? LAST_MINUTE : usual
  }
  return { ...intent, details: forward(details, now) }
}

/** Moves details without a date of their own, or with a repetition, past the present. */
export function forward(details: Details, now: Moment): Details {
  if (details.time === null)
    return details.interval !== null && details.date === null ? { ...details, date: now.date } : details
  if (details.date === null) {
    return { ...details, date: isPast(now.date, details.time, now) ? plusDays(now.date, 1) : now.date }
  }
  const gap = minutesOf(now.date, now.time) - minutesOf(details.date, details.time)
  if (details.interval === null || details.date !== now.date || gap < 0) return details
  const steps = Math.floor(gap / details.interval) + 1
  return { ...details, ...momentOf(minutesOf(details.date, details.time) + steps * details.interval) }
}

function restoreQuotes(intent: Intent, restore: (text: string) => string): Intent {
  if (!('subject' in intent) || intent.subject === null) return intent
  if (intent.kind === 'change') {
    const name = intent.to.name === null ? null : subjectOf(restore(intent.to.name))
    return { ...intent, subject: subjectOf(restore(intent.subject)) || '…', to: { ...intent.to, name } }
  }
  return { ...intent, subject: subjectOf(restore(intent.subject)) || '…' }
}

const CONTINUE =
  /^(?:please\s+)?(?:continue|go on|resume|proceed|carry on|keep going|ok(?:ay)?|yes|好的?|是的?)?[.!。！]*$|^.{0,6}继续.{0,6}$/iu
export const isContinue = (remark: string) => CONTINUE.test(remark.trim())

interface GoalReading {
  intents: Intent[]
  /** The remarks that fit no rule; the summary names them, and no rule guesses. */
  unread: string[]
}

const ASKS_THE_WEB = /search|look up|google|搜|查/iu

/** A question about an image is no search: these rules see no images, and the web knows nothing of it. */
const withoutSight = (intent: Intent): Intent =>
  intent.kind === 'lookup' && intent.subject !== null && namesImage(intent.subject)
    ? { kind: 'unable', subject: intent.subject }
    : intent

/** Reads the goal and the remarks together. A goal without any known intent becomes one item that says so. */
export function readGoal(goal: string, remarks: string[], now: Moment): GoalReading {
  const more = readRemarks(remarks, now)
  return { ...more, intents: [...ownIntents(goal, now), ...more.intents] }
}

function ownIntents(goal: string, now: Moment): Intent[] {
  const subject = subjectOf(goal) || '?'
  if (greetingOf(goal) !== null) return [{ kind: 'greet', subject }]
  const call = namedCallIn(goal)
  if (call !== null) return [{ kind: 'use', ...call }]
  const own = intentsOf(goal, now).map((intent) => (ASKS_THE_WEB.test(goal) ? intent : withoutSight(intent)))
  const understood = own.some((intent) => intent.kind !== 'unclear')
  // A few small words may be a slip, so they are asked about and not refused.
  const asked = own.length === 1 && (isLeftOver(goal) || readParts(goal, now).some(({ intent }) => isNameless(intent)))
  return understood || asked ? own : [{ kind: 'unable', subject }]
}

/** A remark that only greets or thanks asks for nothing. */
export function readRemarks(remarks: string[], now: Moment): GoalReading {
  const remark_intents = remarks
    .filter((remark) => !isContinue(remark) && greetingOf(remark) === null)
    .map((remark) => ({ remark, intents: intentsOf(remark, now).filter(({ kind }) => kind !== 'unclear') }))
  return {
    intents: remark_intents.flatMap(({ intents }) => intents),
    unread: remark_intents.filter(({ intents }) => intents.length === 0).map(({ remark }) => remark),
  }
}

/** The intent of a plan item. Its own title says it; a title that someone else wrote is read like a goal. */
export function intentOfTitle(title: string, now: Moment): Intent {
  const own = intentOf(title)
  if (own) return own
  const [intent, second] = readGoal(title, [], now).intents
  return intent && !second ? intent : { kind: 'unable', subject: subjectOf(title) }
}

/** The titles of the intents that are not yet among `planned`, each title once. */
export function missingTitles(intents: Intent[], planned: string[], locale: Locale, now: Moment): string[] {
  const have = new Map<string, number>()
  for (const title of planned) {
    const wish = wishKeyOf(intentOfTitle(title, now))
    have.set(wish, (have.get(wish) ?? 0) + 1)
  }
  const unique = new Map(intents.map((intent) => [intentTitle(intent, locale), intent]))
  return [...unique].flatMap(([title, intent]) => {
    const remaining = have.get(wishKeyOf(intent)) ?? 0
    have.set(wishKeyOf(intent), remaining - 1)
    return remaining > 0 || planned.includes(title) ? [] : [title]
  })
}
