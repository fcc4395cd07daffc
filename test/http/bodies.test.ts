/** What a body may be, and what becomes of one that may not: 400, 413, 415 or 422, always with a word of help. */
import { describe, expect, it } from 'vitest'
import { fixture, ID } from '../support/http-fixture.ts'
import { bytes, FORM, JSON_TYPE, refusal, TEXT } from './sent.ts'

describe('JSON', () => {
  it.each([
    ['nothing', ''],
    ['blank', ' \n'],
    ['cut off', '{"goal": "x"'],
    ['single quotes', "{'goal': 'x'}"],
    ['trailing comma', '{"goal": "x",}'],
    ['two values', '{"goal":"x"}{"goal":"y"}'],
    ['NaN', '{"goal": "x", "rounds": NaN}'],
    ['a comment', '{"goal": "x"} // hi'],
    ['a raw control character', '{"goal": "a\u0001b"}'],
    ['a million brackets', '['.repeat(1_000_000)],
    ['a byte order mark', '\uFEFF{"goal":"x"}'],
    ['bad UTF-8', bytes('{"goal":"', [0xc3, 0x28], '"}')],
    ['overlong UTF-8', bytes('{"goal":"', [0xc0, 0x80], '"}')],
    ['an encoded surrogate', bytes('{"goal":"', [0xed, 0xa0, 0x80], '"}')],
    ['UTF-16', bytes([0xff, 0xfe, 0x7b, 0x00])],
  ])('F50 unreadable: %s is 400 invalid_json', async (_, body) => {
    const { status, code, detail } = await refusal('/tasks', body, JSON_TYPE)
    expect([status, code]).toEqual([400, 'invalid_json'])
    expect(detail).not.toMatch(/position|token/i)
  })

  it.each([
    ['null', 'null'],
    ['a list', '[{"goal":"x"}]'],
    ['a text', '"x"'],
    ['a number', '7'],
    ['nested 33 deep', `{"metadata":${'{"a":'.repeat(31)}{}${'}'.repeat(31)}}`.replace('{}', '[[]]')],
    ['half a million deep', '['.repeat(500_000) + ']'.repeat(500_000)],
  ])('F50 the wrong shape: %s is 422', async (_, body) => {
    expect(await refusal('/tasks', body, JSON_TYPE)).toMatchObject({ status: 422, errors: [{ pointer: '' }] })
  })

  it.each(['1e999', '-1', '99999999999999999999', '1.5'])(
    'a number of %s is no whole number in range',
    async (number) => {
      expect(await refusal('/tasks', `{"goal":"x","rounds":${number}}`, JSON_TYPE)).toMatchObject({
        status: 422,
        errors: [{ pointer: '/rounds' }],
      })
    },
  )

  it('a depth of 32 is no reason to refuse', async () => {
    const { errors } = await refusal('/tasks', `{"x":${'['.repeat(31)}${']'.repeat(31)}}`, JSON_TYPE)
    expect(errors).toContainEqual({
      pointer: '/x',
      message: expect.stringContaining('unknown field "x"; known: goal,'),
    })
  })

  it.each([
    ['{"goal":"a\\u0000b"}', '/goal'],
    ['{"goal":"\\ud800"}', '/goal'],
    ['{"goal":"x","metadata":{"a":"\\udc00x"}}', '/metadata/a'],
    ['{"goal":"x","metadata":{"a\\u0000":"b"}}', '/metadata/a\0'],
    ['{"goal":"x","\\ud800":1}', '/\uFFFD'],
    ['{"goal":"x","settings":{"cancel_phrase":"\\u0000"}}', '/settings/cancel_phrase'],
  ])('U24 NUL and lone surrogates are refused wherever they stand: %s', async (body, pointer) => {
    const { status, errors } = await refusal('/tasks', body, JSON_TYPE)
    expect([status, errors]).toEqual([422, [{ pointer, message: expect.stringMatching(/NUL|surrogates/) }]])
  })

  it.each([
    ['{"goal":"x","__proto__":{"admin":true}}', '/__proto__'],
    ['{"goal":"x","metadata":{"__proto__":"y"}}', '/metadata/__proto__'],
    ['{"goal":"x","settings":{"__proto__":{"max_steps":3}}}', '/settings/__proto__'],
    ['{"goal":"x","settings":{"models":{"__proto__":null}}}', '/settings/models/__proto__'],
  ])('F50 __proto__ is an unknown field and pollutes nothing: %s', async (body, pointer) => {
    const { status, errors } = await refusal('/tasks', body, JSON_TYPE)
    expect([status, errors]).toEqual([422, [{ pointer, message: 'unknown field "__proto__"' }]])
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
  })

  it('U24 the last of two duplicate keys wins', async () => {
    const { send, asked } = fixture()
    await send('POST', '/tasks', '{"goal":"first","goal":"last"}', JSON_TYPE)
    expect(asked[0]?.args[1]).toMatchObject({ goal: 'last' })
  })

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])('a label may be called %s', async (name) => {
    const { post, asked } = fixture()
    expect((await post('/tasks', { goal: 'x', metadata: { [name]: 'y' } })).status).toBe(201)
    expect(asked[0]?.args[1]).toMatchObject({ metadata: { [name]: 'y' } })
  })

  it.each(['application/json', 'APPLICATION/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])(
    '%s is JSON',
    async (type) => {
      expect((await fixture().send('POST', '/tasks', '{"goal":"x"}', { 'content-type': type })).status).toBe(201)
    },
  )
})

