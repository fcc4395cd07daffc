/**
 * Reads the markup that a model writes for the program in its replies: declared steps, completion marks, transition words and
 * what it says of the goal (O4-01 to O4-03, R23). Markup in a code fence or in a think block does not count.
 */
import type { Outcome } from '../terms/status.ts'
import type { Settings } from '../terms/settings.ts'
import { marksOf, type LineMarks } from './marks.ts'
import { removeThinking } from './reply.ts'

const STEP = '[Step]'

/** Read strictly, a mark of a step counts anywhere (O4-01). */
const MARKERS = /\[(?:done|完成|step done|步骤完成|complete|completed|结束)\]/gi

/** Chinese words are found anywhere. English words are found only as whole words, else "know" would contain "now". */
const TRANSITION =
  /现在|接下来|然后|继续|开始|(?<![\p{Script=Latin}\p{N}_])(?:next|now|then|continue|let\s+me|proceed)(?![\p{Script=Latin}\p{N}_])/iu

/** A line with one of these words says that the step goes on, whatever word of transition it has. */
const STAYS =
  /这一步|本步|当前步骤|还没|尚未|仍|再试|重试|(?<![\p{Script=Latin}\p{N}_])(?:this\s+step|current\s+step|not\s+yet|still|again|retry)(?![\p{Script=Latin}\p{N}_])/iu

export interface Line {
  text: string
  /** The line is in a code fence. A fence that is never closed is not one. */
  fenced: boolean
}

