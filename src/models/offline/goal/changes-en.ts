/** The English rules for changes of existing entries: another time, length, name or priority. */
import { changeOf, fieldOf, kindIn, moveOf, shiftOf, type ChangeField } from './changes.ts'
import type { Moment } from '../time/clock.ts'
import { EN_SPAN, englishSpan } from '../time/numbers.ts'
import { refusal, type IntentDraft, type Rule } from './requests.ts'
import { namesEventEn } from './verbs-en.ts'

const rule = (source: string, read: Rule[1]): Rule => [new RegExp(source, 'iu'), read]
const FIELD =
  '(due(?:\\s+(?:date|time))?|deadline|dates?(?:\\s+and\\s+time)?|time(?:\\s+and\\s+date)?|start(?:\\s+(?:time|date))?|day|hour|priority|duration|length|title|name|text|wording|reminder|tag|repetition|interval)'
const EDIT = '(?:change|set|update|edit|modify|adjust|correct|move|shift)'
/** Verbs that always refer to an existing entry. */
const SURELY =
  '(?:reschedule|postpone|delay|put\\s+off|defer|push\\s+(?:back|off|out)|bring\\s+forward|move\\s+(?:up|back|forward))'
const TO = /\s+(?:to|until|till)\s+/giu
const TO_OR_ON = /\s+(?:to|until|till|for|on)\s+/giu

function fieldNamed(word: string): ChangeField {
  if (/^(?:due|deadline)/iu.test(word)) return 'due'
  if (/^priority/iu.test(word)) return 'priority'
  if (/^(?:duration|length)/iu.test(word)) return 'length'
  if (/^(?:title|name|text|wording)/iu.test(word)) return 'name'
  return /^(?:reminder|tag|repetition|interval)/iu.test(word) ? 'other' : 'when'
}

/** `the flight to Oslo to 4pm`: splits at the last separator that is followed by a time alone. */
function moveIn(text: string, separator: RegExp, now: Moment): IntentDraft[] | null {
  for (const match of [...text.matchAll(separator)].toReversed()) {
    const subject = text.slice(0, match.index).replace(/\s+(?:back|forward|off|up|out|over|ahead)$/iu, '')
    const draft = moveOf(subject, text.slice(match.index + match[0].length), now)
    if (draft) return draft
  }
  return null
}

function fieldChange(field: string, text: string, now: Moment, whole: string): IntentDraft[] {
  const parts = text.split(/\s+to\s+/iu)
  const kind = fieldNamed(field)
  const at = kind === 'name' ? 1 : parts.length - 1
  if (parts.length < 2)
    return kind === 'when' || kind === 'due'
      ? (changeOf(text, {}, now) ?? refusal(whole, 'change'))
      : refusal(whole, 'change')
  return fieldOf(kind, parts.slice(0, at).join(' to '), parts.slice(at).join(' to '), now, whole)
}

/** A new wording, only where the text refers to an entry: `change the oil to synthetic` is something to do. */
function renameIn(text: string, now: Moment): IntentDraft[] | null {
  const [, subject = '', name = ''] = /^(.+?)\s+to\s+(?:be\s+|say\s+)?(.+)$/iu.exec(text) ?? []
  if (subject === '' || !kindIn(text).explicit) return null
  return /^(?:daily|weekly|monthly|yearly|every)\b/iu.test(name)
    ? refusal(text, 'change')
    : changeOf(subject, { name }, now)
}

const isEarlier = (words: string) => /\b(?:earlier|forward|up|ahead|bring)\b/iu.test(words)

const refuseChange: Rule[1] = (_, text) => refusal(text, 'change')

export const CHANGES_EN: Rule[] = [
  rule(
    `^((?:move|push|shift|postpone|delay|put\\s+off|bring|reschedule)(?:\\s+(?:back|off|out|forward|up))?)\\s+(.+?)((?:\\s+(?:back|off|out|forward|up|ahead))?)\\s+(?:by|for)\\s+${EN_SPAN}(\\s+(?:later|earlier|forward|back|ahead))?$`,
    (match, _, now) =>
      shiftOf(match[2] ?? '', englishSpan(match, 4), isEarlier(`${match[1]} ${match[3]} ${match[8]}`), now),
  ),
  rule(
    `^(?:move|push|shift|postpone|delay|bring|reschedule)\\s+(.+?)\\s+(back\\s+|forward\\s+|up\\s+)?${EN_SPAN}\\s*(later|earlier|back|forward|ahead)?$`,
    (match, all, now) =>
      /^(?:postpone|delay)/iu.test(all) || match[2] !== '' || match[7] !== ''
        ? shiftOf(match[1] ?? '', englishSpan(match, 3), isEarlier(`${match[2]} ${match[7]}`), now)
        : null,
  ),
  rule(`^${EDIT}\\s+(?:the\\s+|my\\s+)?${FIELD}\\s+(?:of|for|on)\\s+(.+)$`, ([, field = '', text = ''], all, now) =>
    fieldChange(field, text, now, all),
  ),
  rule(`^${EDIT}\\s+(.+?)'s?\\s+${FIELD}\\s+(to\\s+.+)$`, ([, subject = '', field = '', to = ''], all, now) =>
    fieldChange(field, `${subject} ${to}`, now, all),
  ),
  rule(`^${SURELY}\\s+(.+)$`, ([, text = ''], _, now) => moveIn(text, TO_OR_ON, now) ?? changeOf(text, {}, now)),
  rule('^(?:move|shift|push|bring|switch|change|update|edit|modify|adjust)\\s+(.+)$', ([, text = ''], _, now) =>
    moveIn(text, TO, now),
  ),
  rule('^(?:change|update|edit|modify|correct)\\s+(.+)$', ([, text = ''], _, now) => renameIn(text, now)),
  rule(
    '^rename\\s+(.+?)\\s+(?:to|as|into)\\s+(.+)$',
    ([, subject = '', name = ''], all, now) => changeOf(subject, { name }, now) ?? refusal(all, 'change'),
  ),
  rule(`^(?:extend|shorten|lengthen)\\s+(.+?)\\s+to\\s+${EN_SPAN}$`, (match, _, now) =>
    changeOf(match[1] ?? '', { duration: englishSpan(match, 2) }, now, 'event'),
  ),
  rule(`^(?:extend|shorten|lengthen)\\s+.+?\\s+by\\s+${EN_SPAN}$|^rename\\b.+`, refuseChange),
  rule(
    '^(?:make|change|turn|set|switch)\\s+(?:the|my)\\s+.+?\\s+(?:daily|weekly|monthly|yearly|earlier|later|shorter|longer|every\\s+.+)$',
    refuseChange,
  ),
  // A change of an event that no other rule reads does not create a new entry.
  rule('^(?:move|change|update|edit|modify|shift|push|adjust|switch)\\s+(.+?)\\s+to\\s+', ([, subject = ''], text) =>
    namesEventEn(subject) ? refusal(text, 'change') : null,
  ),
  rule('^(?:reschedule|postpone|delay|rename|put\\s+off|bring\\s+forward)\\b', refuseChange),
]
/** Whether the text starts like a change, for requests with a leading date. */
export const startsChange = (text: string) =>
  /^(?:move|reschedule|postpone|delay|rename|push|put\s+off|bring\s+forward|cancel|delete|remove)\b/iu.test(text)
