/** Cells as a file holds them: which of them are missing, and how to keep one without the text around it. */

/** The words for a missing cell: those of pandas, and a lone dash. They are words of files; a JSON `null` becomes ''. */
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

/** Engines keep a string of this length or more as a slice of the longer one. */
const PIECE_CHARS_MIN = 13

/** Copies a text, because a slice that is kept would keep the whole chunk of the file it was cut from. */
export const ownText = (text: string): string => (text.length < PIECE_CHARS_MIN ? text : ` ${text}`.slice(1))
