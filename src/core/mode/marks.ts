/**
 * The marks of a line that count: those with which it begins, and those at its end. A mark within a line, in quotation marks, or that
 * the line speaks of is a word like any other.
 */

/** A mark of a step that is done, or of a goal that is reached. A link in brackets is none. */
const MARK = /\[(?:(done|完成|step done|步骤完成|complete|completed|结束)|goal reached|目标达成|目标已达成)\](?!\()/gi

interface Mark {
  from: number
  to: number
  /** It is the mark of a step. */
  ends_step: boolean
}

export interface LineMarks {
  /** How many steps the marks end with which the line begins. */
  leading_count: number
  /** Whether any mark of the line ends a step. */
  ends_step: boolean
  /** Whether the line begins with a mark. */
  is_led: boolean
  /** Whether nothing stands behind the last mark. */
  is_closed: boolean
  /** The line without its marks. */
  text: string
}

/** Bullets, numbers, headings and bold letters. */
const BEFORE = /^[\s*_#>+•-]*(?:\d{1,3}[.)、][\s*_#>+•-]*)?$/
const LIST_ITEM = /(?:[-*+•]\s|\d[.)、])/
const BETWEEN = /^[\s*_,.;。，；]*$/
const BEHIND = /^[\s.。!！*_✅✓✔]*$/u
/** What is left of a line that had nothing but marks. */
const NOTHING = /^[\s*_#>+•.,;。，；!！✅✓✔-]*(?:\d{1,3}[.)、][\s*_#>+•.,;。，；!！✅✓✔-]*)?$/u

/** The text behind a mark says what the mark means. A new sentence begins with a capital letter. */
const EXPLAINS =
  /^(?:[=→]|->|(?:means?|marks?|says|stands?|is|ends?|closes?|tells?|shows?|signals?|indicates?|will|would|when|once|if)(?![\p{L}\p{N}_])|表示|代表|意味|用于|用来|标志|是指)/u
const EXPLAINS_IN_LIST = /^(?:[:：–—]|-\s)/

/** A sentence with one of these says when the mark will be written, or that something is not done. */
const CONDITION =
  /n['’]t\s|['’]ll\s|(?<![\p{L}\p{N}_])(?:will|would|shall|should|must|when|once|until|unless|if|not|never|yet)(?![\p{L}\p{N}_])|如果|直到|一旦|尚未|还没|未/iu
/** Directly behind one of these a mark is what the sentence speaks of. */
const NAMES_MARK =
  /(?:(?<![\p{L}\p{N}_])(?:write|writes|writing|written|say|says|saying|reply|replies|respond|mark|marks|marker|word|line|means|is|without|with|as|by|the|an?|of|or)|写|写上|输出|标记|标注|回复|[时以用为])\s*$/iu
const SENTENCE_ENDS = ['.', '!', '?', '。', '！', '？', ';', '；', '…']
/** A mark behind an open quotation mark is quoted, and behind a letter it is an index. */
const ATTACHED = /(?:["'“‘「『«`][*_]*|[A-Za-z0-9_\])])$/

const NO_MARKS = { leading_count: 0, ends_step: false, is_led: false, is_closed: false }

export function marksOf(line: string): LineMarks {
  if (!line.includes('[')) return { ...NO_MARKS, text: line }
  const marks = [...line.matchAll(MARK)].map((match): Mark => {
    const from = match.index
    return { from, to: from + match[0].length, ends_step: match[1] !== undefined }
  })
  const leading = leadingMarks(line, marks)
  const start = leading.at(-1)?.to ?? 0
  const closing = closingMarks(line, marks.slice(leading.length), start)
  const counted = [...leading, ...closing]
  return {
    leading_count: leading.filter(({ ends_step }) => ends_step).length,
    ends_step: counted.some(({ ends_step }) => ends_step),
    is_led: leading.length > 0,
    is_closed: closing.length > 0 || (leading.length > 0 && BEHIND.test(line.slice(start))),
    text: counted.length === 0 ? line : textWithout(line, leading, closing),
  }
}

/** How many marks from the first one on stand side by side. */
function countTogether(line: string, marks: readonly Mark[]): number {
  const apart = marks.findIndex(({ from }, index) => {
    const before = marks[index - 1]
    return before !== undefined && !BETWEEN.test(line.slice(before.to, from))
  })
  return apart === -1 ? marks.length : apart
}

function leadingMarks(line: string, marks: readonly Mark[]): readonly Mark[] {
  const [first] = marks
  const before = line.slice(0, first?.from ?? 0)
  if (first === undefined || !BEFORE.test(before)) return []
  const leading = marks.slice(0, countTogether(line, marks))
  const behind = line.slice(leading.at(-1)?.to).replace(/^[\s*_]+/, '')
  const isExplained = EXPLAINS.test(behind) || (LIST_ITEM.test(before) && EXPLAINS_IN_LIST.test(behind))
  return isExplained ? [] : leading
}

/** The marks at the end of a line, of which the sentence before them does not speak. */
function closingMarks(line: string, marks: readonly Mark[], start: number): readonly Mark[] {
  const last = marks.at(-1)
  if (last === undefined || !BEHIND.test(line.slice(last.to))) return []
  const apart = marks.findLastIndex(({ to }, index) => {
    const next = marks[index + 1]
    return next !== undefined && !BETWEEN.test(line.slice(to, next.from))
  })
  const closing = marks.slice(apart + 1)
  const before = line.slice(start, closing[0]?.from)
  const sentence = before.slice(Math.max(...SENTENCE_ENDS.map((sign) => before.lastIndexOf(sign))) + 1)
  return ATTACHED.test(before) || CONDITION.test(sentence) || NAMES_MARK.test(sentence) ? [] : closing
}

function textWithout(line: string, leading: readonly Mark[], closing: readonly Mark[]): string {
  const [first_from, start] = [leading[0]?.from ?? 0, leading.at(-1)?.to ?? 0]
  const [end, last_to] = [closing[0]?.from ?? line.length, closing.at(-1)?.to ?? line.length]
  const before = joinAround(line.slice(0, first_from), line.slice(start, end).replace(/^[:：]/, ''))
  const text = joinAround(closing.length === 0 ? before : before.trimEnd(), line.slice(last_to)).trim()
  return NOTHING.test(text) ? '' : text
}

/** The text around a mark, without the signs that made the mark alone bold. */
function joinAround(before: string, behind: string): string {
  const [signs = ''] = /(?:\*\*|__|\*|_)$/.exec(before) ?? []
  const isBold = signs !== '' && behind.startsWith(signs)
  const [left, right] = isBold ? [before.slice(0, -signs.length), behind.slice(signs.length)] : [before, behind]
  return left + (/\s$/.test(left) ? right.trimStart() : right)
}