describe('size', () => {
  const limit = 1_048_576
  const goal = (size: number) => `{"goal":"x"}`.padEnd(size, ' ')
  it('a body of 1 MiB is read, one byte more is 413', async () => {
    expect((await fixture().send('POST', '/tasks', goal(limit), JSON_TYPE)).status).toBe(201)
    expect(await refusal('/tasks', goal(limit + 1), JSON_TYPE)).toMatchObject({
      status: 413,
      code: 'payload_too_large',
    })
  })

  it('API4 bytes are counted as they come in: without a length the reading stops at the limit', async () => {
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    expect(await refusal('/tasks', endless, JSON_TYPE)).toMatchObject({ status: 413 })
    expect(pulled).toBeLessThan(32)
  })

  it.each(['99999999', '1e9'])('a length of %s is refused before a byte is read', async (length) => {
    expect((await refusal('/tasks', '{}', { ...JSON_TYPE, 'content-length': length })).status).toBe(413)
  })

  it.each(['-5', 'abc', '3', ''])('a length of %s is not believed', async (length) => {
    expect(
      (await fixture().send('POST', '/tasks', '{"goal":"x"}', { ...JSON_TYPE, 'content-length': length })).status,
    ).toBe(201)
  })

  it('a body that breaks off is 400', async () => {
    const cut = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"goal":'))
        controller.error(new Error('reset'))
      },
    })
    expect(await refusal('/tasks', cut, JSON_TYPE)).toMatchObject({ status: 400, code: 'unreadable_body' })
  })

  it('no answer grows with the body: at most 20 errors, names cut', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field_${index}`, 1]))
    const { errors, response } = await refusal(
      '/tasks',
      JSON.stringify({ goal: 'x', ...many, ['y'.repeat(50_000)]: 1 }),
      JSON_TYPE,
    )
    expect(errors).toHaveLength(20)
    expect(response.status).toBe(422)
    const { detail } = await refusal('/tasks', JSON.stringify({ ['y'.repeat(50_000)]: 1, goal: 'x' }), JSON_TYPE)
    expect(detail.length).toBeLessThan(300)
  })
})

describe('content types', () => {
  it.each([
    ['application/xml', '<a/>'],
    ['multipart/mixed; boundary=x', '--x--'],
    ['text/html', 'x'],
    ['application/jsonx', '{}'],
    ['application/merge-patch+json', '{"goal":"x"}'],
    ['application/problem+json; charset=utf-8', '{"goal":"x"}'],
    ['application/vnd.x+json', '{"goal":"x"}'],
    ['text/json', '{"goal":"x"}'],
    ['application/json; charset=utf-16', '{"goal":"x"}'],
    ['text/plain; charset=latin1', 'x'],
    [';;;', 'x'],
    ['/', 'x'],
    ['', 'x'],
  ])('%s is 415 and names what is taken', async (type, body) => {
    const { status, code, response } = await refusal('/tasks', bytes(body), { 'content-type': type })
    expect([status, code]).toEqual([415, 'unsupported_media_type'])
    expect(response.headers.get('accept-post')).toBe(
      'application/json, application/x-www-form-urlencoded, text/plain, multipart/form-data',
    )
  })

  it('a body without a content type is 415', async () => {
    expect((await refusal('/tasks', bytes('{"goal":"x"}'), {})).status).toBe(415)
  })

  it('a compressed body is 415', async () => {
    expect((await refusal('/tasks', bytes([31, 139]), { ...JSON_TYPE, 'content-encoding': 'gzip' })).status).toBe(415)
  })

  it.each([
    ['/tasks', FORM],
    [`/tasks/${ID}/input`, FORM],
    [`/tasks/${ID}/step`, FORM],
    [`/tasks/${ID}/step`, TEXT],
    [`/tasks/${ID}/cancel`, FORM],
  ])('JSON sent to %s as %o is 415 with the header to send', async (path, headers) => {
    const { status, detail } = await refusal(path, ' {"rounds": 2}', path.endsWith('k') ? headers : FORM)
    expect([status, detail]).toEqual([415, expect.stringContaining("-H 'content-type: application/json'")])
  })

  it.each([{}, JSON_TYPE, FORM, TEXT, { 'content-type': 'application/xml' }])(
    'an empty body is fine for step and cancel (%o)',
    async (headers) => {
      expect((await fixture().send('POST', `/tasks/${ID}/step`, '', headers)).status).toBe(200)
      expect((await fixture().send('POST', `/tasks/${ID}/cancel`, '', headers)).status).toBe(200)
    },
  )

  it.each([
    [' ', {}],
    [' \n', JSON_TYPE],
    ['\t\r\n', FORM],
    ['\n', { 'content-type': 'application/xml' }],
  ])('white space only is an empty body where one is allowed: %j as %o', async (body, headers) => {
    const { send, asked } = fixture()
    for (const action of ['step', 'cancel'] as const) {
      expect((await send('POST', `/tasks/${ID}/${action}`, bytes(body), headers)).status).toBe(200)
    }
    expect(asked[0]?.args[2]).toEqual({ rounds: 1, max_ms: 25_000 })
  })

  it.each(['\u00a0', '\uFEFF', '\u2003', '\v', '\0'])('%j is no white space of JSON: 400', async (body) => {
    expect(await refusal(`/tasks/${ID}/step`, body, JSON_TYPE)).toMatchObject({ status: 400, code: 'invalid_json' })
  })

  it.each(['/tasks', `/tasks/${ID}/input`, '/commands'])('white space is no body at %s', async (path) => {
    expect(await refusal(path, ' \n', JSON_TYPE)).toMatchObject({ status: 400, code: 'invalid_json' })
  })

  it.each(['/tasks', `/tasks/${ID}/input`, '/commands'])('an empty body is 422 at %s', async (path) => {
    expect(await refusal(path, null, {})).toMatchObject({ status: 422, detail: expect.stringContaining('is required') })
  })
})
