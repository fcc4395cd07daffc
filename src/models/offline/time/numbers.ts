/** Reads numbers in words, and durations in minutes, in English and Chinese. */
const EN_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const EN_MORE: Record<string, number> = {
  a: 1,
  an: 1,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'forty-five': 45,
  sixty: 60,
  ninety: 90,
  'half a': 0.5,
  'half an': 0.5,
  half: 0.5,
  'a couple of': 2,
  'a few': 3,
  'a quarter of an': 0.25,
}
const words = [...Object.keys(EN_MORE), ...EN_WORDS].toSorted((a, b) => b.length - a.length)
/** The source of a regular expression for an English amount; it has no groups. */
export const EN_NUMBER = `(?:\\d{1,5}(?:\\.\\d{1,2})?|${words.join('|')})`
export const EN_HOUR_WORD = EN_WORDS.slice(1).join('|')
export const ZH_NUMBER = '(?:\\d{1,5}(?:\\.\\d{1,2})?|[零〇一二两俩三四五六七八九十百半]{1,5})'

export function amountOf(text: string): number {
  const word = text.trim().toLowerCase()
  if (/^\d/u.test(word)) return Number(word)
  const listed = EN_WORDS.indexOf(word)
  return listed >= 0 ? listed : (EN_MORE[word] ?? chineseNumber(word))
}

function chineseNumber(word: string): number {
  if (word === '半') return 0.5
  let total = 0
  let digit = -1
  for (const sign of word) {
    const unit = sign === '十' ? 10 : sign === '百' ? 100 : 0
    if (unit > 0) {
      total += (digit < 0 ? 1 : digit) * unit
      digit = -1
    } else
      digit = Math.max('零一二三四五六七八九'.indexOf(sign), '〇〇两'.lastIndexOf(sign), '〇〇俩'.lastIndexOf(sign))
  }
  const sum = total + Math.max(digit, 0)
  return word.length > 0 && !/[^零〇一二两俩三四五六七八九十百]/u.test(word) ? sum : NaN
}

const EN_UNIT = '(minutes?|mins?|min|hours?|hrs?|hr|h|days?|weeks?)'
const ZH_UNIT = '(分钟|分|小时|钟头|刻钟|天|周|星期)'
/** These sources have no named groups; each has exactly four groups, which `spanMinutes` reads. */
export const EN_SPAN = `(${EN_NUMBER})(?:\\s+|-)?${EN_UNIT}\\b(?:\\s*(?:and\\s+)?(a half|a quarter|\\d{1,2}(?=\\s*(?:m\\b|min))|\\d{2}\\b(?!:))(\\s*(?:minutes?|mins?|min|m)\\b)?)?`
export const ZH_SPAN = `(${ZH_NUMBER})\\s*(?:个|個)?(半)?\\s*${ZH_UNIT}(半|零?\\d{1,2}分钟?|零?[一二三四五六七八九十]{1,3}分钟?)?`

const UNIT_MIN: [RegExp, number][] = [
  [/^(?:m|分)/u, 1],
  [/^(?:h|小时|钟头)/u, 60],
  [/^刻/u, 15],
  [/^(?:d|天)/u, 1440],
  [/^(?:w|周|星期)/u, 10_080],
]
export const unitMinutes = (unit: string) => UNIT_MIN.find(([sign]) => sign.test(unit.toLowerCase()))?.[1] ?? NaN

/** The minutes of a match of EN_SPAN; `at` is the index of its first group. */
export function englishSpan(match: readonly string[], at: number): number {
  const unit = unitMinutes(match[at + 1] ?? '')
  const extra = match[at + 2] ?? ''
  const more = extra === 'a half' ? unit / 2 : extra === 'a quarter' ? unit / 4 : Number(extra)
  return Math.round(amountOf(match[at] ?? '') * unit + more)
}

export function chineseSpan(match: readonly string[], at: number): number {
  const unit = unitMinutes(match[at + 2] ?? '')
  const tail = match[at + 3] ?? ''
  const minutes = tail === '' || tail === '半' ? 0 : amountOf(tail.replace(/^零|分钟?$/gu, ''))
  const half = match[at + 1] === '半' || tail === '半' ? unit / 2 : 0
  return Math.round(amountOf(match[at] ?? '') * unit + half + minutes)
}

const IN_CHINESE = new RegExp(ZH_SPAN, 'u')
const IN_ENGLISH = new RegExp(`(?<![\\w.])${EN_SPAN}`, 'iu')

/** Finds a duration anywhere in a short text (`an hour and a half`, `一个半小时`, `30`): whole minutes ≥ 1, else null. */
export function minutesIn(text: string): number | null {
  const chinese = IN_CHINESE.exec(text)
  const english = IN_ENGLISH.exec(text)
  const bare = /^\s*(?:about\s+|大约|大概)?(\d{1,4})\s*[.。!]?\s*$/u.exec(text)
  const minutes = chinese ? chineseSpan(chinese, 1) : english ? englishSpan(english, 1) : bare ? Number(bare[1]) : NaN
  return Number.isFinite(minutes) && minutes >= 1 ? minutes : null
}
