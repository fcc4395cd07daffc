/** The words of every answer, one set per language; `用法:` and `未知命令` are interface facts of the Chinese set (requirements 2.1). */
import type { Locale } from '../../../terms/locale.ts'
import type { CommandTexts } from './text-set.ts'
import { EN } from './texts-en.ts'
import { ZH } from './texts-zh.ts'

/** The set of a language. */
export function textsOf(locale: Locale): CommandTexts {
  return locale === 'zh' ? ZH : EN
}
