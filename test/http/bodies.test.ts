/** What a body may be, and what becomes of one that may not: 400, 413, 415 or 422, always with a word of help. */
import { describe, expect, it } from 'vitest'
import { fixture, ID, problemOf } from '../support/http-fixture.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const TEXT = { 'content-type': 'text/plain;charset=UTF-8' }
const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)))

async function refusal(path: string, body: BodyInit | null, headers: Record<string, string>) {
  const { send, asked } = fixture()
  const response = await send('POST', path, body, headers)
  const problem = await problemOf(response)
  expect(asked).toEqual([])
  return {
    status: response.status,
    code: problem['code'],
    detail: String(problem['detail']),
    errors: problem['errors'],
    response,
  }
}

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
  ])('50 unreadable: %s is 400 invalid_json', async (_, body) => {
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
  ])('50 the wrong shape: %s is 422', async (_, body) => {
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
    expect(errors).toContainEqual({ pointer: '/x', message: 'unknown field "x"' })
  })

  it.each([
    ['{"goal":"a\\u0000b"}', '/goal'],
    ['{"goal":"\\ud800"}', '/goal'],
    ['{"goal":"x","metadata":{"a":"\\udc00x"}}', '/metadata/a'],
    ['{"goal":"x","metadata":{"a\\u0000":"b"}}', '/metadata/a\0'],
    ['{"goal":"x","\\ud800":1}', '/\uFFFD'],
    ['{"goal":"x","settings":{"cancel_phrase":"\\u0000"}}', '/settings/cancel_phrase'],
  ])('24 NUL and lone surrogates are refused wherever they stand: %s', async (body, pointer) => {
    const { status, errors } = await refusal('/tasks', body, JSON_TYPE)
    expect([status, errors]).toEqual([422, [{ pointer, message: expect.stringMatching(/NUL|surrogates/) }]])
  })

  it.each([
    ['{"goal":"x","__proto__":{"admin":true}}', '/__proto__'],
    ['{"goal":"x","metadata":{"__proto__":"y"}}', '/metadata/__proto__'],
    ['{"goal":"x","settings":{"__proto__":{"max_steps":3}}}', '/settings/__proto__'],
    ['{"goal":"x","settings":{"models":{"__proto__":null}}}', '/settings/models/__proto__'],
  ])('50 __proto__ is an unknown field and pollutes nothing: %s', async (body, pointer) => {
    const { status, errors } = await refusal('/tasks', body, JSON_TYPE)
    expect([status, errors]).toEqual([422, [{ pointer, message: 'unknown field "__proto__"' }]])
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
  })

  it('24 of a duplicate key the last one wins', async () => {
    const { send, asked } = fixture()
    await send('POST', '/tasks', '{"goal":"first","goal":"last"}', JSON_TYPE)
    expect(asked[0]?.args[1]).toMatchObject({ goal: 'last' })
  })

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])('a label may be called %s', async (name) => {
    const { post, asked } = fixture()
    expect((await post('/tasks', { goal: 'x', metadata: { [name]: 'y' } })).status).toBe(201)
    expect(asked[0]?.args[1]).toMatchObject({ metadata: { [name]: 'y' } })
  })

  it.each([
    'application/json',
    'APPLICATION/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/vnd.x+json',
  ])('%s is JSON', async (type) => {
    expect((await fixture().send('POST', '/tasks', '{"goal":"x"}', { 'content-type': type })).status).toBe(201)
  })
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
    expect(detail.length).toBeLessThan(200)
  })
})

