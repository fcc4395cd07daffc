/** Rewrites what the date library cannot read into literals that it can, such as `2026-11-27 14:00`. */
import {
  clockTime,
  momentOf,
  minutesOf,
  nextDayOfMonth,
  nextLeapDay,
  plusDays,
  stampOf,
  weekdayOf,
  type Moment,
} from './clock.ts'
import { EN_HOUR_WORD, EN_SPAN, ZH_NUMBER, ZH_SPAN, chineseSpan, englishSpan, amountOf } from './numbers.ts'

type Rule = [RegExp, (match: RegExpMatchArray, now: Moment) => string]
const later = (now: Moment, minutes: number) =>
  stampOf(momentOf(minutesOf(now.date, now.time) + Math.min(minutes, 5_000_000)))
/** The Monday of the week that is `weeks` weeks after that of `date`. */
const mondayOf = (date: string, weeks: number) => plusDays(date, -((weekdayOf(date) + 6) % 7) + weeks * 7)
const whole = (minutes: number, now: Moment) =>
  minutes % 1440 === 0 ? plusDays(now.date, Math.min(minutes / 1440, 3_650)) : later(now, minutes)
const orSame = (date: string | null, match: RegExpMatchArray) => date ?? match[0]

const HOUR = `(\\d{1,2}|${EN_HOUR_WORD})`
const hourBefore = (hour: number) => (hour === 1 ? 12 : hour - 1)

