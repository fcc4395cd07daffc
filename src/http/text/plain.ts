/** Answers as short lines for a terminal (`Accept: text/plain`), with the facts of the JSON. */
import type { CommandResult } from '../../core/workspace/commands/result.ts'
import { oneLine, stripControls } from '../../core/shown/line-text.ts'
import type { WebhookTest } from '../../core/shown/webhook-test.ts'
import type { SecretView } from '../../core/shown/secret-view.ts'
import { eventLine, taskLines } from '../../core/shown/progress.ts'
import type {
  DeliveryEntry,
  Envelope,
  FileView,
  JournalEntry,
  StoredRow,
  TaskEntry,
  TaskView,
} from '../../core/terms/view.ts'
import type { Page, RowPage } from '../../shell/caller.ts'

/** The answer of a slash command comes first, then the task. */
export function taskText(task: TaskView, command: CommandResult | undefined): string[] {
  return command === undefined ? taskLines(task) : [...commandText(command), '', ...taskLines(task)]
}

export const commandText = (result: CommandResult): string[] => [stripControls(result.text)]

const GOAL_SHOWN = 80

export function listText(page: Page<TaskEntry>): string[] {
  const lines = page.data.map(({ id, status, budget, result, goal }) =>
    [id, status, `${budget.used}/${budget.max}`, result?.outcome ?? '', oneLine(goal, GOAL_SHOWN)]
      .filter((part) => part !== '')
      .join('  '),
  )
  return withCursorLine(lines, page.next_cursor)
}

export function eventsText(page: Page<Envelope>): string[] {
  const lines = page.data.map((event) => `${event.seq}  ${event.at}  ${event.type}  ${detail(event)}`.trimEnd())
  return withCursorLine(lines, page.next_cursor)
}

/** What the event tells besides its type. */
function detail(event: Envelope): string {
  const line = eventLine(event, 'en')
  return line === event.type.replaceAll('_', ' ') ? '' : line
}

export function journalText(page: RowPage<JournalEntry>): string[] {
  const lines = page.data.map(({ seq, kind, phase, counted, outcome, tokens, started_at, finished_at }) => {
    const used = tokens === null ? '' : `${tokens.input}+${tokens.output} tokens`
    // A closed row without an effect has no outcome.
    const result = outcome ?? (finished_at === null ? 'pending' : '')
    const parts = [seq, started_at, kind, phase ?? '', result, counted ? 'counted' : 'free', used]
    return parts.filter((part) => part !== '').join('  ')
  })
  const damaged = (page.unreadable ?? []).map((seq) => `${seq}  unreadable`)
  return withCursorLine([...lines, ...damaged], page.next_cursor)
}

export const deliveryLine = ({ id, type, status, attempts, detail, updated_at }: DeliveryEntry): string =>
  [id, updated_at, type, status, `${attempts} tries`, detail ?? ''].filter((part) => part !== '').join('  ')

export const webhookTestText = ({ id, ok, status, detail, duration_ms, body }: WebhookTest): string[] => [
  [ok ? 'ok' : 'failed', id, detail ?? `HTTP ${status}`, `${duration_ms} ms`].join('  '),
  ...(body === '' ? [] : [oneLine(body, 1_000)]),
]

export const deliveriesText = (page: Page<DeliveryEntry>): string[] =>
  withCursorLine(page.data.map(deliveryLine), page.next_cursor)

export const fileLine = ({ name, size, content_type, created_at, url }: FileView): string =>
  [name, `${size} bytes`, content_type, created_at, url].join('  ')

export const filesText = (page: Page<FileView>): string[] => withCursorLine(page.data.map(fileLine), page.next_cursor)

export const secretLine = ({ name, hosts, last_used_at }: SecretView): string =>
  [name, hosts.join(' '), last_used_at === null ? 'never used' : `used ${last_used_at}`].join('  ')

export const secretsText = (page: Page<SecretView>): string[] =>
  withCursorLine(page.data.map(secretLine), page.next_cursor)

/** One JSON object a line for programs: each row, and the number of each row that cannot be read. */
export const exportText = ({ data, unreadable = [] }: RowPage<StoredRow>): string[] => [
  ...data.map((row) => JSON.stringify(row)),
  ...unreadable.map((seq) => JSON.stringify({ seq, unreadable: true })),
]

export function withCursorLine(lines: string[], cursor: string | null): string[] {
  if (lines.length === 0) return ['(none)']
  return cursor === null ? lines : [...lines, `more: ?after=${cursor}`]
}
