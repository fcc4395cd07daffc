/** `verifyWebhook` of the TypeScript client, against the signatures of the library that the service signs with. */
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { isTaskMessage, verifyWebhook, WebhookError, type WebhookInput } from '../../clients/typescript/src/index.ts'

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`
const [SECRET, OTHER] = [secretOf(1), secretOf(2)]
const NOW = new Date('2026-11-28T12:00:00Z')
const BODY = JSON.stringify({
  type: 'task.completed',
  timestamp: NOW.toISOString(),
  data: { id: 'task_1', goal: '买牛奶 🥛' },
})
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

function signed(secret = SECRET, id = 'task_1_12', at = NOW, body = BODY) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}
const verify = (input: Partial<WebhookInput> = {}) =>
  verifyWebhook({ headers: signed(), body: BODY, secret: SECRET, now: NOW, ...input })
const checkOf = (input: Partial<WebhookInput>) =>
  verify(input).then(
    () => 'verified',
    (error: unknown) => (error instanceof WebhookError ? error.check : error),
  )

describe('U59 a message', () => {
  it('U59 that the library has signed is given with its id', async () => {
    const message = await verify()
    expect(message).toEqual({ id: 'task_1_12', ...JSON.parse(BODY) })
    expect(isTaskMessage(message) && message.data.id).toBe('task_1')
  })

  it('U59 is signed by HMAC-SHA256 of id, time and body under the bytes of the secret', async () => {
    const time = String(NOW.getTime() / 1000)
    const mac = createHmac('sha256', Buffer.alloc(32, 1)).update(`a.${time}.${BODY}`).digest('base64')
    const headers = { 'webhook-id': 'a', 'webhook-timestamp': time, 'webhook-signature': `v1,${mac}` }
    expect(await checkOf({ headers })).toBe('verified')
    expect(await checkOf({ headers, secret: SECRET.slice('whsec_'.length) })).toBe('secret')
  })

  it('U59 is verified from every form of headers and body', async () => {
    const headers = new Headers(signed())
    const bytes = new TextEncoder().encode(BODY)
    const capitals = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]))
    const inputs: Partial<WebhookInput>[] = [{ headers }, { headers: capitals }, { body: bytes }]
    for (const input of [...inputs, { body: new Uint8Array(bytes).buffer }])
      expect(await checkOf(input)).toBe('verified')
  })

  it('U59 is verified while the secret is being changed, by either secret and either signature', async () => {
    const both = `${signed()['webhook-signature']} ${signed(OTHER)['webhook-signature']}`
    const headers = { ...signed(), 'webhook-signature': both }
    expect(await checkOf({ headers })).toBe('verified')
    expect(await checkOf({ headers, secret: OTHER })).toBe('verified')
    expect(await checkOf({ headers: signed(OTHER), secret: [SECRET, OTHER] })).toBe('verified')
    expect(await checkOf({ headers: { ...headers, 'webhook-signature': `v1a,xyz v1,? ${both}` } })).toBe('verified')
  })

  it.each([
    ['another secret', { secret: OTHER }],
    ['another body', { body: `${BODY} ` }],
    ['another id', { headers: { ...signed(), 'webhook-id': 'task_1_13' } }],
    ['another time', { headers: { ...signed(), 'webhook-timestamp': String(NOW.getTime() / 1000 + 1) } }],
    [
      'a shortened signature',
      { headers: { ...signed(), 'webhook-signature': signed()['webhook-signature'].slice(0, 20) } },
    ],
    [
      'another version',
      { headers: { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1,', 'v2,') } },
    ],
    ['no signature', { headers: { ...signed(), 'webhook-signature': '' } }],
  ])('U59 with %s is refused by its signature', async (_, input) => {
    expect(await checkOf(input)).toBe('signature')
  })

  it('U59 may be as old, and as far ahead, as is tolerated', async () => {
    for (const seconds of [-300, 300]) expect(await checkOf({ now: later(seconds) })).toBe('verified')
    for (const seconds of [-301, 301]) expect(await checkOf({ now: later(seconds) })).toBe('timestamp')
    expect(await checkOf({ now: later(301), toleranceSeconds: 400 })).toBe('verified')
    await expect(verify({ now: later(301) })).rejects.toThrow('timestamp: the message is 301 seconds old, and 300')
  })

  it.each([
    ['id', { headers: { ...signed(), 'webhook-id': undefined } }],
    ['timestamp', { headers: { ...signed(), 'webhook-timestamp': 'now' } }],
    ['timestamp', { headers: { ...signed(), 'webhook-timestamp': '' } }],
    ['secret', { secret: 'whsec_' }],
    ['secret', { secret: `whsec_${Buffer.alloc(23).toString('base64')}` }],
    ['secret', { secret: `whsec_${Buffer.alloc(65).toString('base64')}` }],
    ['secret', { secret: 'whsec_§§§' }],
    ['secret', { secret: [] }],
    ['body', { headers: signed(SECRET, 'a', NOW, '<html>'), body: '<html>' }],
  ])('U59 names the check %s that failed', async (check, input) => {
    expect(await checkOf(input)).toBe(check)
  })

  it('U59 that is refused repeats no part of the secret', async () => {
    const error: unknown = await verify({ secret: 'whsec_§canary' }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(WebhookError)
    expect(String(error)).not.toContain('canary')
  })
})
