/** The moves that finish or delete an entry; the entry may have to be found first. */
import type { PointedIntent } from '../goal/intents.ts'
import { askFor, endDone, firstLine, notDone, failureLine, type IntentItem, type IntentMove } from './item.ts'
import { YES, locate, searchFor, toolOf } from './locate.ts'
import type { EntryRow } from './tables.ts'
import { wordsOf } from '../texts.ts'

const DELETE = { todo: '/todo delete', event: '/schedule delete' } as const
const KINDS: Record<PointedIntent['kind'], readonly [EntryRow['kind'], EntryRow['kind']?]> = {
  finish: ['todo'],
  remove: ['todo'],
  unschedule: ['event'],
  discard: ['todo', 'event'],
}
const kindsOf = ({ kind }: PointedIntent) => KINDS[kind].filter((on) => on !== undefined)
const commandFor = (kind: PointedIntent['kind'], row: EntryRow['kind']) =>
  kind === 'finish' ? '/todo done' : DELETE[row]
const actOn = (kind: PointedIntent['kind'], on: EntryRow['kind'], id: number): IntentMove => ({
  kind: 'act',
  tool: toolOf(on),
  input: `${commandFor(kind, on)} ${id}`,
})

export function moveForPointed(intent: PointedIntent, item: IntentItem): IntentMove {
  const words = wordsOf(item.locale)
  const kinds = kindsOf(intent)
  const tried = item.observations.findLast(({ input }) =>
    kinds.some((on) => input.startsWith(`${commandFor(intent.kind, on)} `)),
  )
  if (tried) return tried.ok ? endDone(item, doneLine(intent, tried, item)) : notDone(item, failureLine(tried.result))
  const [only, other] = kinds
  if (intent.id !== null && only && !other) return actOn(intent.kind, only, intent.id)
  if (intent.id === null && intent.subject === null && intent.date === null && intent.time === null)
    return notDone(item, words.noSubject)
  const found = locate(kinds, intent, intent.kind === 'finish', item)
  if ('move' in found) return found.move
  return wholeSeries(intent, found.value, item) ?? actOn(intent.kind, found.value.kind, found.value.id)
}

/** One day of a repetition cannot be deleted, so a question asks whether to delete the whole series. */
function wholeSeries({ date }: PointedIntent, row: EntryRow, item: IntentItem): IntentMove | null {
  if (row.interval === null || date === null) return null
  const words = wordsOf(item.locale)
  const question = words.deleteSeries(row.text, date)
  const asked = askFor(item, question, words.skipped, (answer) => (YES.test(answer.trim()) ? true : null))
  return 'move' in asked ? asked.move : null
}

/** The tool names only the id of the deleted entry; its text is in the table where it was found. */
function doneLine(intent: PointedIntent, { result }: { result: string }, item: IntentItem): string {
  const line = firstLine(result)
  if (intent.kind === 'finish' || (intent.id !== null && intent.kind !== 'discard')) return line
  const found = locate(kindsOf(intent), intent, false, item)
  if ('move' in found) return line
  return item.locale === 'zh' ? `${line}（${found.value.text}）` : `${line} (${found.value.text})`
}

/** The first action of such an item, which shows which observations belong to it. */
export function openingOf(intent: PointedIntent): { tool: string; input: string } {
  const [on, other] = KINDS[intent.kind]
  const known = intent.id !== null && other === undefined
  const input = known ? `${commandFor(intent.kind, on)} ${intent.id}` : searchFor(on, intent)
  return { tool: toolOf(on), input }
}
