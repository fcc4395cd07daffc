/** Finds the one entry that a request means: by commands that list entries, and by a question when several match. */
import type { Aim } from '../goal/aims.ts'
import { plainText } from './commands.ts'
import { actsOf, askFor, notDone, failureLine, type IntentItem, type AskResult } from './item.ts'
import { fitOf, isKindOnly } from './match.ts'
import { isCut, readEntries, type EntryRow } from './tables.ts'
import { wordsOf } from '../texts.ts'

type Kind = EntryRow['kind']

/** The command that lists the entries of one kind, among which the entry must be. */
export function searchFor(kind: Kind, aim: Aim): string {
  if (kind === 'todo') return aim.subject === null ? '/todo list' : `/todo search ${plainText(aim.subject)}`
  return aim.date === null ? '/schedule list' : `/schedule view day ${aim.date}`
}
export const toolOf = (kind: Kind) => (kind === 'todo' ? 'todo' : 'schedule')

/** `open`: finished todos are excluded. */
export function locate(kinds: readonly Kind[], aim: Aim, open: boolean, item: IntentItem): AskResult<EntryRow> {
  const tables: { kind: Kind; table: string }[] = []
  for (const kind of kinds) {
    const input = searchFor(kind, aim)
    const seen = actsOf(item, toolOf(kind)).findLast((act) => act.input === input)
    if (!seen) return { move: { kind: 'act', tool: toolOf(kind), input } }
    if (!seen.ok) return { move: notDone(item, failureLine(seen.result)) }
    tables.push({ kind, table: seen.result })
  }
  const rows = tables.flatMap(({ kind, table }) => readEntries(kind, table))
  const cut = tables.some(({ table }) => isCut(table))
  return choose(aim, open, rows, cut, item)
}

/** Whether one of the times of the entry is the requested one. */
function isThen({ date, time }: Aim, { times }: EntryRow): boolean {
  if (date === null && time === null) return true
  return times.some((at) => (date === null || at.startsWith(date)) && (time === null || at.endsWith(time)))
}

function fitIn(aim: Aim, row: EntryRow): 'all' | 'some' | 'none' {
  if (aim.id !== null) return row.id === aim.id ? 'all' : 'none'
  const said = aim.date !== null || aim.time !== null
  const then = isThen(aim, row)
  // A time alone is not enough to act on.
  if (aim.subject === null) return then && said ? 'some' : 'none'
  const fit = fitOf(plainText(aim.subject), row.text)
  if (fit === 'all') return then ? 'all' : 'some'
  return fit === 'some' || (said && then && isKindOnly(aim.subject)) ? 'some' : 'none'
}

function choose(aim: Aim, open: boolean, rows: EntryRow[], cut: boolean, item: IntentItem): AskResult<EntryRow> {
  const words = wordsOf(item.locale)
  const name = nameOf(aim)
  const every = rows.map((row) => ({ row, fit: fitIn(aim, row) })).filter(({ fit }) => fit !== 'none')
  const fitting = every.filter(({ row }) => !(open && row.done))
  if (fitting.length === 0) return { move: notDone(item, every.length > 0 ? words.allDone(name) : words.noMatch(name)) }
  const full = futureRows(
    fitting.filter(({ fit }) => fit === 'all').map(({ row }) => row),
    item,
  )
  const same = full.filter((row) => row.text.toLowerCase() === plainText(aim.subject ?? '').toLowerCase())
  const only = same.length === 1 ? same[0] : full.length === 1 ? full[0] : undefined
  if (only && !cut) return { value: only }
  return askWhich(name, full.length > 0 ? full : fitting.map(({ row }) => row), full.length > 0, item)
}

/** The future events, if there are any, because a past event is seldom meant. */
function futureRows(rows: EntryRow[], item: IntentItem): EntryRow[] {
  const ahead = rows.filter(
    ({ kind, times }) => kind === 'todo' || times.some((at) => at.slice(0, 10) >= item.now.date),
  )
  return ahead.length > 0 ? ahead : rows
}

const nameOf = ({ id, subject, date, time }: Aim) =>
  [id === null ? null : `#${id}`, subject, date, time].filter((part) => part !== null).join(' ')

const CHOICES_MAX = 10
export const YES = /^(?:yes|yep|yeah|sure|ok(?:ay)?|that one|right|correct|是的?|对的?|好的?|嗯)[\s.!。！]*$/iu

/** A todo and an event may have the same id, so the question names the kind when both are among the choices. */
function askWhich(name: string, rows: EntryRow[], full: boolean, item: IntentItem): AskResult<EntryRow> {
  const words = wordsOf(item.locale)
  const mixed = new Set(rows.map(({ kind }) => kind)).size > 1
  const shown = rows.slice(0, CHOICES_MAX).map((row) => {
    const when = row.kind === 'event' ? `${row.times[0] ?? ''} ` : ''
    return `${mixed ? words.kindOf(row.kind) : ''}${row.id} (${when}${row.text})`
  })
  const question = full ? words.which(name, shown.join(', ')) : words.closest(name, shown.join(', '))
  return askFor(item, question, words.noChoice, (answer) => {
    if (rows.length === 1 && YES.test(answer.trim())) return rows[0] ?? null
    const id = Number(/\d+/u.exec(answer)?.[0])
    const named = /\b(?:event|calendar)\b|日程/iu.test(answer)
      ? 'event'
      : /\b(?:to-?do|task)\b|待办/iu.test(answer)
        ? 'todo'
        : null
    const meant = rows.filter((row) => row.id === id && (named === null || row.kind === named))
    return meant.length === 1 ? (meant[0] ?? null) : null
  })
}
