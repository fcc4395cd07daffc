/** The languages of the service, and how the language of a text is recognised. */
import * as z from 'zod'

export const Locale = z.enum(['en', 'zh'])
export type Locale = z.infer<typeof Locale>

/** A text with at least one Han character is Chinese, any other text is English. */
export const guessLocale = (text: string): Locale => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en')
