/** Cells as they come out of a file: which are missing, and how one is kept without the text around it. */

/** As pandas has them, and a lone dash. Texts of files say them; what a JSON `null` becomes is ''. */
const MISSING_WORDS: ReadonlySet<string> = new Set([
  '',
  '-',
  'NA',
  'N/A',
  'n/a',
  '#N/A',
  '#NA',
  '<NA>',
  'NULL',
  'null',
  'None',
  'NaN',
  'nan',
  '-NaN',
  '-nan',
])

/** `text` is trimmed. */
export const isMissingCell = (text: string): boolean => text.length <= 4 && MISSING_WORDS.has(text)

/** The shortest string that engines keep as a piece of a longer one. */
const PIECE_CHARS_MIN = 13

/** A copy of its own: a piece that is kept would keep the whole text it was cut from, which is a chunk of the file. */
export const ownText = (text: string): string => (text.length < PIECE_CHARS_MIN ? text : ` ${text}`.slice(1))
