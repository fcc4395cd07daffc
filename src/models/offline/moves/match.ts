/** Compares the words of a request with the text of an entry. The rules act only on a full match and ask about a partial one. */
import { hasHan } from '../time/dates.ts'

/** Whether the text has all meaningful words, some of them, or none. */
type Fit = 'all' | 'some' | 'none'

/** Words without a meaning of their own. */
const SMALL = new Set(
  'a an the my our your his her their its this that these those to of for with at on in about and or some by from me i we called named'.split(
    ' ',
  ),
)
/** Words for the kind of an entry; they count only when the request has no other word. */
const KIND = new Set(
  'event events appointment appointments entry entries item items todo todos task tasks reminder reservation booking calendar'.split(
    ' ',
  ),
)
const ZH_SMALL = /[的了和与跟同我]|这个|那个|一[下个]/gu
const ZH_KIND = /(?:日程|预约|安排|行程|待办(?:事项)?|任务)$/u

const plainWord = (word: string) => word.replace(/'s?$/u, '').replace(/(?<=\w{2}[^s])s$/u, '')
const wordsIn = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).filter((word) => !SMALL.has(word))
const chineseCore = (text: string) =>
  text
    .replace(ZH_SMALL, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

export function fitOf(subject: string, text: string): Fit {
  const both = hasHan(subject) ? fitOfChinese(subject, text) : fitOfWords(subject, text)
  return both === 'none' && subject.trim() !== '' && text.toLowerCase() === subject.trim().toLowerCase() ? 'all' : both
}

function fitOfWords(subject: string, text: string): Fit {
  const all = wordsIn(subject).map(plainWord)
  const telling = all.filter((word) => !KIND.has(word) && !KIND.has(`${word}s`))
  const wanted = telling.length > 0 ? telling : all
  const given = new Set(wordsIn(text).map(plainWord))
  const found = wanted.filter((word) => given.has(word) || (hasHan(text) && text.toLowerCase().includes(word)))
  if (found.length === 0) return 'none'
  return found.length === wanted.length ? 'all' : 'some'
}

function fitOfChinese(subject: string, text: string): Fit {
  const bare = chineseCore(subject.replace(ZH_KIND, ''))
  const core = bare === '' ? chineseCore(subject) : bare
  const given = chineseCore(text)
  if (core === '') return 'none'
  if (given.includes(core)) return 'all'
  const signs = [...core]
  const pairs = signs.slice(1).map((sign, index) => `${signs[index]}${sign}`)
  return pairs.some((pair) => given.includes(pair)) ? 'some' : 'none'
}

/** Whether a request names only a kind of entry (`my meeting`, `会议`). */
export const isKindOnly = (subject: string) =>
  wordsIn(subject).every((word) => KIND.has(word) || /^(?:meetings?|calls?)$/u.test(word)) ||
  /^(?:会议|会|开会|日程|活动|安排|预约|行程|事情?)$/u.test(chineseCore(subject))
