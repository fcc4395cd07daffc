/** Makes titles of steps: one line each, and no two equal. */
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

/** A known title stays unchanged wherever possible, because it identifies its step. */
export const knownTitle = (title: string, locale: Locale): string =>
  title.length <= TITLE_CHARS && /^\S(?:\P{Cc}*\S)?$/u.test(title)
    ? title
    : cut(plainLine(title), TITLE_CHARS) || orchestratorWordsOf(locale).untitled

/** Two titles with the same key count as equal. */
export const titleKeyOf = (title: string): string => {
  const plain = title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return plain === '' ? title.trim() : plain
}

/** Titles identify steps, so this makes them distinct. */
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
