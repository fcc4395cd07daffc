/** Finds values in the text of a result, by the names that a schema gives them. Every search takes one look at the text. */

/** The words of a member's name in small letters: `dueDate` and `due_date` are "due date". */
export const wordsOf = (name: string): string =>
  name
    .replaceAll(/[_-]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

const MARKS = /[*#>\-•`"]/g

/** What stands behind the name and a colon on a line of its own. null: no line has this name. */
export function lineValue(text: string, name: string): string | null {
  for (const line of text.split('\n')) {
    const colon = line.search(/[:：]/)
    if (colon === -1 || line.slice(0, colon).replaceAll(MARKS, '').trim().toLowerCase() !== name) continue
    const value = line
      .slice(colon + 1)
      .replaceAll('**', '')
      .trim()
    if (value !== '') return value
  }
  return null
}

/** The numbers of a text, in order. A comma between digits stands between thousands. */
function numbersIn(text: string): number[] {
  return text.split(/[^0-9.,-]/).flatMap((token) => {
    const digits = token.replaceAll(',', '')
    const plain = digits.endsWith('.') ? digits.slice(0, -1) : digits
    return /\d/.test(plain) && Number.isFinite(Number(plain)) ? [Number(plain)] : []
  })
}

/** Characters between a name and its number. */
const NEAR_CHARS = 30

/** The number right behind a name, or the only one of the text. null: there is none. */
export function numberFor(text: string, name: string): number | null {
  const own = lineValue(text, name)
  const at = text.toLowerCase().indexOf(name)
  const near = at === -1 ? '' : text.slice(at + name.length, at + name.length + NEAR_CHARS)
  const all = numbersIn(text)
  const only = all.length === 1 ? all : []
  return [...numbersIn(own ?? ''), ...numbersIn(near), ...only][0] ?? null
}

const tokensOf = (text: string): string[] => text.split(/[\s,;()<>"'，。；（）]/)

const DATE = /^\d{4}-\d{2}-\d{2}$/
export const dateIn = (text: string): string | null =>
  tokensOf(text)
    .map((token) => token.slice(0, 10))
    .find((token) => DATE.test(token)) ?? null

export const emailIn = (text: string): string | null =>
  tokensOf(text)
    .map((token) => (token.endsWith('.') ? token.slice(0, -1) : token))
    .find((token) => token.includes('.', token.indexOf('@', 1) + 2) && token.indexOf('@') > 0) ?? null

/** The lines of a list. */
export const bulletsIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    const entry = line.trim()
    return entry.startsWith('- ') || entry.startsWith('* ') || entry.startsWith('• ') ? [entry.slice(2).trim()] : []
  })

const YES = new Set(['yes', 'true', 'done', 'ok', '是', '已完成'])
const NO = new Set(['no', 'false', 'not done', '否', '未完成'])
export function yesNoFor(text: string, name: string): boolean | null {
  const word = (lineValue(text, name) ?? '').toLowerCase()
  return YES.has(word) ? true : NO.has(word) ? false : null
}
