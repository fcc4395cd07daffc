/**
 * Reads the markup that a model writes for the program in its replies: declared steps, completion marks and transition
 * words (O4-01 to O4-03, R23). Markup in a code fence or in a think block does not count.
 */
import { removeThinking } from './reply.ts'

const STEP = '[Step]'
const MARKERS = /\[(?:done|完成|step done|步骤完成|complete|completed|结束)\]/gi

/** Chinese words are found anywhere. English words are found only as whole words, else "know" would contain "now". */
const TRANSITION =
  /现在|接下来|然后|继续|开始|(?<![\p{Script=Latin}\p{N}_])(?:next|now|then|continue|let\s+me|proceed)(?![\p{Script=Latin}\p{N}_])/iu

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

/** The title of the step that a line declares, or null. A line that begins with a bullet or a number declares none (O4-03). */
function declaredTitle({ text, fenced }: Line): string | null {
  const line = text.trim()
  return fenced || !line.startsWith(STEP) ? null : line.slice(STEP.length).trim()
}

/** The markup of a reply. */
export interface Markup {
  /** The titles of the declared steps, in order. */
  steps: string[]
  /** Whether the reply marks its step as done. */
  says_done: boolean
  /** Whether the reply has a transition word. Words in a declared title do not count. */
  moves_on: boolean
  /** The reply without its markup, which people see. */
  visible_text: string
}

export function readMarkup(reply: string): Markup {
  const lines = fencedLines(removeThinking(reply))
  const prose = lines.filter(({ fenced }) => !fenced)
  return {
    steps: prose.flatMap((line) => declaredTitle(line) || []),
    says_done: prose.some(({ text }) => text.search(MARKERS) !== -1),
    moves_on: prose.some((line) => declaredTitle(line) === null && TRANSITION.test(line.text)),
    visible_text: lines.flatMap(visibleLine).join('\n').trim(),
  }
}

function visibleLine(line: Line): string[] {
  if (declaredTitle(line) !== null) return []
  if (line.fenced || line.text.search(MARKERS) === -1) return [line.text]
  const text = line.text.replaceAll(MARKERS, '').trim()
  return text === '' ? [] : [text]
}
