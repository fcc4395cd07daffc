/** U53: a refusal in the form and the language that its request prefers. */
import { describe, expect, it } from 'vitest'
import type { HttpRefusal } from '../../src/http/shapes/http-refusal.ts'
import { PROBLEM_TEXTS_ZH } from '../../src/http/gate/hints/problem-texts-zh.ts'
import { problemResponse } from '../../src/http/gate/problem-response.ts'
import { fixture, ID, problemOf } from '../support/http-fixture.ts'

const PLAIN = { accept: 'text/plain' }
const CHINESE = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.5' }
const typeOf = (response: Response) => response.headers.get('content-type')

describe('U53 problems as text', () => {
  it('U53 a refusal is text where the answer would be text', async () => {
    const response = await fixture().send('GET', '/tasks?limit=0&x=1', null, PLAIN)
    expect([response.status, typeOf(response)]).toEqual([422, 'text/plain; charset=utf-8'])
    expect(await response.text()).toBe(
      '422 Invalid request (validation_failed)\n' +
        'unknown query parameter "x"; known: status, mode, metadata, q, outcome, agent, forked_from, include, limit, after.\n' +
        '/x  unknown query parameter "x"; known: status, mode, metadata, q, outcome, agent, forked_from, include, limit, after\n',
    )
  })

  it.each([
    ['before the key is known', 'GET', '/tasks', { ...PLAIN, authorization: '' }, '401 Unauthorized (unauthorized)'],
    ['of a path that is not there', 'GET', '/nowhere', PLAIN, '404 Not found (not_found)'],
    ['of another method', 'PUT', '/tasks', PLAIN, '405 Method not allowed (method_not_allowed)'],
    ['of a route that answers nothing', 'DELETE', '/tasks/x/files/y', PLAIN, '404 Task not found (task_not_found)'],
  ])('U53 also %s', async (_, method, path, headers, first) => {
    const response = await fixture({ behaviour: { refusal: { code: 'task_not_found' } } }).send(
      method,
      path,
      null,
      headers,
    )
    expect((await response.text()).split('\n')[0]).toBe(first)
  })

  it('U53 its headers stay, and further members have a line each', async () => {
    const refusal = { code: 'task_busy', expires_ms: 3_000, now_ms: 0 } as const
    const response = await fixture({ behaviour: { refusal } }).send('POST', `/tasks/${ID}/step`, null, PLAIN)
    expect(response.headers.get('retry-after')).toBe('3')
    expect(await response.text()).toContain('lease_expires_at: 1970-01-01T00:00:03.000Z\n')
  })

  it.each(['application/json', '*/*', '', 'application/problem+json, text/plain;q=0.5', 'text/event-stream'])(
    'U53 with Accept %j it is JSON as before',
    async (accept) => {
      const response = await fixture().send('GET', '/tasks?limit=0', null, { accept })
      expect(typeOf(response)).toBe('application/problem+json')
    },
  )

  it('U53 the bytes of a file are not an answer in one form of several', async () => {
    const options = { behaviour: { refusal: { code: 'file_not_found' } } } as const
    const response = await fixture(options).send('GET', `/tasks/${ID}/files/a.txt`, null, PLAIN)
    expect(typeOf(response)).toBe('application/problem+json')
  })

  it('U53 no text of a caller begins a line of its own', async () => {
    const body = JSON.stringify({ goal: 'x', 'a\nb\u2028c': 1 })
    const response = await fixture().send('POST', '/tasks', body, { ...PLAIN, 'content-type': 'application/json' })
    const text = await response.text()
    expect(text.trimEnd().split(/[\n\u2028]/)).toHaveLength(3)
  })
})

describe('U53 problems in Chinese', () => {
  it('U53 title and detail are Chinese, and code, pointers and messages of fields stay', async () => {
    const response = await fixture().post('/tasks', { goal: 'x', max_steps: 3, rounds: 99 }, CHINESE)
    expect(response.headers.get('content-language')).toBe('zh')
    expect(await problemOf(response)).toMatchObject({
      type: 'urn:loop-agent:problem:validation_failed',
      title: '请求不符合要求',
      detail: '“rounds”不符合要求，另有 1 处（rounds must be a whole number from 0 to 50）。',
      code: 'validation_failed',
      errors: [
        { pointer: '/rounds' },
        { pointer: '/max_steps', message: 'unknown field "max_steps"; it belongs in "settings"' },
      ],
    })
  })

  it('U53 also as text', async () => {
    const response = await fixture().send('GET', '/tasks', null, { ...PLAIN, ...CHINESE, authorization: 'dev-key' })
    expect(await response.text()).toBe(
      '401 未授权 (unauthorized)\n请在密钥前加上 "Bearer "：Authorization: Bearer <key>。\n',
    )
  })

  it.each(['', '*', 'de', 'en, zh;q=0.5', 'zh;q=0'])('U53 with Accept-Language %j it is English', async (language) => {
    const response = await fixture().send('GET', '/nowhere', null, { 'accept-language': language })
    expect((await problemOf(response))['title']).toBe('Not found')
    expect(response.headers.has('content-language')).toBe(false)
  })

  const REFUSALS: HttpRefusal[] = [
    { code: 'unauthorized', given: false },
    { code: 'unauthorized', given: true },
    { code: 'unauthorized', given: true, mistake: { kind: 'other_scheme', scheme: 'Basic' } },
    { code: 'unauthorized', given: true, mistake: { kind: 'other_header', header: 'X-Api-Key' } },
    ...(['no_scheme', 'no_key', 'quoted', 'placeholder', 'colon', 'twice', 'in_query'] as const).map(
      (kind): HttpRefusal => ({ code: 'unauthorized', given: true, mistake: { kind } }),
    ),
    { code: 'secret_not_found', hint: '; did you mean "orders"?' },
    { code: 'task_ended', status: 'failed', takes_attempts: true },
    { code: 'already_reported' },
    { code: 'already_reported', recorded: 'completed' },
    { code: 'precondition_failed', version: 7, waiting: true },
    { code: 'quota_exceeded', open: 3, max: 3 },
    { code: 'quota_exceeded', bytes: 3, bytes_max: 3 },
    { code: 'validation_failed', errors: [] },
    {
      code: 'validation_failed',
      errors: [{ pointer: '', message: 'the body must be a JSON object' }],
      hint: 'Send it.',
    },
  ]
  it.each(REFUSALS)('U53 %j has a Chinese title and a whole Chinese sentence', async (refusal) => {
    const problem = await problemOf(await problemResponse(refusal, '/', { media: 'json', chinese: PROBLEM_TEXTS_ZH }))
    for (const text of [problem['title'], problem['detail']]) {
      expect(text).toMatch(/\p{Script=Han}/u)
      expect(text).not.toMatch(/undefined|null|（）/)
    }
  })
})
