/** The routes of what became of a task: a part of the table in contract.ts. */
import { forms, json, ONE_TASK, route } from './entries.ts'
import { EventsQuery, JournalQuery, SeqQuery, TaskParams } from './schemas.ts'

const history = {
  tag: 'History',
  open: false,
  query: SeqQuery,
  params: TaskParams,
  body: null,
  headers: [],
  also: [],
  problems: ONE_TASK,
} as const

export const HISTORY_ROUTES = {
  listEvents: route({
    ...history,
    method: 'get',
    path: '/tasks/{id}/events',
    summary: 'What happened, and what happens',
    description:
      'The events of the task in order, `seq` dense from 1. The `journal_seq` of a payload is the row that caused it. As JSON it is a ' +
      'page. `Accept: text/event-stream` goes on as the task does: `id` is the seq, `event` the type, `data` the whole event; it begins ' +
      'after `Last-Event-ID` or `after`, has a comment every 15 s, and closes after `event: end` when the task has ended: close an EventSource ' +
      'then, or it comes again. Without that event it was interrupted: come again with the last id. `Accept: text/plain` without `limit` gives the progress lines as they ' +
      'happen. A WebSocket on this path gets the same events, one text message each, and is closed with 1000 after the last one; with ' +
      '1013 when more than 1 MiB was sent since it last said anything. A task has at most 200 watchers.',
    linked: 'events',
    query: EventsQuery,
    headers: ['Last-Event-ID'],
    success: forms('One page of events, or the stream of them', 'EventPage', 'text/event-stream'),
    also: [{ status: 101, description: 'The WebSocket is open', content: null, headers: {} }],
    problems: [...ONE_TASK, 'too_many_watchers'],
  }),
  listJournal: route({
    ...history,
    method: 'get',
    path: '/tasks/{id}/journal',
    summary: 'The ledger of a task',
    description:
      'Every effect in order: what was asked, what came back, whether it counted, what it cost. Rows that are no ' +
      'effects are listed too, uncounted, so `seq` has no gaps. `Accept: text/csv` gives one line for each row under a ' +
      'header line; the next page is then in the header `Link`. Of a task whose rows are damaged it lists those that can be ' +
      'read; `unreadable` names the others, and `incomplete` is true.',
    query: JournalQuery,
    success: forms('One page of journal rows', 'JournalPage', 'text/csv'),
  }),
  exportTask: route({
    ...history,
    method: 'get',
    path: '/tasks/{id}/export',
    summary: 'The rows of a task as they are stored',
    description:
      'Every row of the journal with its parts as the texts that are stored: a copy to keep, and the way to what a task ' +
      'holds that answers `state_unreadable` elsewhere. Rows that cannot be read at all are named by `unreadable`, and `incomplete` is true. ' +
      'As plain text it is one JSON object a line; the next page is in the header `Link`.',
    success: json('One page of stored rows', 'StoredPage'),
    problems: ['task_not_found'],
  }),
} as const