describe('content types', () => {
  it.each([
    ['application/xml', '<a/>'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['text/html', 'x'],
    ['application/jsonx', '{}'],
    ['application/json; charset=utf-16', '{"goal":"x"}'],
    ['text/plain; charset=latin1', 'x'],
    [';;;', 'x'],
    ['/', 'x'],
    ['', 'x'],
  ])('%s is 415 and names what is taken', async (type, body) => {
    const { status, code, response } = await refusal('/tasks', bytes(body), { 'content-type': type })
    expect([status, code]).toEqual([415, 'unsupported_media_type'])
    expect(response.headers.get('accept-post')).toBe('application/json, application/x-www-form-urlencoded, text/plain')
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

  it.each(['/tasks', `/tasks/${ID}/input`, '/commands'])('an empty body is 422 at %s', async (path) => {
    expect(await refusal(path, null, {})).toMatchObject({ status: 422, detail: expect.stringContaining('is required') })
  })
})

describe('forms and texts', () => {
  it.each([
    ['goal=Buy+milk%21', { goal: 'Buy milk!' }],
    ['input=Buy+milk', { goal: 'Buy milk' }],
    ['Body=Buy+milk&From=%2B4930&MessageSid=SM1', { goal: 'Buy milk' }],
    ['text=Buy+milk&team_id=T1&user_name=x', { goal: 'Buy milk' }],
    ['goal=100%25+%sure', { goal: '100% %sure' }],
    ['goal=a&goal=b', { goal: 'b' }],
    ['goal=x&timezone=Asia%2FTokyo&locale=zh&mode=plan_execute', { goal: 'x', timezone: 'Asia/Tokyo', locale: 'zh' }],
    ['goal=%E7%89%9B%E5%A5%B6+%EF%BF%BD', { goal: '牛奶 \uFFFD' }],
    ['goal=123', { goal: '123' }],
  ])('POST /tasks with the form %s', async (body, expected) => {
    const { send, asked } = fixture()
    expect((await send('POST', '/tasks', body, FORM)).status).toBe(201)
    expect(asked[0]?.args[1]).toMatchObject(expected)
  })

  it('numbers of a form are numbers', async () => {
    const { send, asked } = fixture()
    await send('POST', '/tasks', 'goal=x&rounds=0&max_ms=500', FORM)
    expect(asked[0]?.args[2]).toEqual({ rounds: 0, max_ms: 500 })
  })

  it('⌁ a whole text is the goal, the input, the command', async () => {
    const { send, asked } = fixture()
    await send('POST', '/tasks', 'Buy milk', TEXT)
    await send('POST', `/tasks/${ID}/input`, ' 明天 ', TEXT)
    await send('POST', '/commands', '/todo list', TEXT)
    await send('POST', '/commands', '', TEXT)
    await send('POST', '/commands', 'text=%2Ftodo+list&team_id=T', FORM)
    await send('POST', `/tasks/${ID}/input`, 'Body=yes&From=1', FORM)
    const said = asked.map(({ method, args }) =>
      method === 'createTask' ? args[1] : method === 'inputTask' ? args[2] : args[1],
    )
    expect(said).toEqual([expect.objectContaining({ goal: 'Buy milk' }), '明天', '/todo list', '', '/todo list', 'yes'])
  })

  it.each([
    ['', '/goal'],
    ['goal=', '/goal'],
    ['goal=+++', '/goal'],
    ['goal=x&mod=y', '/mod'],
    ['input=x&goal=y', '/input'],
    ['goal=x&rounds=two', '/rounds'],
    ['goal=x&rounds=51', '/rounds'],
    ['goal=x&rounds=-1', '/rounds'],
    ['goal=a%00b', '/goal'],
    ['goal=x&__proto__=y', '/__proto__'],
    ['Body=', '/goal'],
  ])('the form %s is 422 at %s', async (body, pointer) => {
    expect(await refusal('/tasks', body, FORM)).toMatchObject({ status: 422, errors: [{ pointer }] })
  })

  it.each([
    ['goal=%ff', FORM],
    ['goal=%ED%A0%80', FORM],
    [bytes('goal=', [0xff]), FORM],
    [bytes([0xff, 0xfe]), TEXT],
  ])('what is no UTF-8 is 400: %s', async (body, headers) => {
    expect(await refusal('/tasks', body, headers)).toMatchObject({ status: 400, code: 'unreadable_body' })
  })

  it('a text with NUL is 422, a blank one too', async () => {
    expect((await refusal('/tasks', 'a\0b', TEXT)).status).toBe(422)
    expect((await refusal('/tasks', ' \n\t', TEXT)).status).toBe(422)
  })
})
