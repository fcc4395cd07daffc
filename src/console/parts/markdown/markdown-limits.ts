/** Which texts are read as Markdown at all: the reader takes time by the square of some, and its stack for others. The rest is shown as it is. */

/** The worst text of this length that is known takes the reader a third of a second. */
const CHARS_MAX = 12_000
/** Of emphasis: each may be held against each that is open. */
const DELIMITERS_MAX = 1_500
/** Quotes and lists in one another, as a line opens them: `> > - 1. `. */
const NESTED_DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){30}/m

export function isReadable(text: string): boolean {
  if (text.length > CHARS_MAX || NESTED_DEEP.test(text)) return false
  return (text.match(/[*_~]/g)?.length ?? 0) <= DELIMITERS_MAX
}

/** A block ends with the next empty line once it is so long, */
const BLOCK_CHARS = 4_000
/** before an item of a list or within a table where there is none, */
const LONG_CHARS = 8_000
/** and within code that does not end. */
const CODE_CHARS = 8_500
/** Longer ones are not begun anew: a block has to stay one that can be read. */
const HEAD_CHARS = 500
const ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/
const [DEFINITIONS_MAX, DEFINITION_CHARS] = [20, 150]

/**
 * A long text in blocks, so that one after the other can be read. None is cut where a line is indented; code and tables that go on in the
 * next block are begun there anew; each knows what links are defined anywhere.
 */
export function blocksOf(text: string): string[] {
  if (text.length <= CHARS_MAX) return [text]
  const all = text.split('\n')
  const blocks: string[] = []
  let [lines, chars]: [string[], number] = [[], 0]
  let inside: Inside = OUTSIDE
  const cut = (end: string[], begin: string[]) => {
    blocks.push([...lines, ...end].join('\n'))
    ;[lines, chars] = [begin, 0]
  }
  for (const [index, line] of all.entries()) {
    const next = all[index + 1] ?? ''
    inside = insideAfter(inside, line, next)
    lines.push(line)
    chars += line.length
    const { fence, head } = inside
    if (chars >= CODE_CHARS && fence !== null) cut([marksOf(fence)], [fence])
    else if (chars >= LONG_CHARS && head !== null && next.includes('|')) cut([], [...head])
    else if (fence === null && chars >= BLOCK_CHARS && endsBlock(line, next, chars)) cut([], [])
  }
  cut([], [])
  return withDefinitions(blocks, all)
}

const endsBlock = (line: string, next: string, chars: number) =>
  ITEM.test(next) ? chars >= LONG_CHARS : line.trim() === '' && /^\S/.test(next)

/** The line that opened the code, and the two that begin the table, in which a line stands; null: in none. */
interface Inside {
  fence: string | null
  head: readonly [string, string] | null
}
const OUTSIDE: Inside = { fence: null, head: null }
const OPENING = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:`{3,}(?=[^`]*$)|~{3,})/
const CLOSING = /^\s*(?:`{3,}|~{3,})\s*$/
const isDelimiters = (line: string) => line.includes('|') && /^-+$/.test(line.replaceAll(/[|:\s]/g, ''))
const marksOf = (fence: string) => /`{3,}|~{3,}/.exec(fence)?.[0] ?? ''

function insideAfter({ fence, head }: Inside, line: string, next: string): Inside {
  if (fence !== null) return CLOSING.test(line) && line.trim().startsWith(marksOf(fence)) ? OUTSIDE : { fence, head }
  if (line.length <= HEAD_CHARS && OPENING.test(line)) return { fence: line, head: null }
  if (head !== null) return line.trim() === '' ? OUTSIDE : { fence, head }
  const isHead = line.includes('|') && line.length + next.length <= HEAD_CHARS && isDelimiters(next)
  return isHead ? { fence, head: [line, next] } : OUTSIDE
}

function withDefinitions(blocks: string[], lines: readonly string[]): string[] {
  const definitions = lines
    .filter((line) => line.length <= DEFINITION_CHARS && /^ {0,3}\[[^\]^]+\]:\s*\S/.test(line))
    .slice(0, DEFINITIONS_MAX)
  return definitions.length === 0 ? blocks : blocks.map((block) => `${block}\n\n${definitions.join('\n')}`)
}
