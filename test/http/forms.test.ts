/** Forms and plain texts as bodies: which field is the text, what a form of ours may hold, and help for curl -d. */
import { describe, expect, it } from 'vitest'
import { fixture, ID } from '../support/http-fixture.ts'
import { bytes, FORM, refusal, TEXT } from './sent.ts'

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

  it('a whole text is the goal, the input, the command', async () => {
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

  const PLAIN_HINT = "send -H 'content-type: text/plain'"
  it.each([
    ['/tasks', 'buy milk'],
    ['/tasks', 'buy milk & bread'],
    ['/tasks', '买牛奶'],
    ['/tasks', 'mode'.repeat(3)],
    ['/commands', '/todo list'],
    [`/tasks/${ID}/input`, '45 minutes'],
  ])('curl -d without a header at %s: %s is 422 with the header to send', async (path, body) => {
    const { status, detail } = await refusal(path, body, FORM)
    expect([status, detail]).toEqual([422, expect.stringContaining(PLAIN_HINT)])
  })

  it.each(['goal=', 'goal', 'input', 'text=', 'mode', 'goal=x&mod=y', 'mod=y', ''])(
    'the form %j is no text, and gets no such hint',
    async (body) => {
      const { status, detail } = await refusal('/tasks', body, FORM)
      expect([status, detail]).toEqual([422, expect.not.stringContaining(PLAIN_HINT)])
    },
  )

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
