/** The route of the calendar, as the table of routes has it. */
import * as z from 'zod'
import type { Route, Success } from './route.ts'
import { CalendarQuery } from './schemas.ts'

const SENT = {
  ETag: 'of a task its version and what it has made, of a calendar or a file what is in it; in double quotes',
  Link: 'with `rel="alternate"`: where the calendar can be read for a year without a key',
}
const also = { status: 304, description: 'It is what you have', content: null, headers: SENT } satisfies Success

export const GET_CALENDAR = {
  method: 'get',
  path: '/calendar.ics',
  tag: 'Commands',
  open: false,
  linked: 'calendar',
  summary: 'The schedule as a calendar',
  description:
    'Events and the todos that are due, as iCalendar (RFC 5545) for calendar programs: repetition as `RRULE`, reminders as `VALARM`, times in ' +
    'the zone of the workspace. A program that cannot send a key takes the address in the header `Link`; it lets its holder read this and nothing ' +
    'else, and expires after a year.',
  params: z.object({}),
  query: CalendarQuery,
  body: null,
  headers: ['If-None-Match'],
  success: {
    status: 200,
    description: 'The calendar',
    content: { kind: 'document', type: 'text/calendar; charset=utf-8' },
    headers: { ...SENT, 'Content-Disposition': 'inline, as `calendar.ics`' },
  },
  also: [also],
  problems: [],
} as const satisfies Route
