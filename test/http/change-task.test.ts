/** PATCH /tasks/{id} as asked over HTTP (U52): what is handed to the service, and what is refused by name. */
import { describe, expect, it } from 'vitest'
import { callerOf, fixture, ID, problemOf } from '../support/http-fixture.ts'

const PATH = `/tasks/${ID}`
const JSON_TYPE = { 'content-type': 'application/json' }
const SIGNED = { WEBHOOK_SECRET: `alice:whsec_${Buffer.from('a secret of 24 bytes or more').toString('base64')}` }
const ALICE = callerOf('alice')

async function patch(body: unknown, headers: Record<string, string> = {}) {
  const { send, asked } = fixture({ env: SIGNED })
  return { response: await send('PATCH', PATH, JSON.stringify(body), { ...JSON_TYPE, ...headers }), asked }
}

describe('U52 PATCH /tasks/{id}', () => {
  it.each([
    [{ drive: 'background' }],
    [{ callback_url: 'https://example.com/hook', title: 'Milk' }],
    [{ callback_url: null, title: null, metadata: {} }],
  ])('U52 hands on what was sent: %o', async (body) => {
    const { response, asked } = await patch(body)
    expect(response.status).toBe(200)
    expect(asked).toEqual([{ method: 'changeTask', args: [ALICE, ID, body, null] }])
  })

  it('U52 takes If-Match, and needs none', async () => {
    expect((await patch({ title: 'x' }, { 'if-match': '"7"' })).asked[0]?.args[3]).toEqual([7])
    expect((await patch({ title: 'x' }, { 'if-match': '*' })).asked[0]?.args[3]).toBeNull()
  })

  it.each<[unknown, string, RegExp]>([
    [{ max_steps: 3 }, '/max_steps', /max_steps belongs in settings and cannot be changed/],
    [{ settings: { max_steps: 3 } }, '/settings', /settings cannot be changed: make another task, or fork this one/],
    [{ goal: 'x' }, '/goal', /goal cannot be changed/],
    [{ hold: true }, '/hold', /hold cannot be changed/],
    [
      { titel: 'x' },
      '/titel',
      /titel is unknown; did you mean "title"\?; drive, callback_url, metadata, title can be changed/,
    ],
    [{}, '', /must name at least one of drive, callback_url, metadata, title/],
    [{ title: 'x'.repeat(201) }, '/title', /title must have at most 200 characters/],
    [{ title: '  ' }, '/title', /title/],
    [{ drive: 'fast' }, '/drive', /drive must be one of manual, background/],
    [{ metadata: { 'a b': 'c' } }, '/metadata/a b', /must have a name of 1 to 64/],
    [{ metadata: { a: 1 } }, '/metadata/a', /must be a text/],
    [{ callback_url: 'http://10.0.0.1/' }, '/callback_url', /callback_url must/],
  ])('U52 %o is refused at %s', async (body, pointer, words) => {
    const { response, asked } = await patch(body)
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ pointer }] })
    expect(problem['detail']).toMatch(words)
    expect(asked).toEqual([])
  })

  it('U52 a create takes a title of the same bounds', async () => {
    const { post, asked } = fixture()
    await post('/tasks', { goal: 'x', title: 'Milk' })
    expect(asked[0]?.args[1]).toMatchObject({ title: 'Milk' })
    expect((await post('/tasks', { goal: 'x', title: 'x'.repeat(201) })).status).toBe(422)
  })
})