/** The lines of a text, each with whether it is code. */
export function fencedLines(text: string): Line[] {
  const lines = text.split('\n').map((line): Line => ({ text: line, fenced: false }))
  let open: { index: number; fence: string } | null = null
  lines.forEach((line, index) => {
    const [fence] = /^(?:```|~~~)/.exec(line.text.trimStart()) ?? []
    if (fence === undefined) return
    if (open === null) open = { index, fence }
    else if (open.fence === fence) {
      for (const inside of lines.slice(open.index, index + 1)) inside.fenced = true
      open = null
    }
  })
  return lines
}

/** How strictly the marks of a reply are read (ruling 32). */
type MarkReading = Pick<Settings, 'strict_replies'>

/** What models write before a declaration: a bullet, a number, a heading, bold letters. */
const BEFORE_STEP = /^(?:[-*+•]\s|\d{1,3}[.)、]|#{1,6}\s)?\s{0,8}(\*\*|__)?\[step\]/i

/** The title of the step that a line declares, or null. Read strictly, a line with a bullet or a number declares none (O4-03). */
function declaredTitle({ text, fenced }: Line, { strict_replies }: MarkReading): string | null {
  const line = text.trim()
  if (fenced) return null
  if (strict_replies) return line.startsWith(STEP) ? line.slice(STEP.length).trim() : null
  const [mark, bold] = BEFORE_STEP.exec(line) ?? []
  if (mark === undefined) return null
  const title = line.slice(mark.length)
  return withoutColon((bold === undefined ? title : title.replace(bold, '')).trim())
}

const withoutColon = (title: string): string => (/^[:：]/.test(title) ? title.slice(1).trim() : title)

/** What the model says of the goal in its answer, on a line of its own. */
const VERDICTS: readonly { words: readonly string[]; outcome: Outcome }[] = [
  { words: ['not done', '未完成'], outcome: 'not_done' },
  { words: ['partly done', 'partially done', '部分完成'], outcome: 'partial' },
]

/** How the model judges what became of the goal. */
interface MarkedVerdict {
  outcome: Outcome
  reason: string
}

/** The verdict of a line such as `[Not done: the site is down]`, or null. */
function verdictIn({ text, fenced }: Line): MarkedVerdict | null {
  const line = text.trim()
  if (fenced || !line.startsWith('[') || !line.endsWith(']')) return null
  const inner = line.slice(1, -1).trim()
  const begins = (word: string) => inner.slice(0, word.length).toLowerCase() === word
  for (const { words, outcome } of VERDICTS) {
    const word = words.find(begins)
    const rest = word === undefined ? null : /^\s?[:：](.*)$/su.exec(inner.slice(word.length))
    if (rest !== null) return { outcome, reason: (rest[1] ?? '').trim() }
  }
  return null
}

/** A line with marks that count. Its last mark says that the goal is reached, if it ends the reply. */
type MarkedLine = Omit<LineMarks, 'is_closed'> & Pick<Markup, 'says_reached'>

/** The markup of a reply. */
export interface Markup {
  /** The titles of the declared steps, in order. */
  steps: string[]
  /** Whether the reply marks its step as done. */
  says_done: boolean
  /** How many steps its marks end: those with which lines begin, and one if marks stand at the ends of lines alone. */
  done_count: number
  /** Whether its last line ends with a mark, which there says that the goal is reached. */
  says_reached: boolean
  /** The lines with marks that count, from which the three members above follow. */
  marked_lines: MarkedLine[]
  /** Whether the reply has a transition word. Words in a declared title do not count. */
  moves_on: boolean
  /** What the reply says of the goal. null: it says nothing, or only that it is done. */
  verdict: MarkedVerdict | null
  /** The reply without its markup, which people see. */
  visible_text: string
}

export function readMarkup(reply: string, reading: MarkReading): Markup {
  const lines = fencedLines(removeThinking(reply))
  const prose = lines.filter(({ fenced }) => !fenced)
  const goesOn = (line: Line) => !reading.strict_replies && STAYS.test(line.text)
  return {
    ...(reading.strict_replies ? strictMarks(prose) : meantMarks(prose)),
    steps: prose.flatMap((line) => declaredTitle(line, reading) || []),
    moves_on: prose.some(
      (line) => declaredTitle(line, reading) === null && TRANSITION.test(line.text) && !goesOn(line),
    ),
    verdict: reading.strict_replies ? null : (prose.map(verdictIn).findLast((one) => one !== null) ?? null),
    visible_text: lines
      .flatMap((line) => visibleLine(line, reading))
      .join('\n')
      .trim(),
  }
}

type ReplyMarks = Pick<Markup, 'says_done' | 'done_count' | 'says_reached' | 'marked_lines'>

function strictMarks(prose: readonly Line[]): ReplyMarks {
  const says_done = prose.some(({ text }) => text.search(MARKERS) !== -1)
  return { says_done, done_count: Number(says_done), says_reached: false, marked_lines: [] }
}

function meantMarks(prose: readonly Line[]): ReplyMarks {
  const last = prose.findLastIndex(({ text }) => text.trim() !== '')
  const lines = prose.map(({ text }, index): MarkedLine => {
    const { is_closed, ...marks } = marksOf(text)
    return { ...marks, says_reached: is_closed && index === last }
  })
  return marksOfLines(lines.filter((line) => line.is_led || line.ends_step || line.says_reached))
}

/** What the marks of lines say together. */
export function marksOfLines(marked_lines: MarkedLine[]): ReplyMarks {
  const says_done = marked_lines.some(({ ends_step }) => ends_step)
  const leading_count = marked_lines.reduce((sum, line) => sum + line.leading_count, 0)
  return {
    says_done,
    done_count: Math.max(Number(says_done), leading_count),
    says_reached: marked_lines.some(({ says_reached }) => says_reached),
    marked_lines,
  }
}

/** Whether every line of a text is for the program: a declared step, a verdict, or a line that begins with a mark. */
export const hasOnlyMarkup = (text: string): boolean =>
  fencedLines(text).every((line) => line.text.trim() === '' || isMarkup(line))

function isMarkup(line: Line): boolean {
  if (line.fenced) return false
  return declaredTitle(line, LENIENT) !== null || verdictIn(line) !== null || marksOf(line.text).is_led
}
const LENIENT: MarkReading = { strict_replies: false }

function visibleLine(line: Line, reading: MarkReading): string[] {
  if (declaredTitle(line, reading) !== null) return []
  if (line.fenced) return [line.text]
  if (!reading.strict_replies && verdictIn(line) !== null) return []
  const text = reading.strict_replies ? withoutMarkers(line.text) : marksOf(line.text).text
  return text === '' && line.text !== '' ? [] : [text]
}

const withoutMarkers = (text: string): string =>
  text.search(MARKERS) === -1 ? text : text.replaceAll(MARKERS, '').trim()
