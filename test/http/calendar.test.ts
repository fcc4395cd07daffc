/** GET /calendar.ics: by a key or by a link, whole or 304, and nothing else by a link. */
import { describe, expect, it } from 'vitest'
import type { ScheduleEvent } from '../../src/core/workspace/commands/book.ts'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { CALENDAR_LINK, readLinksBy } from '../../src/shell/links/read-links.ts'
import { callerIn, fixture, problemOf, type FixtureOptions } from '../support/http-fixture.ts'

const NOW = Date.parse('2026-03-18T10:00:00Z')
const SECRET = 'a secret of sixteen characters'
const event: ScheduleEvent = {
  id: 3,
  title: 'Talk',
  start: '2026-03-20 15:00',
  duration: 45,
  remind_at: null,
  created_at: '2026-03-01 09:00:00',
  rule: null,
}
/** A service whose schedule has one event, or what is in `events` by then. */
function desk(options: FixtureOptions = {}) {
  const clock = { now: NOW }
  const events = [event]
  const env = { SIGNING_SECRET: SECRET, TIMEZONE: 'Europe/Berlin', ...options.env }
  const answers = { listEntries: async () => ({ todos: [], events }) }
  const shown = fixture({ ...options, env, now: () => clock.now, answers })
  return { clock, events, ...shown }
}
const BARE = { authorization: '' }
const pathIn = (response: Response) => {
  const [, href = ''] =
    /^<([^>]+)>; rel="alternate"; type="text\/calendar"$/.exec(response.headers.get('link') ?? '') ?? []
  const { pathname, search } = new URL(href)
  return pathname + search
}
/** Without any Authorization header, as a calendar program asks. */
const bare = async (path: string, headers: Record<string, string> = {}, options: FixtureOptions = {}, now = NOW) => {
  const { send } = fixture({
    env: { SIGNING_SECRET: SECRET, TIMEZONE: 'Europe/Berlin' },
    answers: { listEntries: async () => ({ todos: [], events: [event] }) },
    now: () => now,
    ...options,
  })
  return send('GET', path, null, { ...BARE, ...headers })
}

