/** POST /tasks/{id}/retry as asked over HTTP (U52): what is handed to the service, and what is refused by name. */
import { describe, expect, it } from 'vitest'
import { callerOf, fixture, ID, problemOf } from '../support/http-fixture.ts'

const PATH = `/tasks/${ID}/retry`
const SIGNED = { WEBHOOK_SECRET: `alice:whsec_${Buffer.from('a secret of 24 bytes or more').toString('base64')}` }

describe('U52 POST /tasks/{id}/retry', () => {
  it.each([
    [{}, {}],
    [{ settings: { max_steps: 3 } }, {}],
    [
      { drive: 'manual', callback_url: null },
      { drive: 'manual', callback_url: null },
    ],
    [{ callback_url: 'https://example.com/hook' }, { callback_url: 'https://example.com/hook' }],
  ])('U52 hands on what was sent, and leaves the rest to the task: %o', async (body, more) => {
    const { post, asked } = fixture({ env: SIGNED })
    const response = await post(PATH, body)
    expect(response.status).toBe(201)
    const settings = 'settings' in body ? body.settings : {}
    const wish = { at: 1, settings, outcome: null, again: true, ...more }
    expect(asked).toEqual([{ method: 'forkTask', args: [callerOf('alice'), ID, wish] }])
  })

  it.each<[unknown, string, RegExp]>([
    [{ at: 3 }, '/at', /unknown field "at"; known: settings, drive, callback_url/],
    [{ max_steps: 3 }, '/max_steps', /unknown field "max_steps"; it belongs/],
    [{ settings: { max_stepz: 3 } }, '/settings/max_stepz', /did you mean "max_steps"/],
    [{ drive: 'fast' }, '/drive', /drive must be one of manual, background/],
    [{ callback_url: 'http://10.0.0.1/' }, '/callback_url', /callback_url must/],
  ])('U52 %o is refused at %s', async (body, pointer, words) => {
    const { post, asked } = fixture({ env: SIGNED })
    const problem = await problemOf(await post(PATH, body))
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ pointer }] })
    expect(problem['detail']).toMatch(words)
    expect(asked).toEqual([])
  })
})
