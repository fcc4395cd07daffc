/** Notices to a tenant that belong to no task (U22). A reminder has the row of `POST /commands` and one line for people. */
import { cleanCell } from './commands/table.ts'
import { eventRow } from './commands/schedule/schedule-table.ts'
import { slashCommands } from './commands/load-commands.ts'
import { todoRow } from './commands/todo/todo.ts'
import type { Row } from './commands/result.ts'
import { guessLocale } from '../terms/locale.ts'
import { alertId, type Alert } from './reminders.ts'

export interface TenantNotice {
  /** The id is the same at every try, so that a receiver can recognise a repetition. */
  id: string
  type: 'todo.reminder' | 'schedule.reminder' | 'delegation.pending'
  /** When the reminder was due, or the command was dispatched, in ms since the epoch. */
  at: number
  /** The row with `occurrence_start`, `remind_at` and `text`, in wall clocks of the workspace. For commands see delegation-notice.ts. */
  data: Row
}

export function reminderNotice(alert: Alert): TenantNotice {
  const { row, text } = rowAndText(alert)
  const times = { occurrence_start: alert.start, remind_at: alert.remind }
  return {
    id: alertId(alert),
    type: alert.kind === 'todo' ? 'todo.reminder' : 'schedule.reminder',
    at: alert.at,
    data: { ...row, ...times, text },
  }
}

/** The text is in the language of the entry, because there is no caller whose language could be used. */
function rowAndText(alert: Alert): { row: Row; text: string } {
  if (alert.kind === 'todo') {
    const content = cleanCell(alert.entry.content)
    const locale = guessLocale(content)
    const text = slashCommands.textsOf(locale).todoReminder({ ...alert.entry, content })
    return { row: todoRow(alert.entry, { reader: 'person', locale }), text }
  }
  const start = alert.start ?? alert.entry.start
  const title = cleanCell(alert.entry.title)
  const locale = guessLocale(title)
  const text = slashCommands.textsOf(locale).eventReminder({ ...alert.entry, start, title })
  return { row: eventRow(alert.entry, start, { reader: 'person', locale }), text }
}
