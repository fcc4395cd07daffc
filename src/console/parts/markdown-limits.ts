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

/** A block may end once it is so long. */
const BLOCK_CHARS = 4_000

/**
 * A long text in blocks, so that one after the other can be read. A block ends with an empty line before a line that is not indented, and
 * in no code between fences: there neither a list nor code is cut in two.
 */
export function blocksOf(text: string): string[] {
  if (text.length <= CHARS_MAX) return [text]
  const blocks: string[] = []
  const all = text.split('\n')
  let [lines, chars, fence]: [string[], number, string | null] = [[], 0, null]
  for (const [index, line] of all.entries()) {
    fence = fenceAfter(line, fence)
    lines.push(line)
    chars += line.length
    if (fence !== null || chars < BLOCK_CHARS || line.trim() !== '' || !/^\S/.test(all[index + 1] ?? '')) continue
    blocks.push(lines.join('\n'))
    ;[lines, chars] = [[], 0]
  }
  return [...blocks, lines.join('\n')]
}

/** The marks that opened the code a line stands in, in a list or not; null: it stands in none. */
function fenceAfter(line: string, open: string | null): string | null {
  if (open !== null) {
    const marks = /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1]
    return marks?.startsWith(open) === true ? null : open
  }
  return /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1] ?? null
}
