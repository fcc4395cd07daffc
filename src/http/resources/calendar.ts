/** The workspace as a calendar, for calendar programs (U22). */
import * as z from 'zod'
import { calendarComponent } from '../../core/workspace/calendar.ts'
import { sha256, toHex } from '../../shell/hex.ts'
import { endpoint, type Call, type Ports } from '../endpoint.ts'
import { hasKey } from '../gate/auth/auth.ts'
import { matchesEtag } from '../gate/etag.ts'
import { documentAnswer, emptyAnswer } from '../route-builders.ts'
import { NoParams } from '../shapes/fields.ts'

const TYPE = 'text/calendar; charset=utf-8'
const CALENDAR_HEADERS = {
  ETag: 'of a task its version and what it has made, of a calendar or a file what is in it; in double quotes',
  Link: 'with `rel="alternate"`: where the calendar can be read for a year without a key',
}
const CalendarQuery = z.strictObject({
  token: z.string().max(1_000).optional().describe('of the link in the header `Link`, instead of a key'),
})

const CALENDAR_ROUTE = {
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
  params: NoParams,
  query: CalendarQuery,
  body: null,
  headers: ['If-None-Match'],
  success: documentAnswer('The calendar', TYPE, {
    ...CALENDAR_HEADERS,
    'Content-Disposition': 'inline, as `calendar.ics`',
  }),
  also: [emptyAnswer(304, 'It is what you have', CALENDAR_HEADERS)],
  problems: [],
} as const

export const CALENDAR_ROUTES = {
  getCalendar: endpoint(CALENDAR_ROUTE, async (ports, call) => {
    const { tenant } = call.caller
    const entries = await ports.service.listEntries(call.caller)
    const calendar = calendarComponent(entries, { tenant, timezone: ports.config.timezone, now_ms: ports.now() })
    const text = (await loadWriter()).stringify(calendar)
    const etag = await etagOfText(text)
    const link = `<${await linkOf(ports, call)}>; rel="alternate"; type="text/calendar"`
    const headers = { etag, link, 'referrer-policy': 'no-referrer' }
    if (matchesEtag(call.request.headers.get('if-none-match'), etag)) return { kind: 'empty', status: 304, headers }
    const disposition = { 'content-disposition': 'inline; filename="calendar.ics"' }
    const response = new Response(text, { headers: { 'content-type': TYPE, ...disposition, ...headers } })
    return { kind: 'document', response }
  }),
}

/** The first calendar loads the library, so that it does not slow down the start. */
const loadWriter = async () => (await import('ical.js')).default

/** A reader who came by a link gets the same link again. A new one would extend its year with each use. */
async function linkOf({ config, links, now }: Ports, { caller, query, request }: Call<typeof CALENDAR_ROUTE>) {
  const given = hasKey(request) ? undefined : query.token
  const token = given ?? (await links.calendar.sign({ tenant: caller.tenant, task: '', link_epoch: 0 }, now()))
  return `${config.public_url ?? new URL(request.url).origin}/calendar.ics?token=${token}`
}

const etagOfText = async (text: string) => `"${toHex((await sha256(text)).slice(0, 16))}"`
