/** U53: a key that is sent in another way is answered with the right way, and is never repeated. */
import { describe, expect, it } from 'vitest'
import { fixture, KEY, problemOf } from '../support/http-fixture.ts'

const problem = async (headers: Record<string, string>, path = '/tasks') => {
  const { send, asked } = fixture()
  const response = await send('GET', path, null, headers)
  expect(asked).toEqual([])
  const challenge = response.headers.get('www-authenticate')
  const document = await problemOf(response)
  expect(JSON.stringify(document)).not.toContain(KEY)
  return [response.status, document['detail'], challenge?.includes('invalid_token')]
}

describe('U53 a key that is sent in another way', () => {
  it.each([
    [KEY, 'Put "Bearer " before the key: Authorization: Bearer <key>.'],
    [`${KEY} `, 'Put "Bearer " before the key: Authorization: Bearer <key>.'],
    [`Basic ${btoa(`alice:${KEY}`)}`, 'Write "Bearer" in place of "Basic", and the key itself behind it'],
    [`token ${KEY}`, 'Write "Bearer" in place of "Token", and the key itself behind it'],
    ['Bearer', 'The key after "Bearer" is missing'],
    ['bearer  ', 'The key after "Bearer" is missing'],
    [`Bearer "${KEY}"`, 'Leave out the quotes in the value'],
    [`"Bearer ${KEY}"`, 'Leave out the quotes in the value'],
    [`'${KEY}'`, 'Leave out the quotes in the value'],
    ['Bearer $KEY', 'Put your key in place of the text after "Bearer"'],
    ['Bearer <key>', 'Put your key in place of the text after "Bearer"'],
    [`Bearer: ${KEY}`, 'Put a blank in place of the sign after "Bearer"'],
    [`Bearer=${KEY}`, 'Put a blank in place of the sign after "Bearer"'],
    [`Bearer Bearer ${KEY}`, 'Write "Bearer" once'],
    ['Bearer unknown', 'This key or link is not known, or not any more.'],
  ])('U53 Authorization: %s', async (authorization, detail) => {
    expect(await problem({ authorization })).toEqual([401, expect.stringContaining(detail), true])
  })

  it.each(['X-Api-Key', 'api-key', 'X-Auth-Token'])('U53 %s in place of Authorization', async (name) => {
    const [status, detail, is_token] = await problem({ authorization: '', [name]: KEY })
    expect([status, is_token]).toEqual([401, true])
    expect(String(detail).toLowerCase()).toContain(`bearer <key> in place of ${name.toLowerCase()}`)
  })

  it('U53 a key in the query', async () => {
    const expected = 'Send the key as a header and not in the query: Authorization: Bearer <key>.'
    expect((await problem({ authorization: '' }, `/tasks?api_key=${KEY}`))[1]).toBe(expected)
  })

  it('U53 a right key counts, whatever other headers there are', async () => {
    expect((await fixture().send('GET', '/tasks', null, { 'x-api-key': 'another' })).status).toBe(200)
  })
})
