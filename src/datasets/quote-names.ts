/** Lists names for a reader. This file is loaded at each start and stays small; the readers are loaded with the first dataset. */
import { cut } from '../core/terms/text.ts'

const NAMES_MAX = 20
export const NAME_CHARS_MAX = 60

/** Shows the first names, and how many more there are. */
export function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).map((name) => `"${cut(name, NAME_CHARS_MAX)}"`)
  const more = names.length - shown.length
  return more === 0 ? shown.join(', ') : `${shown.join(', ')}, … (+${more})`
}
