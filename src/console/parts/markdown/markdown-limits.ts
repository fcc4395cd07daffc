/** Decides which texts are parsed as Markdown. Some texts take quadratic time or too much stack, and are shown as they are. */

/** The parser takes a third of a second for the worst known text of this length. */
const CHARS_MAX = 12_000
/** Marks of emphasis. The parser may compare each one with every open one. */
const DELIMITERS_MAX = 1_500
/** A line that opens many quotes and lists inside each other, such as `> > - 1. `. */
const NESTED_DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){30}/m

export function isReadable(text: string): boolean {
  if (text.length > CHARS_MAX || NESTED_DEEP.test(text)) return false
  return (text.match(/[*_~]/g)?.length ?? 0) <= DELIMITERS_MAX
}

/** A block of this length ends at the next empty line. */
const BLOCK_CHARS = 4_000
/** A block of this length also ends before an item of a list, or inside a table. */
const LONG_CHARS = 8_000
/** A block of this length also ends inside code. */
const CODE_CHARS = 8_500
/** A longer opening line is not repeated in the next block, so that the block can still be parsed. */
const HEAD_CHARS = 500
const ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/
const [DEFINITIONS_MAX, DEFINITION_CHARS] = [20, 150]

/**
 * Cuts a long text into blocks that are parsed one after the other. No cut is made before an indented line. Code and tables that go on in
 * the next block are opened there again, and each block gets the link definitions of the whole text.
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

/** The line that opened the code around a line, and the two lines that began its table; null outside of one. */
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
