/** The route of the calendar: what the workspace holds, as calendar programs read it (U22). */
import { calendarOf } from '../core/workspace/calendar.ts'
import { hex } from '../shell/hex.ts'
import { bringsKey } from './auth.ts'
import type { Routes } from './contract.ts'
import { noneMatch } from './etag.ts'
import type { Call, Handler, Ports } from './route.ts'

type CalendarCall = Call<Routes['getCalendar']>

export const getCalendar: Handler<Routes['getCalendar']> = async (ports, call) => {
  const { tenant } = call.caller
  const entries = await ports.service.listEntries(call.caller)
  const data = calendarOf(entries, { tenant, timezone: ports.config.timezone, now_ms: ports.now() })
  const text = (await writer()).stringify(data)
  const etag = await tagOf(text)
  const link = `<${await linkOf(ports, call)}>; rel="alternate"; type="text/calendar"`
  const headers = { etag, link, 'referrer-policy': 'no-referrer' }
  if (noneMatch(call.request.headers.get('if-none-match'), etag)) return { kind: 'empty', status: 304, headers }
  const shown = { 'content-disposition': 'inline; filename="calendar.ics"', ...headers }
  const type = { 'content-type': 'text/calendar; charset=utf-8' }
  return { kind: 'document', response: new Response(text, { headers: { ...type, ...shown } }) }
}

/** The library is loaded by the first calendar: a start pays for none. */
const writer = async () => (await import('ical.js')).default

/** Who came by a link gets the same again: it must not outlive its year by being used. */
async function linkOf({ config, links, now }: Ports, { caller, query, request }: CalendarCall) {
  const linked = bringsKey(request) ? undefined : query.token
  const token = linked ?? (await links.calendar.sign({ tenant: caller.tenant, task: '', link_epoch: 0 }, now()))
  return `${config.public_url ?? new URL(request.url).origin}/calendar.ics?token=${token}`
}

async function tagOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return `"${hex(digest.slice(0, 16))}"`
}