describe('U22 GET /calendar.ics', () => {
  it('U22 gives the schedule as iCalendar, to be shown under its name', async () => {
    const response = await desk().send('GET', '/calendar.ics')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe('inline; filename="calendar.ics"')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const text = await response.text()
    expect(text).toContain('UID:event-3.alice@loop-agent\r\n')
    expect(text).toContain('DTSTART;TZID=Europe/Berlin:20260320T150000\r\n')
  })

  it('U22 asks the service for the entries of the caller', async () => {
    const { send, asked } = fixture()
    await send('GET', '/calendar.ics')
    expect(asked.map(({ method }) => method)).toEqual(['listEntries'])
    expect(callerIn(asked[0]).tenant).toBe('alice')
  })

  it('U22 is 304 for who has it, until something changes', async () => {
    const { send, events } = desk()
    const first = await send('GET', '/calendar.ics')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    const again = await send('GET', '/calendar.ics', null, { 'if-none-match': etag })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    events.push({ ...event, id: 4 })
    const changed = await send('GET', '/calendar.ics', null, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  it('HEAD is answered as GET', async () => {
    const response = await desk().send('HEAD', '/calendar.ics')
    expect([response.status, response.headers.has('etag'), await response.text()]).toEqual([200, true, ''])
  })

  it('U22 carries a link that needs no key, and gives the same calendar', async () => {
    const first = await desk().send('GET', '/calendar.ics')
    const path = pathIn(first)
    expect(path).toMatch(/^\/calendar\.ics\?token=[\w.-]+$/)
    const linked = await bare(path)
    expect(linked.status).toBe(200)
    expect(await linked.text()).toBe(await first.text())
    // It gives itself, and no younger one: its year is not made longer by being used.
    expect(pathIn(await bare(path, {}, {}, NOW + 1_000_000))).toBe(path)
  })

  it('U22 the link begins with PUBLIC_URL where there is one', async () => {
    const { send } = desk({ env: { PUBLIC_URL: 'https://agent.example/' } })
    expect((await send('GET', '/calendar.ics')).headers.get('link')).toMatch(
      /^<https:\/\/agent\.example\/calendar\.ics\?/,
    )
  })
})

describe('API2 who may read a calendar by a link', () => {
  const year = CALENDAR_LINK.life_ms
  const tokenOf = async (tenant = 'alice', secret = SECRET, kind = CALENDAR_LINK, now = NOW) =>
    readLinksBy(signedLinks([secret]), kind).sign({ tenant, task: '', link_epoch: 0 }, now)
  it('U22 the year is over', async () => {
    const path = `/calendar.ics?token=${await tokenOf()}`
    expect((await bare(path, {}, {}, NOW + year - 1_000)).status).toBe(200)
    expect((await bare(path, {}, {}, NOW + year + 1_000)).status).toBe(401)
  })
  it.each<[string, () => Promise<string>]>([
    ['signed with another secret', () => tokenOf('alice', 'another secret of this length')],
    ['signed for another purpose', () => tokenOf('alice', SECRET, { ...CALENDAR_LINK, purpose: 'read:events' })],
    ['of a tenant that has no key any more', () => tokenOf('dave')],
    ['of a tenant whose only key is for delegations', () => tokenOf('carol')],
    ['cut off', async () => (await tokenOf()).slice(0, -1)],
    ['empty', async () => ''],
    ['a word', async () => 'let-me-in'],
  ])('API2 a token %s is 401 like any other', async (_name, make) => {
    const response = await bare(`/calendar.ics?token=${encodeURIComponent(await make())}`)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('Bearer')
    expect(await problemOf(response)).toMatchObject({ code: 'unauthorized' })
  })
  it('API2 no token with one changed character is accepted', async () => {
    const links = readLinksBy(signedLinks([SECRET]), CALENDAR_LINK)
    const token = await links.sign({ tenant: 'alice', task: '', link_epoch: 0 }, NOW)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'
    const forged = [...token].flatMap((was, at) =>
      [...alphabet].filter((other) => other !== was).map((other) => token.slice(0, at) + other + token.slice(at + 1)),
    )
    expect(forged.length).toBeGreaterThan(4_000)
    const accepted = await Promise.all(forged.map((one) => links.open(one, NOW)))
    expect(accepted.filter((one) => one !== null)).toEqual([])
    expect(await links.open(token, NOW)).toEqual({ tenant: 'alice', task: '', link_epoch: 0 })
  })
  it('API2 a key that is wrong is not mended by a link', async () => {
    const response = await bare(`/calendar.ics?token=${await tokenOf()}`, { authorization: 'Bearer nobody' })
    expect(response.status).toBe(401)
  })
  it('API2 a link reads the calendar of its own tenant and opens nothing else', async () => {
    const token = await tokenOf('bob')
    const { send, asked } = fixture({ env: { SIGNING_SECRET: SECRET }, now: () => NOW })
    expect((await send('GET', `/calendar.ics?token=${token}`, null, BARE)).status).toBe(200)
    expect(callerIn(asked[0]).tenant).toBe('bob')
    expect((await send('GET', `/tasks?token=${token}`, null, BARE)).status).toBe(401)
    expect((await send('POST', `/commands?token=${token}`, '{"command":"/todo list"}', BARE)).status).toBe(401)
    expect(asked).toHaveLength(1)
  })
  it("F67 requests by a link count as their tenant's", async () => {
    const env = { SIGNING_SECRET: SECRET, RATE_LIMIT_PER_MINUTE: '1' }
    const { send } = fixture({ env, now: () => NOW })
    const path = `/calendar.ics?token=${await tokenOf()}`
    expect((await send('GET', path, null, BARE)).status).toBe(200)
    expect((await send('GET', path, null, BARE)).status).toBe(429)
  })
  it('an unknown parameter is told', async () =>
    expect((await desk().send('GET', '/calendar.ics?week=3')).status).toBe(422))
})
