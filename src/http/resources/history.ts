/** The journal of a task and its stored rows, in pages. */
import type { JournalEntry } from '../../core/terms/view.ts'
import * as z from 'zod'
import { answerReply, endpoint, replyTo } from '../endpoint.ts'
import { answerInForms, jsonAnswer, HISTORY_ROUTE } from '../route-builders.ts'
import { SeqQuery } from '../shapes/fields.ts'

const JournalQuery = SeqQuery.extend({
  redact: z.boolean().default(false).describe('leave out what was asked and what came back'),
})

export const HISTORY_ROUTES = {
  listJournal: endpoint(
    {
      ...HISTORY_ROUTE,
      path: '/tasks/{id}/journal',
      summary: 'The ledger of a task',
      description:
        'Every effect in order: what was asked, what came back, whether it counted, what it cost. Rows that are no ' +
        'effects are listed too, uncounted, so `seq` has no gaps. `Accept: text/csv` gives one line for each row under a ' +
        'header line; the next page is then in the header `Link`. Of a task whose rows are damaged it lists those that can be ' +
        'read; `unreadable` names the others, and `incomplete` is true.',
      query: JournalQuery,
      success: answerInForms('One page of journal rows', 'JournalPage', 'text/csv'),
    },
    async ({ service }, { caller, params, query }) => {
      const { redact, ...range } = query
      return replyTo(await service.listJournal(caller, params.id, range), (page) => {
        const json = redact ? { ...page, data: page.data.map(redactEntry) } : page
        const more = `/tasks/${params.id}/journal?limit=${range.limit}&after=${json.next_cursor}${redact ? '&redact=true' : ''}`
        // A table has no place for a cursor. Without the link its reader would take the first page for the whole.
        const csv = {
          text: async () => (await import('../text/ledger.ts')).ledgerCsv(json.data),
          headers: nextLink(json.next_cursor, more),
        }
        return { ...answerReply(json, async () => (await import('../text/plain.ts')).journalText(json)), csv }
      })
    },
  ),
  exportTask: endpoint(
    {
      ...HISTORY_ROUTE,
      path: '/tasks/{id}/export',
      summary: 'The rows of a task as they are stored',
      description:
        'Every row of the journal with its parts as the texts that are stored: a copy to keep, and the way to what a task ' +
        'holds that answers `state_unreadable` elsewhere. Rows that cannot be read at all are named by `unreadable`, and `incomplete` is true. ' +
        'As plain text it is one JSON object a line; the next page is in the header `Link`.',
      query: SeqQuery,
      success: jsonAnswer('One page of stored rows', 'StoredPage'),
      problems: ['task_not_found'],
    },
    async ({ service }, { caller, params, query }) =>
      replyTo(await service.exportTask(caller, params.id, query), (page) => {
        const more = `/tasks/${params.id}/export?limit=${query.limit}&after=${page.next_cursor}`
        return answerReply(
          page,
          async () => (await import('../text/plain.ts')).exportText(page),
          nextLink(page.next_cursor, more),
        )
      }),
  ),
}

const nextLink = (cursor: string | null, path: string): Record<string, string> =>
  cursor === null ? {} : { link: `<${path}>; rel="next"` }

/** Leaves out the request and the reply (`?redact=true`), for those who may see only the costs. */
const redactEntry = (row: JournalEntry): JournalEntry => ({ ...row, request: null, reply: null })
