/** Texts of the service on a terminal: nothing in them moves the cursor, changes colours or the direction of writing. */

/** Control characters other than tab and line feed, and characters that turn the direction of a text. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const SHOWN_CHARS = 300

export const clean = (text: string) => text.replaceAll(UNSAFE, '')

/** One line, cut to its beginning. */
export function oneLine(text: string, max = SHOWN_CHARS): string {
  const line = clean(text)
    .replaceAll(/[\t\n ]+/g, ' ')
    .trim()
  const characters = Array.from(line.slice(0, 2 * max))
  return characters.length <= max ? line : `${characters.slice(0, max).join('')}…`
}

/** JSON that a program reads back unchanged, and that a terminal shows without harm. */
export const cleanJson = (value: unknown, indent?: number) =>
  JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
