/** Decides whether a piece of a goal is work, a constraint on it, or a statement about it. The script of its first character decides the language. */
import * as chinese from './chinese.ts'
import * as english from './english.ts'

export type PieceKind = 'step' | 'constraint' | 'context'

const POLITE_MAX = 6
const AFTER_CHARS = 40
const POLITE_AFTER =
  /[\s,，]{0,2}(?:\b(?:please|pls|thanks|thank you|thanks a lot|as soon as possible|asap)|谢谢|多谢|拜托了?|好吗|可以吗)[\s.!。！~]*$/iu
const BULLET = /^(?:[-*•·]\s+|[,，、:：.。]\s*)/u

/** Removes greetings and politeness from both ends. */
export function withoutPoliteness(text: string): string {
  let rest = text.trim()
  for (let times = 0; times < POLITE_MAX; times++) {
    const before = rest
    rest = chinese.politeChinese(english.politeEnglish(rest.replace(BULLET, ''), begins), begins).trim()
    if (rest === before) break
  }
  const end = rest.slice(-AFTER_CHARS)
  return rest.slice(0, rest.length - end.length) + end.replace(POLITE_AFTER, '')
}

const begins = (text: string): boolean => isWork(text) || isConstraint(text)
const ORDER_CHARS = 20
const GREETING = /^(?:hi|hello|hey|dear all|thanks|thank you|please|你好|您好|大家好|谢谢|请)(?: there| all| team)?$/iu
/** Whether a text is only a word of sequence, such as `first` or `then`, or a greeting. */
export const isOrderOrGreeting = (text: string): boolean =>
  text.length <= ORDER_CHARS && (GREETING.test(text) || english.isEnglishOrder(text) || chinese.isChineseOrder(text))
export const isWork = (text: string): boolean => english.englishWork(text) !== null || chinese.isChineseWork(text)
export const isConstraint = (text: string): boolean =>
  english.isEnglishConstraint(text) || chinese.isChineseConstraint(text)
/** Decides by the first word alone. */
export const beginsConstraint = (text: string): boolean =>
  english.beginsEnglishConstraint(text) || chinese.beginsChineseConstraint(text)
/** Decides by the verb of its subject. */
export const isObliged = (text: string): boolean => english.isEnglishObliged(text) || chinese.isChineseObliged(text)
/** A list behind it belongs to the constraint. */
export const binds = (text: string): boolean => english.bindsEnglish(text) || chinese.bindsChinese(text)
/** A constraint that is also the work, where there is no other work. */
export const obliges = (text: string): boolean => english.obligesEnglish(text) || chinese.obligesChinese(text)
/** A condition comes first, and the work is behind it. */
export const isCondition = (text: string): boolean =>
  english.isEnglishCondition(text) || chinese.isChineseCondition(text)
/** A hint on the text before it. */
export const isHint = (text: string): boolean => english.isEnglishHint(text) || chinese.isChineseHint(text)

export function pieceKindOf(text: string): PieceKind {
  const bare = withoutPoliteness(text)
  if (isConstraint(bare)) return 'constraint'
  if (isWork(bare)) return 'step'
  return english.isEnglishStatement(bare) || chinese.isChineseStatement(bare) ? 'context' : 'step'
}

/** Whether `right` is work of its own, or belongs to `left`. */
export function cuts(left: string, right: string, sign: string, joint: english.Joint): boolean {
  const bare = withoutPoliteness(right)
  return /^[a-z]/iu.test(bare) ? english.cutsEnglish(left, bare, joint) : chinese.cutsChinese(left, bare, sign, joint)
}
