/** The texts of a plain HTTP tool: `{name}` stands for an argument, and `secret:name` at the end for a secret (docs/tools.md). */

const NAME = String.raw`\{([A-Za-z_$][\w$.[\]-]{0,63})\}`
const PLACEHOLDER = new RegExp(NAME, 'g')
const ALONE = new RegExp(`^${NAME}$`)

/** The names of the arguments that a text asks for, in its order. */
export const placeholdersIn = (text: string): string[] =>
  Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name)

/** The name of the argument for which the whole text stands. null: it is no such text. */
export const argumentAlone = (text: string): string | null => ALONE.exec(text)?.[1] ?? null

/** The text with its arguments. null: one of them is not given. `read` gives null where there is none. */
export function fillText(text: string, read: (name: string) => string | null): string | null {
  const values = placeholdersIn(text).map(read)
  if (values.includes(null)) return null
  let index = 0
  // What an argument says is not looked at again.
  return text.replaceAll(PLACEHOLDER, () => values[index++] ?? '')
}

/** The parts of a url template. Only the path and the query may have arguments. */
export function urlParts(url: string): { origin: string; path: string; query: string | null } {
  const mark = url.indexOf('?')
  const place = mark < 0 ? url : url.slice(0, mark)
  const slash = place.indexOf('/', place.indexOf('://') + 3)
  const end = slash < 0 ? place.length : slash
  return { origin: place.slice(0, end), path: place.slice(end), query: mark < 0 ? null : url.slice(mark + 1) }
}

/** An address as the template makes it, for a judgement of its host. */
export const exampleUrl = (url: string): string => fillText(url, () => 'x') ?? url
