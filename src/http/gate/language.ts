/** The language that a request prefers. */
import { parseAccept } from 'hono/utils/accept'
import type { Locale } from '../../core/terms/locale.ts'

/** The preferred one of the two languages in Accept-Language; null: it names neither. */
export function preferredLocale(request: Request): Locale | null {
  // The values come in the order of preference.
  const accepted = parseAccept(request.headers.get('accept-language') ?? '').filter(({ q }) => q > 0)
  const languages = accepted.map(({ type }) => type.toLowerCase().split('-', 1)[0])
  return languages.find((language) => language === 'zh' || language === 'en') ?? null
}
