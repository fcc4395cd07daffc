/** Recognizes what is left of a sentence when everything else was read: no title for an entry (U63). */
import { hasHan } from '../time/dates.ts'

const STOP = new Set(
  `a an the my our your his her their its some any this that these those it i me we us you he she they them to of for with without at on in
  about and or but nor by from as into onto off up out over under than then so if is are was were be been do does did not no nope yes yeah ok
  okay well um uh er hm hmm oh ah eh huh please thanks just also too very there here what which who when where how why wait sorry actually rather mean instead
  s t re ll ve d m pm am o clock new another one`
    .split(/\s+/u)
    .filter((word) => word !== ''),
)
const ZH_STOP_WORDS = /什么|然后|或者|可是|不过|因为|所以|如果|一下|一个|关于|[我你他她]们|自己|那些|这些/gu
const ZH_STOP_SIGNS =
  /^[的了和与跟同或及在于从到向对给把被让将为以由是不没无有就也都还又再才只而且但若则其之吧吗呢啊呀哦嗯哎嘛么这那哪它我你您他她个上下里中时候请要去说呃]*$/u
const isZhStop = (signs: string) => ZH_STOP_SIGNS.test(signs.replace(ZH_STOP_WORDS, ''))
/** English verbs that say nothing without what they are done to. */
const NEEDS_MORE =
  /^(?:buy|get|grab|call|phone|ring|e-?mail|mail|text|message|send|pay|order|return|bring|take|put|add|ask|fix|repair|sell|meet|visit|book|schedule|plan|note|write|make|do|find|give|tell|remind|remember|collect|pick|drop|deliver|invite|prepare|contact|see|attend|join)$/iu
const BARE_AFTER = new Set(
  'a an the my our your his their some any of for to with about from at on in by and or no not up off'.split(' '),
)
const ZH_BARE =
  /^(?:去|要)?(?:买|购买|打|给|送|寄|取|拿|接|交|付|缴|还|洗|做|煮|修|换|写|看|订|发|回|喂|搬|租|剪|擦|关|开|带|扔|联系|通知|提交|检查|更新|准备|提醒|添加|安排|预约)(?:给|到|一下|个)?(?:的|了|吧|呢)*$/u

/** Where an entry should go says nothing of what it is. */
const CONTAINER = /^(?:(?:to|in|into|on|onto) )?(?:my |the )?(?:calendar|list|to ?do list|agenda|diary)$/iu

/** A title of more words is never a left-over, which bounds the work. */
const CHARS_MAX = 60

/** Whether a text is empty, has only punctuation and words without a meaning of their own, or is a bare verb. */
export function isLeftOver(text: string): boolean {
  if (text.length > CHARS_MAX || text === 'A') return false
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)) return true
  const bare = text.replace(/[^\p{L}\p{N}\p{Extended_Pictographic}]+/gu, ' ').trim()
  if (hasHan(bare)) {
    const signs = bare.replaceAll(' ', '')
    return isZhStop(signs) || ZH_BARE.test(signs)
  }
  if (CONTAINER.test(bare)) return true
  const words = bare.toLowerCase().split(' ')
  const [first = '', ...others] = words
  if (NEEDS_MORE.test(first) && others.every((word) => BARE_AFTER.has(word))) return true
  // A number alone may be a title, such as that of a book; beside a small word it is a piece of a time.
  return (
    words.some((word) => STOP.has(word)) && words.every((word) => STOP.has(word) || /^\d{1,4}(?:[ap]m)?$/u.test(word))
  )
}

const CORRECTION =
  /,\s?(?:no|nope|wait|sorry|scratch that|i mean|i meant|or rather|make that|not)\s?,|,\s?(?:wait|scratch that|i mean|i meant|or rather|make that)\s|[,，]\s?(?:不|不对|不是|错了|等等|等一下)\s?[,，]|(?:^|[,，])\s?(?:不对|说错了)\s?[,，]?/iu

/** Whether a title says nothing of what the entry is, or not what is meant. */
export const isNoName = (title: string): boolean => isLeftOver(title) || isCorrected(title)

/** Whether a title has a correction within it, as `dentist, no, at 4pm` does: what is meant is not what stands there. */
export const isCorrected = (text: string): boolean => CORRECTION.test(` ${text} `)
