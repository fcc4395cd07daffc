/** Hosts that the operator denies, and names below a domain that it allows or denies. */
import { describe, expect, it } from 'vitest'
import { readAddress, resolveAddress } from '../../src/shell/network/address.ts'
import { sendWebhook } from '../../src/shell/callbacks/standard-webhooks.ts'
import { parseConfig } from '../../src/config.ts'
import { HOSTILE } from '../support/hostile-addresses.ts'
import { fixture, problemOf } from '../support/http-fixture.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const WORDS = 'must not name a host that the operator denies (DENIED_HOSTS)'
const judge = (address: string, reach: { allowed?: string; denied?: string; loopback?: boolean }) =>
  readAddress(address, {
    loopback: reach.loopback ?? false,
    allowed_hosts: new Set(reach.allowed?.split(' ') ?? []),
    denied_hosts: new Set(reach.denied?.split(' ') ?? []),
  })

describe('U41 DENIED_HOSTS', () => {
  it.each([
    ['https://evil.example.com/', 'evil.example.com'],
    ['https://EVIL.example.com./', 'evil.example.com'],
    ['https://evil.example.com:8443/', 'evil.example.com'],
    ['https://evil.example.com/', 'evil.example.com:443'],
    ['https://a.evil.example.com/', '*.evil.example.com'],
    ['https://a.b.evil.example.com/', '*.evil.example.com'],
    ['https://a.evil.example.com:8443/', '*.evil.example.com:8443'],
    ['https://ⓔvil.example.com/', 'evil.example.com'],
  ])('%s is denied by %s', (address, denied) => {
    expect(judge(address, { denied })).toEqual({ ok: false, error: WORDS })
  })

  it.each([
    ['https://evil.example.com/', '*.evil.example.com'],
    ['https://notevil.example.com/', 'evil.example.com *.evil.example.com'],
    ['https://evil.example.com:8443/', 'evil.example.com:443'],
    ['https://evil.example.com.org/', 'evil.example.com *.example.com'],
  ])('%s is not denied by %s', (address, denied) => {
    expect(judge(address, { denied }).ok).toBe(true)
  })

  it('wins over ALLOWED_HOSTS and over this machine in development', () => {
    const both = { allowed: 'a.internal', denied: '*.internal' }
    expect(judge('http://a.internal/', { allowed: 'a.internal' }).ok).toBe(true)
    expect(judge('http://a.internal/', both)).toEqual({ ok: false, error: WORDS })
    expect(judge('http://localhost:9000/', { loopback: true, denied: 'localhost' })).toEqual({
      ok: false,
      error: WORDS,
    })
  })

  it('allows names below a domain, by http too and on any port, but not the domain', () => {
    for (const address of ['http://a.corp/', 'http://a.b.corp:9000/'])
      expect([judge(address, { allowed: '*.corp' }).ok, judge(address, {}).ok]).toEqual([true, false])
    expect(judge('http://corp/', { allowed: '*.corp' }).ok).toBe(false)
  })

  it.each(HOSTILE)('an entry for all of example.com lets %j in no more than none', (address) => {
    const reach = { allowed: '*.example.com example.org' }
    const { hostname = '' } = URL.parse(address) ?? {}
    if (!/(?:^|\.)example\.com\.*$/.test(hostname)) expect(judge(address, reach).ok).toBe(false)
    expect(judge(address, { ...reach, denied: '*.com example.com' }).ok).toBe(false)
  })

  it('holds for callbacks and tools when a task is made', async () => {
    const { post, asked } = fixture({ env: { WEBHOOK_SECRET: `alice:${SECRET}`, DENIED_HOSTS: '*.example.com' } })
    const url = 'https://hooks.example.com/x'
    const tools = [{ name: 'a', url }, { http: { url } }]
    const response = await post('/tasks', { goal: 'x', callback_url: url, tools })
    expect((await problemOf(response))['errors']).toEqual([
      { pointer: '/callback_url', message: `callback_url ${WORDS}` },
      { pointer: '/tools/0/url', message: `tools.0.url ${WORDS}` },
      { pointer: '/tools/1/http/url', message: `tools.1.http.url ${WORDS}` },
    ])
    expect(asked).toEqual([])
  })

  it('holds when a callback is sent, and for WEBHOOK_URL', async () => {
    const fetch = () => Promise.reject(new Error('sent'))
    const ports = {
      fetch,
      secrets: new Map([['alice', [SECRET]]]),
      loopback: false,
      denied_hosts: new Set(['a.example.com']),
    }
    const message = { id: 'm', type: 'task.completed', timestamp: '2026-11-21T12:00:00.000Z', data: {} }
    expect(await sendWebhook(ports, { tenant: 'alice', url: 'https://a.example.com/' }, message, 0)).toMatchObject({
      detail: `not sent: the address ${WORDS}`,
    })
    const env = { WEBHOOK_SECRET: `alice:${SECRET}`, WEBHOOK_URL: 'alice:https://a.example.com/' }
    const development = { ENVIRONMENT: 'development', ...env }
    expect(parseConfig(development).config_errors).toEqual([])
    expect(parseConfig({ ...development, DENIED_HOSTS: 'a.example.com' }).config_errors).toEqual([
      `WEBHOOK_URL entry 1 ${WORDS}`,
    ])
  })
})

describe('F65 the table', () => {
  it.each(HOSTILE)('%j is refused as an address, in words that say what to do', (address, why) => {
    expect(JSON.stringify(readAddress(address, { loopback: false }))).toContain(why)
  })

  it('F65 has at least 150 addresses, each once', () => {
    expect(new Set(HOSTILE.map(([address]) => address)).size).toBe(HOSTILE.length)
    expect(HOSTILE.length).toBeGreaterThanOrEqual(150)
  })

  it('a relative address is judged where it leads', () => {
    const base = new URL('https://docs.example.com/v1/openapi.json')
    expect(resolveAddress('/v2', base, { loopback: false })).toMatchObject({
      value: { href: 'https://docs.example.com/v2' },
    })
    expect(resolveAddress('//127.0.0.1/v2', base, { loopback: false })).toMatchObject({ ok: false })
  })
})
