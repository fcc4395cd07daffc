/** Cuts a goal into single requests without splitting `milk and eggs`: a soft separator counts only before a new request. */
import type { Moment } from '../time/clock.ts'
import { hasHan, readWhen } from '../time/dates.ts'
import { isOnlyWhen } from './details.ts'
import { EN_SPAN, ZH_SPAN } from '../time/numbers.ts'
import * as english from './verbs-en.ts'
import * as chinese from './verbs-zh.ts'

interface Split {
  /** A date that holds for all parts (`Plan my Friday: …`), and the usual hour of a part of that day. */
  date: string | null
  vague: string | null
  sentences: string[][]
  /** Puts quoted text back in. */
  restore: (text: string) => string
}
/** A longer part is not searched for dates, which bounds the time for one part. */
export const PART_MAX = 600

export const stripPolite = (text: string) => english.stripPoliteEn(chinese.stripPoliteZh(text))
export const isNegated = (text: string) => english.isNegatedEn(text) || chinese.isNegatedZh(text)

/** Turns full-width letters, digits and punctuation into half-width ones, and drops the characters that serve as marks inside. */
function normalise(text: string): string {
  return (
    text
      .replace(/[\u0001\u0002\uE000-\uF8FF\u200B-\u200D\u2060\uFEFF]/gu, '')
      .replace(/[\uFF01-\uFF5E]/gu, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
      .replace(/\u3000/gu, ' ')
      .replace(/[‘’]/gu, "'")
      .replace(/[–—]/gu, '-')
      // Otherwise the comma of `1,000 hours` separates two requests.
      .replace(/(?<=\b\d{1,3}),(?=\d{3}\b)/gu, '')
  )
}

/** Replaces each quoted text by one character, so that nothing in it is read as a date, a separator or a command. */
function protect(text: string): { text: string; restore: (text: string) => string } {
  const parts: string[] = []
  const hide = (inner: string) => String.fromCharCode(0xe000 + (parts.push(inner) - 1))
  const hidden = text.replace(
    /"([^"\n]{1,300})"|[“「『]([^”」』\n]{1,300})[”」』]|(?<=^|\s)'([^'\n]{2,300})'(?=[\s,.;:!?]|$)|(《[^》\n]{1,300}》)/gu,
    (whole, a?: string, b?: string, c?: string, d?: string) =>
      parts.length < 500 ? hide((a ?? b ?? c ?? d ?? '').trim()) : whole,
  )
  const restore = (value: string) =>
    value.replace(/[\uE000-\uE1FF]/gu, (sign) => parts[sign.charCodeAt(0) - 0xe000] ?? '')
  return { text: hidden, restore }
}

const BULLET = /^\s*(?:[-*•·▪◦‣+]|\(?\d{1,2}[.)、](?!\d)|[①-⑳]|[一二三四五六七八九十]{1,2}、)\s*/u
const SENTENCE =
  /(?<!\b(?:mr|mrs|ms|dr|st|no|vs|etc|a\.m|p\.m|e\.g|i\.e))\.(?=\s|$)|[。;!]+|(?<=\?)(?=\s|$|\p{Script=Han})/giu
const INLINE_BULLET = /(?<=\s)(?=\(?\d{1,2}[.)]\s+\p{L})/gu
const HARD =
  /(?:,\s*)?(?:(?:\band\s+)?\bthen\b|\bafter that\b|\bafterwards\b|\band also\b|\bas well as\b(?=\s+\w+\s+(?:a|the|my)\b)|然后|接着|之后再|另外|还有|顺便|此外|最后)\s*,?\s*/giu
