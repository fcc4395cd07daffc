/** The language that a request prefers. */
import { parseAccept } from 'hono/utils/accept'
import type { Locale } from '../../core/terms/locale.ts'

/** The preferred one of the two languages in Accept-Language; null: it names neither. */
export function preferredLocale(request: Request): Locale | null {
  const wanted = parseAccept(request.headers.get('accept-language') ?? '')
  const known = wanted.flatMap(({ type, q }) => {
    const language = type.toLowerCase().split('-', 1)[0]
    return q > 0 && (language === 'zh' || language === 'en') ? [{ language, q } as const] : []
  })
  const best = known.reduce<(typeof known)[number] | null>(
    (top, next) => (top === null || next.q > top.q ? next : top),
    null,
  )
  return best === null ? null : best.language
}
