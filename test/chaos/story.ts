/** All data of a task at the end, read page by page. */
import type { Envelope, JournalEntry, TaskView } from '../../src/core/terms/view.ts'
import { get, type Bench } from './ask.ts'
import { EventsPage, JournalPage, learnEvent, learnRow, type Known } from './known.ts'

export interface Story {
  id: string
  known: Known
  view: TaskView
  rows: JournalEntry[]
  /** The rows that the task has written itself; those of a fork begin after its copied rows. */
  own: JournalEntry[]
  events: Envelope[]
}

/** null: it was deleted, or cannot be read. */
export async function storyOf(bench: Bench, known: Known): Promise<Story | null> {
  const { id, tenant } = known
  const pages = async <T>(path: string, parse: (json: unknown) => { data: T[]; next_cursor: string | null }) => {
    const found: T[] = []
    for (let after: string | null = '0'; after !== null;) {
      const json = await get(bench, tenant, `/tasks/${id}/${path}?limit=100&after=${after}`)
      if (json === null) return null
      const page: { data: T[]; next_cursor: string | null } = parse(json)
      found.push(...page.data)
      after = page.next_cursor
    }
    return found
  }
  const rows = await pages('journal', (json) => JournalPage.parse(json))
  const events = await pages('events', (json) => EventsPage.parse(json))
  if (rows === null || events === null) return null
  for (const row of rows) learnRow(bench.acks, known, row)
  for (const event of events) learnEvent(bench.acks, known, event)
  const own = rows.filter(({ seq }) => seq > (known.from?.at ?? 0))
  return { id, known, view: known.view, rows, own, events }
}

/** The journal of a task, one line for each row, to help understand a broken law. */
export const journalLines = ({ rows }: Story): string[] =>
  rows.map(({ seq, kind, phase, outcome, counted, attempt, charged_tokens, started_at, finished_at, reply }) => {
    const [from, to] = [started_at.slice(11, 23), finished_at?.slice(11, 23) ?? 'open']
    const cost = `${counted ? '+1' : ' 0'} ${charged_tokens ?? '-'} tokens, attempt ${attempt ?? '-'}`
    return `  ${seq} ${kind} ${phase ?? ''} ${outcome ?? ''} ${cost} ${from}–${to} ${JSON.stringify(reply)?.slice(0, 120)}`
  })
