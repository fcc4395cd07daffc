/** Names of datasets, and how names are told. Small, since it is loaded at each start; the readers are loaded with the first dataset. */
import { cut } from '../core/text.ts'

const EXTENSIONS: readonly string[] = ['csv', 'tsv', 'json', 'xlsx', 'xls']

/** In lower case, '' where there is none. */
export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
export const isDatasetName = (name: string): boolean => EXTENSIONS.includes(extensionOf(name))

const NAMES_MAX = 20
export const NAME_CHARS_MAX = 60

/** As many as are worth reading, and how many more there are. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).map((name) => `"${cut(name, NAME_CHARS_MAX)}"`)
  const more = names.length - shown.length
  return more === 0 ? shown.join(', ') : `${shown.join(', ')}, … (+${more})`
}
