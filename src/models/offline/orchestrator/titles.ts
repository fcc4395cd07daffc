/** Titles of steps: one line each, no two alike. */
import type { Locale } from '../../../core/terms/effect.ts'
import { cut } from '../../../core/terms/text.ts'
import { oneLine } from '../autonomous/plain.ts'
import type { Step } from './context.ts'
import { englishWork } from './english.ts'
import { wordsOf } from './words.ts'

const TITLE_CHARS = 200

export function titleOf(text: string, locale: Locale): string {
  const line = oneLine(text.replaceAll(/\*\*([^*\n]{1,200})\*\*/gu, '$1'))
  const begun = englishWork(line) !== null ? line.charAt(0).toUpperCase() + line.slice(1) : line
  return cut(begun, TITLE_CHARS) || wordsOf(locale).untitled
}

/** A title that is known already: it stays as it is wherever it can, so that its step is found by it. */
export const knownTitle = (title: string, locale: Locale): string =>
  title.length <= TITLE_CHARS && /^\S(?:\P{Cc}*\S)?$/u.test(title)
    ? title
    : cut(oneLine(title), TITLE_CHARS) || wordsOf(locale).untitled

/** By which two titles are the same. */
export const keyOf = (title: string): string => {
  const plain = title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return plain === '' ? title.trim() : plain
}

/** Steps are known by their titles, so no two have the same. */
export function distinct(steps: readonly Step[], locale: Locale): Step[] {
  const taken = new Set<string>()
  return steps.map((step) => {
    const base = knownTitle(step.title, locale)
    let title = base
    for (let count = 2; taken.has(keyOf(title)); count++) {
      title = wordsOf(locale).again(cut(base, TITLE_CHARS - 10), count)
    }
    taken.add(keyOf(title))
    return { ...step, title }
  })
}
