/** The words for errors that the service cannot find, because the line would mean something else to it. */
import { useWords, wordTable } from '../../state/preferences.tsx'
import type { FieldError, FieldName } from './commands.ts'

const WORDS = wordTable({
  empty: [() => 'This is needed.', () => '此项必填。'],
  option: [
    (option: string) => `Commands read ${option} as an option, wherever it stands. Write it another way.`,
    (option) => `命令会把任何位置的 ${option} 当作选项，请换一种写法。`,
  ],
  word: [() => 'A tag is one word, without spaces.', () => '标签是一个词，不能有空格。'],
  number: [() => 'A whole number is needed; it must not be too small.', () => '需要整数，且不能太小。'],
  moment: [() => 'A date and a time are needed.', () => '需要日期和时间。'],
})

/** Returns the error of a field in words; null if it has none. */
export function useFieldError(error: FieldError | null): (field: FieldName) => string | null {
  const words = useWords(WORDS)
  return (field) => (error?.field === field ? words[error.about](error.option ?? '') : null)
}
