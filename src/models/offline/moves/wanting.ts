/** The entry that a sentence begins to describe without a name for it, or with a correction within it (U63). */
import type { Moment } from '../time/clock.ts'
import { isNameless, readParts, settleDates } from '../goal/goal.ts'
import type { Intent } from '../goal/intents.ts'
import { eventOf, todoOf } from '../goal/requests.ts'
import { stripPolite } from '../goal/split.ts'
import { isCorrected, isNoName } from '../manners/left-over.ts'
import { wordsOf } from '../texts.ts'
import { mergeDetails } from './event.ts'
import type { IntentItem } from './item.ts'

export interface WantingEntry {
  entry: Extract<Intent, { kind: 'todo' | 'event' }>
  corrected: boolean
}

/** null: the sentence describes none. The time before a correction does not hold. */
export function wantingIn(sentence: string, now: Moment): WantingEntry | null {
  const [only, second] = readParts(sentence, now)
  const intent = only?.intent
  if (intent === undefined || second !== undefined || !isNameless(intent)) return null
  if (intent.kind !== 'todo' && intent.kind !== 'event') return null
  const corrected = isCorrected(intent.subject ?? '')
  const details = corrected ? { ...intent.details, time: null, duration: null } : intent.details
  return { entry: { ...intent, subject: null, details }, corrected }
}

export const questionOn = (sentence: string, { corrected }: WantingEntry, { locale }: IntentItem) =>
  corrected ? wordsOf(locale).corrected(sentence) : wordsOf(locale).leftOver(sentence)

/** An answer that names a time means another time than the sentence. */
export function entryFrom({ entry }: WantingEntry, answer: string, item: IntentItem): Intent | null {
  const [draft] = (entry.kind === 'todo' ? todoOf : eventOf)(stripPolite(answer), item.now)
  const said = draft === undefined ? null : settleDates(draft, item.now)
  if ((said?.kind !== 'todo' && said?.kind !== 'event') || said.subject === null) return null
  if (isNoName(said.subject)) return null
  return { ...entry, subject: said.subject, details: mergeDetails(said.details, entry.details) }
}
