/** Titles of steps: one line each, no two alike. */
import type { Locale } from '../../../core/terms/locale.ts'
import { cut } from '../../../core/terms/text.ts'
import { plainLine } from '../safe-text.ts'
import type { StepOutline } from './context.ts'
import { englishWork } from './english.ts'
import { orchestratorWordsOf } from './words.ts'

const TITLE_CHARS = 200

export function stepTitle(text: string, locale: Locale): string {
  const line = plainLine(text.replaceAll(/\*\*([^*\n]{1,200})\*\*/gu, '$1'))
  const begun = englishWork(line) !== null ? line.charAt(0).toUpperCase() + line.slice(1) : line
  return cut(begun, TITLE_CHARS) || orchestratorWordsOf(locale).untitled
}

/** A title that is known already: it stays as it is wherever it can, so that its step is found by it. */
export const knownTitle = (title: string, locale: Locale): string =>
  title.length <= TITLE_CHARS && /^\S(?:\P{Cc}*\S)?$/u.test(title)
    ? title
    : cut(plainLine(title), TITLE_CHARS) || orchestratorWordsOf(locale).untitled

/** By which two titles are the same. */
export const titleKeyOf = (title: string): string => {
  const plain = title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return plain === '' ? title.trim() : plain
}

/** Steps are known by their titles, so no two have the same. */
export function distinct(steps: readonly StepOutline[], locale: Locale): StepOutline[] {
  const taken = new Set<string>()
  return steps.map((step) => {
    const base = knownTitle(step.title, locale)
    let title = base
    for (let count = 2; taken.has(titleKeyOf(title)); count++) {
      title = orchestratorWordsOf(locale).again(cut(base, TITLE_CHARS - 10), count)
    }
    taken.add(titleKeyOf(title))
    return { ...step, title }
  })
}
