/** Reads repetitions: `every Monday`, `每两周`. Months, years and working days have no fixed number of minutes and are marked as odd. */
import { EN_NUMBER, ZH_NUMBER, amountOf, unitMinutes } from './numbers.ts'

interface Repeat {
  interval: number | null
  odd: 'month' | 'year' | 'workday' | null
}
type Rule = [RegExp, (match: RegExpMatchArray) => Repeat & { leave?: string }]

const every = (minutes: number, leave = '') => ({ interval: Math.round(minutes), odd: null, leave })
const odd = (kind: 'month' | 'year' | 'workday') => ({ interval: null, odd: kind })
const WEEKDAY = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?'
const DAY = 1440
const WEEK = 7 * DAY
const single = (word: string) => word.replace(/s$/iu, '').replace(/^(thur|tue|wednes|satur)$/iu, '$1s')

/** The words of a date inside a repetition (`Monday`, `morning`) stay in the text for the date reader. */
const RULES: Rule[] = [
  [/\b(?:every|each)\s+(?:week|work|business\s+)days?\b|\bon\s+weekdays\b/iu, () => odd('workday')],
  [
    new RegExp(`\\b(?:every|each)\\s+(?:other|second)\\s+(${WEEKDAY})\\b`, 'iu'),
    (m) => every(2 * WEEK, single(m[1] ?? '')),
  ],
  [new RegExp(`\\b(?:every|each)\\s+(${WEEKDAY})\\b`, 'iu'), (m) => every(WEEK, single(m[1] ?? ''))],
  [/\bon\s+((?:mon|tues|wednes|thurs|fri|satur|sun)day)s\b/iu, (m) => every(WEEK, m[1])],
  [/\b(?:every|each)\s+(morning|afternoon|evening|night)\b/iu, (m) => every(DAY, m[1])],
  [/\b(?:every|each)\s+weekend\b/iu, () => every(WEEK, 'saturday')],
  [/\b(?:every|each)\s+(?:other|second)\s+(day|week)\b/iu, (m) => every(2 * unitMinutes(m[1] ?? ''))],
  [
    new RegExp(`\\b(?:every|each)\\s+(?:(${EN_NUMBER})\\s+)?(minutes?|mins?|hours?|hrs?|days?|weeks?)\\b`, 'iu'),
    (m) => every((m[1] ? amountOf(m[1]) : 1) * unitMinutes(m[2] ?? '')),
  ],
  [/\b(?:every|each)\s+(?:\w+\s+)?(month|year)s?\b/iu, (m) => odd(/^m/iu.test(m[1] ?? '') ? 'month' : 'year')],
  [/\b(?:biweekly|fortnightly)\b/iu, () => every(2 * WEEK)],
  [/\b(?:daily|every\s*day)\b/iu, () => every(DAY)],
  [/\bweekly\b/iu, () => every(WEEK)],
  [/\bhourly\b/iu, () => every(60)],
  [/\bmonthly\b/iu, () => odd('month')],
  [/\b(?:yearly|annually)\b/iu, () => odd('year')],
  [/(?:每个?)(?:工作日|上班日)/u, () => odd('workday')],
  [/每(?:隔一|两|2|二)个?(?:周|星期|礼拜)的?([一二三四五六日天])/u, (m) => every(2 * WEEK, `周${m[1]}`)],
  [/每个?(?:周|星期|礼拜)的?([一二三四五六日天])/u, (m) => every(WEEK, `周${m[1]}`)],
  [/每个?周末/u, () => every(WEEK, '周末')],
  [/每隔(?:一|1)(天|周)/u, (m) => every(2 * unitMinutes(m[1] ?? ''))],
  [/每个?(早上|上午|中午|下午|傍晚|晚上|早|晚)/u, (m) => every(DAY, m[1])],
  [
    new RegExp(`每隔?(${ZH_NUMBER})?个?(分钟|小时|钟头|天|日|周|星期|礼拜)`, 'u'),
    (m) => every((m[1] ? amountOf(m[1]) : 1) * unitMinutes((m[2] ?? '').replace('日', '天').replace('礼拜', '周'))),
  ],
  [new RegExp(`每隔?(?:${ZH_NUMBER})?个?(月|年)`, 'u'), (m) => odd(m[1] === '月' ? 'month' : 'year')],
]

export const saysRepeat = (text: string) => /\b(?:every|each)\s+\w|每(?!个人|次|位)/iu.test(text)

/** Takes the first repetition out of `text` and writes it into `target`. */
export function takeRepeat(text: string, target: Repeat): string {
  for (const [pattern, read] of RULES) {
    const match = pattern.exec(text)
    if (!match) continue
    const found = read(match)
    if (found.interval !== null && !(found.interval >= 1)) return text
    target.interval = found.interval
    target.odd = found.odd
    return `${text.slice(0, match.index)} ${found.leave ?? ''} ${text.slice(match.index + match[0].length)}`
  }
  return text
}
