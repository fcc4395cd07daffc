/**
 * Reads the markup that a model writes for the program in its replies: declared steps, completion marks, transition words and
 * what it says of the goal (O4-01 to O4-03, R23). Markup in a code fence or in a think block does not count.
 */
import type { Outcome } from '../terms/status.ts'
import type { Settings } from '../terms/settings.ts'
import { removeThinking } from './reply.ts'

const STEP = '[Step]'
const MARKERS = /\[(?:done|完成|step done|步骤完成|complete|completed|结束)\]/gi

/** What says at the end of an answer that the goal is reached. A mark of a step says it there too. */
const REACHED = /\[(?:goal reached|目标达成|目标已达成)\]/gi

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

/** The markup of a reply. */
export interface Markup {
  /** The titles of the declared steps, in order. */
  steps: string[]
  /** Whether the reply marks its step as done. */
  says_done: boolean
  /** How many steps its marks end: those with which lines begin, and one if all marks stand within lines. */
  done_count: number
  /** Whether its last line ends with a mark that the goal is reached. */
  says_reached: boolean
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
  const says_done = prose.some(({ text }) => text.search(MARKERS) !== -1)
  return {
    steps: prose.flatMap((line) => declaredTitle(line, reading) || []),
    says_done,
    done_count: reading.strict_replies ? Number(says_done) : Math.max(Number(says_done), leadingMarks(prose)),
    says_reached: !reading.strict_replies && endsWithMark(prose.findLast(({ text }) => text.trim() !== '')?.text ?? ''),
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

/** The marks with which lines begin. Bullets and bold letters may stand before them. */
const leadingMarks = (prose: readonly Line[]): number =>
  prose.reduce((count, { text }) => {
    const [first = '', ...others] = text.split(MARKERS)
    if (others.length === 0 || /[^\s*_#>+•-]/.test(first)) return count
    const next = others.findIndex((part) => /[^\s*_,.;。，；]/.test(part))
    return count + (next === -1 ? others.length : next + 1)
  }, 0)

/** Whether a line ends with a mark. Signs of a sentence or of bold letters may stand behind it. */
function endsWithMark(line: string): boolean {
  const text = [...line].findLastIndex((sign) => !/[\s.。!！*_]/.test(sign))
  const end = [...line].slice(0, text + 1).join('')
  const from = end.lastIndexOf('[')
  return from !== -1 && [MARKERS, REACHED].some((marks) => end.slice(from).replaceAll(marks, '') === '')
}

function visibleLine(line: Line, reading: MarkReading): string[] {
  if (declaredTitle(line, reading) !== null) return []
  if (!reading.strict_replies && verdictIn(line) !== null) return []
  const marks = reading.strict_replies ? [MARKERS] : [MARKERS, REACHED]
  if (line.fenced || marks.every((mark) => line.text.search(mark) === -1)) return [line.text]
  const text = marks.reduce((rest, mark) => rest.replaceAll(mark, ''), line.text).trim()
  return text === '' ? [] : [text]
}
