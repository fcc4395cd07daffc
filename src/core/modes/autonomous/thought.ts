/** The shown parts of a reply: its thought or a substitute (O1-03), and its report. */
import type { Note } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { cut } from '../../terms/text.ts'
import type { TaggedReply } from './replies.ts'

const NAMES_CHARS = 200

const SUBSTITUTES: Record<Locale, { calls(names: string): string; writes: string }> = {
  en: { calls: (names) => `(no thought given) calls ${names}`, writes: '(no thought given) writes a reply' },
  zh: { calls: (names) => `（未给出思考）调用 ${names}`, writes: '（未给出思考）输出回复' },
}

export function thoughtText({ thinking, calls }: TaggedReply, locale: Locale): string {
  if (thinking !== null) return thinking
  const words = SUBSTITUTES[locale]
  return calls.length === 0 ? words.writes : words.calls(cut(calls.map(({ name }) => name).join(', '), NAMES_CHARS))
}

export const reportNote = (report: string): Note => ({ type: 'report_generated', payload: { report } })
