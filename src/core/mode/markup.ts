/**
 * What a model writes for the program between the lines of its replies: declared steps, marks of completion, words of transition
 * (O4-01…O4-03, R23). Pure functions of a text. Inside a code fence, or a think block, nothing of it counts.
 */
import { withoutThinking } from './reply.ts'

const STEP = '[Step]'
const MARKERS = /\[(?:done|完成|step done|步骤完成|complete|completed|结束)\]/gi

/** Chinese words are found anywhere; English ones only where no letter or digit of theirs goes on. */
const TRANSITION =
  /现在|接下来|然后|继续|开始|(?<![\p{Script=Latin}\p{N}_])(?:next|now|then|continue|let\s+me|proceed)(?![\p{Script=Latin}\p{N}_])/iu

export interface Line {
  text: string
  /** Within a code fence that is closed again. */
  fenced: boolean
}

/** The lines of a text, and which of them are code. */
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

/** The title a line declares; null where it declares none (O4-03: bullets and numbers before it prevent that). */
function declaredBy({ text, fenced }: Line): string | null {
  const line = text.trim()
  return fenced || !line.startsWith(STEP) ? null : line.slice(STEP.length).trim()
}

/** Everything a reply says to the program. */
export interface Markup {
  /** Titles of the steps it declares, in order. */
  steps: string[]
  /** Whether it says that the step is done. */
  marked: boolean
  /** Whether it goes over to something else. A declared title is no such word. */
  moves_on: boolean
  /** What it says to people. */
  shown: string
}

export function readMarkup(reply: string): Markup {
  const lines = fencedLines(withoutThinking(reply))
  const own = lines.filter(({ fenced }) => !fenced)
  return {
    steps: own.flatMap((line) => declaredBy(line) || []),
    marked: own.some(({ text }) => text.search(MARKERS) !== -1),
    moves_on: own.some((line) => declaredBy(line) === null && TRANSITION.test(line.text)),
    shown: lines.flatMap(shownLine).join('\n').trim(),
  }
}

function shownLine(line: Line): string[] {
  if (declaredBy(line) !== null) return []
  if (line.fenced || line.text.search(MARKERS) === -1) return [line.text]
  const rest = line.text.replaceAll(MARKERS, '').trim()
  return rest === '' ? [] : [rest]
}