const SOFT =
  /(?:,\s*(?:and|but)\b|\bbut\b(?=\s+(?:please\s+)?(?:do\s*n'?t|do\s+not|never)\b)|但是?(?=不|别)|,|、|\band\b|&|\+|以及|并且|(?<!合)并|再(?!见)|和|同时|也)\s*/giu

export function splitGoal(goal: string, now: Moment): Split {
  const { text, restore } = protect(normalise(goal))
  const lines = text.split(/\r?\n/u).filter((line) => line.trim() !== '')
  const prefix = readPrefix(lines[0] ?? '', now)
  const room = { separators: SEPARATORS_MAX }
  const body = prefix ? [prefix.body, ...lines.slice(1)] : lines
  const sentences = body
    .flatMap((line) => (/^\s*\(?1[.)]\s/u.test(line) ? line.split(INLINE_BULLET) : [line]))
    .map((line) => line.replace(BULLET, ''))
    .flatMap((line) => line.split(SENTENCE))
    .map((sentence) => spreadWeekdays(sentence.trim()))
    .filter((sentence) => /[\p{L}\p{N}\uE000-\uE1FF]/u.test(sentence))
    .map((sentence) =>
      spreadLength(sentence, (whole) => whole.split(HARD).flatMap((piece) => softSplit(piece, prefix !== null, room))),
    )
  return { date: prefix?.date ?? null, vague: prefix?.vague ?? null, sentences, restore }
}

/** `Plan my Friday: …`, `明天的安排：…`: the words before the first colon, if they hold a date and no request of their own. */
function readPrefix(line: string, now: Moment): (Pick<Split, 'date' | 'vague'> & { body: string }) | null {
  const match = /^([^:]{2,60}?)(?<!\d):(?!\d|\/\/)\s*(.*)$/u.exec(line)
  if (!match) return null
  const head = match[1] ?? ''
  // A single request behind a time is no list, so it is read as a whole.
  if (!hasHan(line) && isOnlyWhen(head, now) && !/[,;]|\band\b/iu.test(match[2] ?? '')) return null
  const when = readWhen(head, now)
  const frame =
    /^\s*(?:please\s+)?(?:(?:help me\s+)?(?:plan|organi[sz]e)(?: out)?(?: my| the)?|for|on|my plan for|my|(?:things|stuff|what) (?:to do|i (?:have|need) to do|for)|to-?dos? for|tasks? for|agenda for|errands(?: for)?)?\s*$/iu
  const zhFrame = /^(?:请|帮我|安排|规划|计划|一下|我|的|要做|事情?|任务|待办|日程|清单|有|以下|这些|如下|需要)*$/u
  const rest = (when?.rest ?? head).replace(/\s+/gu, ' ').trim()
  const framed = frame.test(rest) || /^(?:plan|organi[sz]e)\b/iu.test(rest) || zhFrame.test(rest.replace(/ /gu, ''))
  if (when?.date && when.time === null && framed) return { date: when.date, vague: when.vague, body: match[2] ?? '' }
  const plain =
    /^\s*(?:please\s+)?(?:help me\s+(?:with|do)\s+|do\s+)?(?:the following|these(?: things)?|the plan|my day|plan)\s*$|^(?:请|帮我|做|处理|完成|以下|下面|这几件|的|事情?|如下)+$/iu
  return plain.test(head) ? { date: null, vague: null, body: match[2] ?? '' } : null
}

const EACH = new RegExp(
  `[,\\s]*(?:(?:for\\s+)?(${EN_SPAN})\\s+each|(?:每个|每场|每次|各|都是?)\\s*(${ZH_SPAN}))\\s*$`,
  'iu',
)
/** `…, 30 minutes each` holds for every part of its sentence. */
function spreadLength(sentence: string, split: (text: string) => string[]): string[] {
  const match = sentence.length <= PART_MAX ? EACH.exec(sentence) : null
  const length = match?.[1] ? ` for ${match[1]}` : match?.[6] ? `,${match[6]}` : ''
  const parts = match ? split(sentence.slice(0, match.index)) : []
  return parts.length > 1 ? parts.map((part) => `${part}${length}`) : split(sentence)
}

const WEEKDAY_WORD = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'
const WEEKDAYS = new RegExp(
  `\\b(?:every|each|on)\\s+${WEEKDAY_WORD}(?:\\s*(?:,\\s*and|,|and|&)\\s*${WEEKDAY_WORD})+`,
  'giu',
)
/** `every Monday and Thursday at six` → `every Monday at six; every Thursday at six`, kept together by a mark. */
function spreadWeekdays(sentence: string): string {
  const glue = (pair: string) => pair.replace(/(?<!\s)\s*(?:,\s*and|,|and|&)\s*/giu, '\u0001')
  const chinese =
    /每(?:个)?(?:周|星期)[一二三四五六日天](?:\s*(?:,|、|和|及)\s*(?:周|星期)?[一二三四五六日天](?![点月号]))+/gu
  return sentence
    .replace(WEEKDAYS, glue)
    .replace(chinese, (all) => all.replace(/(?<!\s)\s*(?:,|、|和|及)\s*(?:周|星期)?/gu, '\u0001'))
}

/** Splits a part with several marked weekdays into one part for each of them. */
function splitWeekdays(part: string): string[] {
  if (part.length > PART_MAX) return [part.replaceAll('\u0001', ' and ')]
  const match =
    /((?:every|each|on)\s+|每(?:个)?(?:周|星期))([^\s\u0001]+(?:\u0001[^\s\u0001]{1,10}?)+)(?=\s|$|[^一二三四五六日天\u0001a-z])/iu.exec(
      part,
    )
  if (!match) return [part.replaceAll('\u0001', ' and ')]
  const lead = match[1] ?? ''
  const all = lead.startsWith('on') ? 'every ' : lead
  return (match[2] ?? '').split('\u0001').map((day) => part.replace(match[0], `${all}${day}`))
}

const CLOCK =
  /\b\d{1,2}(?::\d{2})?\s*(?:am|pm)\b|\b\d{1,2}:\d{2}\b|\bat\s+\d|\bnoon\b|\bmidnight\b|[\d一二两三四五六七八九十]\s*点|中午/iu
const STARTS_WITH_WHEN = new RegExp(
  `^(?:on|at|by|from|for|until|every|each|in|with|to|or|not|but|tomorrow|today|tonight|next|this|${WEEKDAY_WORD}|\\d)(?![a-z])`,
  'iu',
)

/** The characters that are checked around a separator, and the number of checked separators. Both bound the time for a long goal. */
const AHEAD = 200
const BEHIND = 600
const SEPARATORS_MAX = 150
function softSplit(sentence: string, framed: boolean, room: { separators: number }): string[] {
  const parts: string[] = []
  let at = 0
  let carried = ''
  for (const match of sentence.matchAll(SOFT)) {
    if (room.separators === 0) break
    room.separators -= 1
    const left = carried + sentence.slice(at, match.index)
    const right = sentence.slice(match.index + match[0].length, match.index + match[0].length + AHEAD)
    if (left.trim() === '' || isOnlyWhen(left.trim(), EPOCH)) continue
    const cut = cutAt(left.slice(-BEHIND), right, framed && /,/u.test(match[0]))
    if (cut === null) continue
    parts.push(left)
    at = match.index + match[0].length
    const verb = cut === 'alike' ? english.sharedVerb(stripPolite(left.replace(ALIKE, '')), headOf(right)) : ''
    carried = cut === 'alike' ? `${ALIKE}${verb}${verb === '' ? '' : ' '}` : ''
  }
  return [...parts, carried + sentence.slice(at)]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap(splitWeekdays)
}

/** Marks a part that continues the one before it: `dinner at 7 and movie at 9`. */
export const ALIKE = '\u0002'
const DAY = new RegExp(`\\b(?:tomorrow|today|tonight|${WEEKDAY_WORD}|\\d{1,2}(?:st|nd|rd|th))\\b`, 'iu')
const headOf = (text: string) => stripPolite(text).split(/[,、]|\band\b/iu)[0] ?? ''

/** Whether the text behind a soft separator is a request of its own, or repeats the one before it with another time. */
function cutAt(left: string, right: string, listed: boolean): 'own' | 'alike' | null {
  const own = (yes: boolean) => (yes ? 'own' : null)
  const next = stripPolite(right)
  const head = headOf(right)
  if (isNegated(next)) return 'own'
  if (hasHan(head)) return own(chinese.startsRequestZh(next) || (CLOCK.test(left) && leadsWithTime(head)))
  if (english.startsRequestEn(next)) return 'own'
  if (/^(?:who|what|when|where|why|how|which)\b[^,]*\?\s*$/iu.test(next)) return 'own'
  if (STARTS_WITH_WHEN.test(next)) return own(english.startsRequestEn(afterWhen(next)))
  if (CLOCK.test(head) && CLOCK.test(left)) return 'alike'
  if (DAY.test(head) && DAY.test(left) && !/\b(?:every|each|between)\b/iu.test(left)) return 'alike'
  return own(CLOCK.test(head) && listed)
}

const afterWhen = (text: string) =>
  text.replace(
    /^(?:(?:on|at|by|next|this|tomorrow|today|tonight|morning|afternoon|evening|\d{1,2}(?::\d{2})?\s*(?:am|pm)?|[a-z]+day)\b[\s,]*)+/iu,
    '',
  )

/** `下午3点看牙医`: a time first, then something to do. */
function leadsWithTime(text: string): boolean {
  const found = text.length <= PART_MAX ? readWhen(text, EPOCH) : null
  const lead = /^(?:今|明|后|大后|下|这|本|周|星期|上午|下午|晚|早|中午|凌晨|傍晚|\d|[一二两三四五六七八九十])/u.test(
    text,
  )
  return lead && found !== null && found.rest.trim().length > 0
}
const EPOCH: Moment = { date: '2024-01-01', time: '00:00' }
