/** Tells a model which of the moments that it gave are past. It is told and not refused, because a past moment may be meant. */
import { toCallerMoment, type CommandEnvironment } from './context.ts'

export type GivenMoments = { due?: string | null; start?: string | null; remind?: string | null }

/** A text with one line for each moment that is past. Moments of the workspace compare as texts. */
export function withPastNotes(text: string, moments: GivenMoments, { context, texts }: CommandEnvironment): string {
  if (context.reader !== 'model') return text
  const now = context.now.slice(0, 'YYYY-MM-DD HH:MM'.length)
  const shown = (moment: string) => toCallerMoment(moment, context) ?? moment
  const notes = (['due', 'start', 'remind'] as const).flatMap((name) => {
    const moment = moments[name] ?? null
    return moment === null || moment >= now ? [] : [texts.past[name](shown(moment), shown(now))]
  })
  return [text, ...notes].join('\n')
}
