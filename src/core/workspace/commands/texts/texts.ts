/** The texts of every answer by language. Programs may rely on `用法:` and `未知命令` of the Chinese texts (requirements 2.1). */
import type { Locale } from '../../../terms/locale.ts'
import type { CommandTexts } from './text-set.ts'
import { EN } from './texts-en.ts'
import { ZH } from './texts-zh.ts'

/** The texts of a language. */
export function textsOf(locale: Locale): CommandTexts {
  return locale === 'zh' ? ZH : EN
}
