/** The languages of the service, and which one a text is in. */
import * as z from 'zod'

export const Locale = z.enum(['en', 'zh'])
export type Locale = z.infer<typeof Locale>

/** By the script of a text: Chinese as soon as there is a Han character. */
export const guessLocale = (text: string): Locale => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en')
