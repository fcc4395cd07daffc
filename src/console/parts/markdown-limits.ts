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
