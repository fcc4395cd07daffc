/** Reads yes and no in the members of a reply. Models write them as a number or a word, in English or Chinese, and end the word like a sentence. */

const YES: ReadonlySet<unknown> = new Set([true, 1, ...words('true yes y 1 是 是的 对 对的 對 真')])
const NO: ReadonlySet<unknown> = new Set([
  false,
  0,
  ...words('false no n 0 否 不 不是 不是的 不对 不對 没有 没 沒有 错 假'),
])

/** A goal that was reached in part, or not yet, was not reached. */
const NOT_REACHED: ReadonlySet<unknown> = new Set([
  ...words('partly partially partial 部分 部分地 部分完成 部分达成 未完成 尚未完成 未达成'),
  'in part',
  'not yet',
  'not achieved',
  'not done',
])

function words(text: string): string[] {
  return text.split(' ')
}

/** null: the value is neither yes nor no. */
export function yesOrNo(value: unknown): boolean | null {
  const word = bareWord(value)
  return YES.has(word) ? true : NO.has(word) ? false : null
}

/** A verdict that goes on with its reason, such as "no, the site was down", and words that say no by themselves. */
const NO_WITH_REASON =
  /^(?:no|nope|false|否|不|没有|沒有)\s{0,4}[,;:(—–，。；：（-]|^(?:fail(?:s|ed|ure)?|incomplete|unfinished|unsuccessful|impossible|partly|partial(?:ly)?|cannot)(?![\p{L}\p{N}_])|^not (?:\w{1,20} )?(?:achieved|completed?|done|finished|found|fully|possible|reached)(?![\p{L}\p{N}_])|^(?:未|尚未|无法|無法|失败|失敗|部分)/u
const YES_WITH_REASON = /^(?:yes|true|是|是的)\s{0,4}[,;:(—–，。；：（-]/u

/** A verdict on whether a goal was reached. null: the value says nothing of it. */
export function readVerdict(value: unknown): boolean | null {
  const word = bareWord(value)
  if (NOT_REACHED.has(word)) return false
  const plain = yesOrNo(value)
  if (plain !== null || typeof word !== 'string') return plain
  return NO_WITH_REASON.test(word) ? false : YES_WITH_REASON.test(word) ? true : null
}

/** Signs around a word that do not change it. */
const AROUND = new Set(' .!。！"\'“”‘’「」`*')

/** A word trimmed, in lower case, without the signs around it. Any other value stays. */
export function bareWord(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const word = value.trim()
  let from = 0
  let to = word.length
  while (from < to && AROUND.has(word.charAt(from))) from++
  while (to > from && AROUND.has(word.charAt(to - 1))) to--
  return word.slice(from, to).toLowerCase()
}
