/** The texts of every answer by language. Programs may rely on `用法:` and `未知命令` of the Chinese texts (requirements 2.1). */
import type { Locale } from '../../../terms/locale.ts'
import { EN, type CommandTexts } from './texts-en.ts'
import { ZH } from './texts-zh.ts'

export const textsOf = (locale: Locale): CommandTexts => (locale === 'zh' ? ZH : EN)
