/** Texts in both languages. Nothing with a value is imported here, because the console takes it into its page. */
import type { Locale } from '../locale.ts'

export type WordTable<W> = Record<Locale, W>

/** Makes a table from rows, each with the English and the Chinese text of one name. */
export function wordTable<W>(rows: { [Name in keyof W]: readonly [en: W[Name], zh: NoInfer<W[Name]>] }): WordTable<W> {
  const names = Object.keys(rows) as (keyof W)[]
  // Every name of a row becomes a name of both tables, and the type of the rows says which text it has.
  const column = (at: 0 | 1) => Object.fromEntries(names.map((name) => [name, rows[name][at]])) as W
  return { en: column(0), zh: column(1) }
}
