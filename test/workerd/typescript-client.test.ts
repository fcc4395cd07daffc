/** The TypeScript client in workerd, on the real service: what it asks of a runtime is there. */
import { exports } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { LoopAgent, verifyWebhook } from '../../clients/typescript/src/index.ts'

const client = new LoopAgent({
  url: 'http://service',
  key: 'dev-key',
  fetch: (input, init) => exports.default.fetch(input, init),
})

describe('U59 the client in workerd', () => {
  it('U59 runs a goal to its end, and gives its events', async () => {
    const states: string[] = []
    let id = ''
    for await (const task of client.run('Buy milk tomorrow and book the dentist on Friday at 3pm', { rounds: 5 })) {
      id = task.id
      states.push(task.status)
      if (task.pending?.kind === 'question') await client.answer(task, '45 minutes')
    }
    expect(states.at(-1)).toBe('completed')
    expect(states).toContain('input_required')
    const types: string[] = []
    for await (const event of client.events(id)) types.push(event.type)
    expect([types.includes('plan_created'), types.at(-1)]).toEqual([true, 'task_completed'])
  })

  it('U59 makes a task with its files', async () => {
    const body = { goal: 'Analyse the sales trend', mode: 'autonomous', hold: true } as const
    const task = await client.create(body, { files: [{ name: 'sales.csv', data: 'month,amount\n2026-01,5\n' }] })
    expect(await (await client.files.get(task.id, 'sales.csv')).text()).toBe('month,amount\n2026-01,5\n')
  })

  it('U59 asks by the fetch of the runtime, without following redirects', async () => {
    const outside = new LoopAgent({ url: 'https://agent.example', key: 'key' })
    const refused = { status: 599, code: 'http_error', detail: 'blocked in tests: https://agent.example/health' }
    await expect(outside.health()).rejects.toMatchObject(refused)
  })

  it('U59 verifies a callback', async () => {
    const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
    const now = new Date('2026-11-28T12:00:00Z')
    const body = '{"type":"webhook.test","timestamp":"2026-11-28T12:00:00Z","data":{"message":"hello"}}'
    const headers = new Headers({
      'webhook-id': 'test_1',
      'webhook-timestamp': String(now.getTime() / 1000),
      'webhook-signature': new Webhook(secret).sign('test_1', now, body),
    })
    expect(await verifyWebhook({ headers, body, secret, now })).toMatchObject({ id: 'test_1', type: 'webhook.test' })
    await expect(verifyWebhook({ headers, body: `${body} `, secret, now })).rejects.toMatchObject({
      check: 'signature',
    })
  })
})