const ENGLISH: Rule[] = [
  [new RegExp(`\\b(?:in|within)\\s+${EN_SPAN}(?!\\s*before)`, 'giu'), (m, now) => whole(englishSpan(m, 1), now)],
  [new RegExp(`\\b${EN_SPAN}\\s+from\\s+now\\b`, 'giu'), (m, now) => whole(englishSpan(m, 1), now)],
  [/\b(?:the\s+)?day\s+after\s+tomorrow\b/giu, (_, now) => plusDays(now.date, 2)],
  [/\bthis\s+(morning|afternoon|evening)\b/giu, (m) => `today in the ${m[1]}`],
  [/(?<=^|\s)@\s*(?=\d)/gu, () => 'at '],
  [/\btmrw?\b|\btomorow\b|\btommorr?ow\b/giu, () => 'tomorrow'],
  [new RegExp(`\\bhalf\\s+past\\s+${HOUR}\\b`, 'giu'), (m) => `${amountOf(m[1] ?? '')}:30`],
  [new RegExp(`\\bquarter\\s+past\\s+${HOUR}\\b`, 'giu'), (m) => `${amountOf(m[1] ?? '')}:15`],
  [new RegExp(`\\bquarter\\s+to\\s+${HOUR}\\b`, 'giu'), (m) => `${hourBefore(amountOf(m[1] ?? ''))}:45`],
  [new RegExp(`\\bat\\s+(${EN_HOUR_WORD})\\b`, 'giu'), (m) => `at ${amountOf(m[1] ?? '')}`],
  [new RegExp(`\\b(${EN_HOUR_WORD})\\s*(?=(?:am|pm|o'?clock)\\b)`, 'giu'), (m) => `${amountOf(m[1] ?? '')} `],
  [/\b([01]?\d|2[0-3])h([0-5]\d)?\b/giu, (m) => `${m[1]}:${m[2] ?? '00'}`],
  [
    /\b(at\s+\d{1,2}(?::\d{2})?\s+(?:on\s+)?(?:tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\s+(morning|afternoon|evening|night)\b/giu,
    (m) => `${m[1]} in the ${m[2] === 'night' ? 'evening' : m[2]}`,
  ],
  [/\b(?:mid-?day)\b/giu, () => 'noon'],
  [/\b(?:(?:by\s+)?(?:the\s+)?end of (?:the )?day|eod|cob)\b/giu, () => '18:00'],
  [/\bfeb(?:ruary|\.)?\s+29(?:th)?\b(?!,?\s+\d{4})/giu, (_, now) => nextLeapDay(now.date)],
  [/\b29(?:th)?\s+(?:of\s+)?feb(?:ruary|\b)(?!\s+\d{4})/giu, (_, now) => nextLeapDay(now.date)],
  [
    /\bthe\s+(\d{1,2})(?:st|nd|rd|th)\b(?!\s+(?:of\b|[a-z]*(?:floor|time|one|street|avenue)))/giu,
    (m, now) => orSame(nextDayOfMonth(now.date, Number(m[1]), null), m),
  ],
]

/** `本周日程` is the agenda of a week, not a Sunday. */
const ZH_DAY = '(?:[一二三四五六天]|日(?!程))'
const zhWeekday = (sign: string) => ('一二三四五六日'.indexOf(sign === '天' ? '日' : sign) + 7) % 7
const zhDay = (m: RegExpMatchArray, now: Moment, skip: number | null) =>
  orSame(nextDayOfMonth(now.date, amountOf(m[1] ?? ''), skip), m)
const NIGHT_12 = '(?:晚上?|夜里|夜间|半夜|深夜|午夜)\\s*(?:12|十二)\\s*点(?:整|钟)?'
const PART = '(早上|上午|中午|下午|傍晚|晚上|凌晨|今晚|明晚)'

const CHINESE: Rule[] = [
  [/从([^从,，]{0,8}[天日周月号点今明后一二三四五六\d])(?:开始|起)[,，]?\s*/gu, (m) => `${m[1]} `],
  [
    /(?<![\d/])(1[0-2]|0?[1-9])\/([0-2]?\d|3[01])(?=\s*(?:周|星期|早|上午|中午|下午|晚|凌晨|\d{1,2}[点:]))/gu,
    (m) => `${m[1]}月${m[2]}日`,
  ],
  [/(?<![\d:])(1[0-2]|0?[1-9])(?::([0-5]\d))?\s*([ap])\.?m\b\.?/giu, (m) => twelveHours(m)],
  [new RegExp(`(?:过|再过)?${ZH_SPAN}(?:之后|以后|后)(?!天)`, 'gu'), (m, now) => whole(chineseSpan(m, 1), now)],
  [new RegExp(`(?:星期|礼拜)(?=${ZH_DAY})`, 'gu'), () => '周'],
  [new RegExp(`(?:这个?|本)周(?=${ZH_DAY})`, 'gu'), () => '这周'],
  [new RegExp(`下下个?周(${ZH_DAY})`, 'gu'), (m, now) => plusDays(mondayOf(now.date, 2), zhWeekday(m[1] ?? ''))],
  [new RegExp(`下个?周(${ZH_DAY})`, 'gu'), (m, now) => plusDays(mondayOf(now.date, 1), zhWeekday(m[1] ?? ''))],
  [/(?:这个?|本)(?:周|星期)(?=日程)/gu, (_, now) => `${now.date} `],
  [/下个?(?:周|星期)(?!末|[一二三四五六天]|日(?!程))/gu, (_, now) => `${plusDays(now.date, 7)} `],
  [new RegExp(`这周(${ZH_DAY})`, 'gu'), (m, now) => plusDays(mondayOf(now.date, 0), zhWeekday(m[1] ?? ''))],
  [/下个?周末/gu, (_, now) => plusDays(mondayOf(now.date, 1), 5)],
  [/(?:这个?|本)?周末/gu, (_, now) => plusDays(mondayOf(now.date, 0), weekdayOf(now.date) === 0 ? 6 : 5)],
  [/大后[天日]/gu, (_, now) => plusDays(now.date, 3)],
  [/后[天日]|后(?=晚)/gu, (_, now) => plusDays(now.date, 2)],
  [/今[天日](?!晚报)/gu, (_, now) => now.date],
  [/(?:明[天日]|明(?=早|晚))/gu, (_, now) => plusDays(now.date, 1)],
  [new RegExp(`下个?月(${ZH_NUMBER})[号日]`, 'gu'), (m, now) => zhDay(m, now, 1)],
  [new RegExp(`(?:这个?|本)月(${ZH_NUMBER})[号日]`, 'gu'), (m, now) => zhDay(m, now, 0)],
  [/(?:2|二)月(?:29|二十九)[日号]?/gu, (_, now) => nextLeapDay(now.date)],
  [
    new RegExp(`(?<![月年\\d零〇一二两三四五六七八九十-])(${ZH_NUMBER})[号](?!楼|线|店|门|公路|院)`, 'gu'),
    (m, now) => zhDay(m, now, null),
  ],
  [/月底/gu, (_, now) => plusDays(nextDayOfMonth(now.date, 1, 1) ?? now.date, -1)],
]

/** `3pm` → `15:00`. */
function twelveHours([, hour = '', minute = '0', half = '']: RegExpMatchArray): string {
  return ` ${clockTime((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0), Number(minute))} `
}

/** Times of the day come after the dates, so that `今晚十二点` refers to the right night. */
const CHINESE_TIMES: Rule[] = [
  [
    new RegExp(`(\\d{4}-\\d{2}-\\d{2}|今)\\s*${NIGHT_12}`, 'gu'),
    (m, now) => `${plusDays(m[1] === '今' ? now.date : (m[1] ?? ''), 1)} 00:00`,
  ],
  [new RegExp(`${NIGHT_12}|零点|午夜`, 'gu'), () => '00:00'],
  [/清晨|清早|早晨|一早|早间/gu, () => '早上'],
  [/傍晚|夜里|夜间|深夜/gu, () => '晚上'],
  [/(\d{4}-\d{2}-\d{2})\s*早(?!上|饭|餐|会)/gu, (m) => `${m[1]} 早上`],
  [/(\d{4}-\d{2}-\d{2})\s*晚(?!上|饭|餐|会)/gu, (m) => `${m[1]} 晚上`],
  [/今晚(?!报)/gu, (_, now) => `${now.date} 晚上`],
  [/今早/gu, (_, now) => `${now.date} 早上`],
  [/([点时])\s*(?:钟|整)/gu, (m) => m[1] ?? ''],
  [/点\s*(?:一|1)刻/gu, () => '点15分'],
  [/点\s*(?:三|3)刻/gu, () => '点45分'],
  [new RegExp(`中午(?!\\s*${ZH_NUMBER}\\s*[点时:])`, 'gu'), () => '12:00'],
  [new RegExp(`${PART}?\\s*(${ZH_NUMBER})\\s*[点时:](半|${ZH_NUMBER}分?)?`, 'gu'), (m) => chineseTime(m)],
]

/** `下午三点半` → `15:30`. Hours 1–6 without a part of the day stay as they are, and are read like `at 3`. */
function chineseTime(match: RegExpMatchArray): string {
  const [all, part = '', hourText = '', minuteText = ''] = match
  const hour = amountOf(hourText)
  const minute = minuteText === '半' ? 30 : minuteText === '' ? 0 : amountOf(minuteText.replace('分', ''))
  if (!Number.isInteger(hour) || hour > 24 || !(minute < 60)) return all
  const late = /下午|晚|傍晚/u.test(part) || (part === '中午' && hour < 4)
  const full = late && hour < 12 ? hour + 12 : part !== '' && /凌晨|早上|上午/u.test(part) && hour === 12 ? 0 : hour
  const marked = part === '' && full >= 1 && full <= 12 ? '' : ' '
  return ` ${marked === '' ? `${full}:${clockTime(0, minute).slice(3)}` : clockTime(full % 24, minute)} `
}

const apply = (text: string, rules: Rule[], now: Moment) =>
  rules.reduce(
    (sofar, [pattern, write]) => sofar.replace(pattern, (...args) => write(args as RegExpMatchArray, now)),
    text,
  )

export const rewriteEnglish = (text: string, now: Moment) => apply(text, ENGLISH, now)
export const rewriteChinese = (text: string, now: Moment) =>
  apply(apply(text, CHINESE, now).replace(/(\d{4}-\d{2}-\d{2})(?=\d)/gu, '$1 '), CHINESE_TIMES, now)
