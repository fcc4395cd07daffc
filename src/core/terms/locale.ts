/** The language of a text, where nobody said which. */
import type { Locale } from './effect.ts'

/** By the script of a text: Chinese as soon as there is a Han character. */
export const guessLocale = (text: string): Locale => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en')
