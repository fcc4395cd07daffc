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

/** A block may be left once it is so long: the next empty line ends it. */
const BLOCK_CHARS = 4_000

/** A long text in blocks, each ended by an empty line that stands in no code, so that one after the other can be read. */
export function blocksOf(text: string): string[] {
  if (text.length <= CHARS_MAX) return [text]
  const blocks: string[] = []
  let [lines, chars, fence]: [string[], number, string | null] = [[], 0, null]
  for (const line of text.split('\n')) {
    fence = fenceAfter(line, fence)
    lines.push(line)
    chars += line.length
    if (fence !== null || chars < BLOCK_CHARS || line.trim() !== '') continue
    blocks.push(lines.join('\n'))
    ;[lines, chars] = [[], 0]
  }
  return [...blocks, lines.join('\n')]
}

/** The marks that opened the code a line stands in; null: it stands in none. */
function fenceAfter(line: string, open: string | null): string | null {
  const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
  if (marks === undefined) return open
  return open === null ? marks : marks.startsWith(open) ? null : open
}
