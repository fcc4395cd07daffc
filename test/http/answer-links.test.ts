/** Answer links (U23, F43 to F45): one question, one answer, by whoever holds the link; nothing else of the task. */
import { describe, expect, it, vi } from 'vitest'
import { ACME, linkBench, pathOf, tokenOf, type LinkBench } from '../support/link-bench.ts'
import {
  ALL,
  ask,
  closed,
  createTask,
  done,
  planned,
  rowsOf,
  say,
  step,
  titles,
  type Script,
} from '../support/scripted.ts'
import { FORM, JSON_TYPE, TEXT } from './sent.ts'

const ONE_QUESTION: Script = { plan: [planned('A')], thought: [ask()] }
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function asked(script: Script = ONE_QUESTION, more: Parameters<LinkBench['asking']>[0] = {}) {
  const bench = linkBench(script)
  const task = await bench.asking(more)
  const path = pathOf(task)
  const answer = async (text: string, headers: Record<string, string> = {}) => {
    const response = await bench.send('POST', path, JSON.stringify({ input: text }), { ...JSON_TYPE, ...headers })
    return { status: response.status, body: (await response.json()) as Record<string, unknown>, response }
  }
  const read = async () => {
    const found = await bench.send('GET', `/tasks/${task.id}`, null, ACME)
    return { etag: found.headers.get('etag'), task: (await found.json()) as Record<string, unknown> }
  }
  return { bench, task, path, answer, read }
}
/** What the task was told. */
const heard = (bench: LinkBench, id: string) =>
  rowsOf(bench, id).flatMap(({ event }) => (event.kind === 'user_answered' ? [event.text] : []))

describe('P19 an answer link', () => {
  it('U23 is shown with the open question by every answer that shows it, always the same; a list leaves it out', async () => {
    const { bench, task, read } = await asked()
    const { pending } = task
    expect(pending).toMatchObject({
      kind: 'question',
      answer_url: expect.stringMatching(/^https:\/\/agent\.example\/answers\//),
    })
    expect((await read()).task['pending']).toEqual(pending)
    expect((await step(bench, task.id)).pending).toEqual(pending)
    const list = await (await bench.send('GET', '/tasks', null, ACME)).json()
    expect(list).toMatchObject({ data: [{ pending: { kind: 'question', answer_url: null } }] })
  })

  it('U23 no row of the journal holds the token', async () => {
    const { bench, task, answer } = await asked()
    expect((await answer('at 3', { 'idempotency-key': 'k' })).status).toBe(200)
    const stored = await bench.send('GET', `/tasks/${task.id}/export?limit=100`, null, ACME)
    expect(await stored.text()).not.toContain(tokenOf(task))
  })

  it('U6 the same key with another body is 422; with the same one it is the first answer again', async () => {
    const { bench, task, answer } = await asked()
    const key = { 'idempotency-key': 'k' }
    expect((await answer('at 3', key)).body).toEqual({ recorded: 'at 3' })
    expect(await answer('at 4', key)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    const again = await answer('at 3', key)
    expect([again.status, again.response.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(heard(bench, task.id)).toEqual(['at 3'])
  })

  it('a task that does not know where it can be reached has none', async () => {
    const bench = linkBench(ONE_QUESTION)
    expect((await createTask(bench, {}, ALL)).pending).toMatchObject({ kind: 'question', answer_url: null })
  })

  it('F44 GET changes nothing, however often: the task keeps its version', async () => {
    const { bench, path, read } = await asked()
    const before = await read()
    for (const headers of [{}, HTML, { accept: 'application/json' }]) {
      const page = await bench.send('GET', path, null, headers)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(await page.text()).toContain('Please confirm: When?')
    }
    expect((await bench.send('HEAD', path)).status).toBe(200)
    expect(await read()).toEqual(before)
  })

  it.each([
    ['JSON', JSON_TYPE, '{"input":"at 3"}'],
    ['JSON of a chat service', JSON_TYPE, '{"text":"at 3","user":"U1","channel":{"id":7}}'],
    ['JSON of a mail service', JSON_TYPE, '{"Body":"at 3","From":"a@b.example"}'],
    ['the form of the page', FORM, 'input=at+3'],
    ['a form with the field answer', FORM, 'answer=at%203&utm=1'],
    ['Twilio', FORM, 'ToCountry=DE&MessageSid=SM1&NumMedia=0&Body=at+3&From=%2B49'],
    ['Slack', FORM, 'token=x&team_id=T1&command=%2Freply&text=at+3'],
    ['plain text', TEXT, 'at 3\n'],
  ])('%s is the answer: recorded, with no task data, and no round is begun', async (_, type, body) => {
    const { bench, task, path, read } = await asked()
    const response = await bench.send('POST', path, body, type)
    expect([response.status, await response.json()]).toEqual([200, { recorded: 'at 3' }])
    expect(heard(bench, task.id)).toEqual(['at 3'])
    expect((await read()).task).toMatchObject({ status: 'running', step_count: 1, version: task.version + 1 })
  })

  it.each(['/todo list', '/help', '取消当前任务', 'continue', '继续', 'resume'])(
    'the text "%s" is the literal answer and never a command',
    async (text) => {
      const { bench, task, answer, read } = await asked()
      expect((await answer(text)).body).toEqual({ recorded: text })
      expect(heard(bench, task.id)).toEqual([text])
      expect((await read()).task['status']).toBe('running')
    },
  )

  it('F43 the same answer again is the recorded one, another is 409 with what stands; nothing is heard twice', async () => {
    const { bench, task, answer, read } = await asked()
    expect((await answer('at 3')).body).toEqual({ recorded: 'at 3' })
    const { etag } = await read()
    const again = await answer('  at 3  ')
    expect([again.status, again.body]).toEqual([200, { recorded: 'at 3' }])
    expect(again.response.headers.get('idempotency-replayed')).toBe('true')
    const other = await answer('at 4')
    expect([other.status, other.body]).toMatchObject([
      409,
      { code: 'question_settled', recorded: 'at 3', instance: '/answers/' },
    ])
    expect(heard(bench, task.id)).toEqual(['at 3'])
    expect((await read()).etag).toBe(etag)
  })

  it('fifty at once: one wins, the others are told what stands', async () => {
    const { bench, task, answer } = await asked()
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => answer(`answer ${n % 25}`)))
    const [won] = heard(bench, task.id)
    expect(heard(bench, task.id)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200).map(({ body }) => body)).toEqual([
      { recorded: won },
      { recorded: won },
    ])
    expect(answers.filter(({ status, body }) => status === 409 && body['recorded'] === won)).toHaveLength(48)
  })

  it('settled elsewhere: by input, by cancel, by an earlier question of the same task', async () => {
    const script = { plan: [planned('A')], thought: [ask('When?'), ask('Who pays for it?')], replan: [planned('A')] }
    const { bench, task, answer } = await asked({
      ...script,
      replan: [{ status: 'replanned', plan: ['A'], response: null }],
    })
    const next = await say(bench, task.id, 'tomorrow', ALL)
    expect(next.pending).toMatchObject({ question: 'Who pays for it?' })
    expect((await answer('at 4')).body).toMatchObject({ code: 'question_settled', recorded: 'tomorrow' })
    expect((await answer('tomorrow')).body).toEqual({ recorded: 'tomorrow' })
    await bench.send('POST', `/tasks/${task.id}/cancel`, null, ACME)
    const second = await bench.send('POST', pathOf(next), 'me', TEXT)
    expect([second.status, await second.json()]).toMatchObject([409, { code: 'question_settled', recorded: null }])
    expect(titles(next)).toEqual(['A'])
  })

  it('an answer resumes a paused task', async () => {
    const { bench, task, answer, read } = await asked()
    await bench.send('POST', `/tasks/${task.id}/pause`, null, ACME)
    expect((await answer('continue')).body).toEqual({ recorded: 'continue' })
    expect(heard(bench, task.id)).toEqual(['continue'])
    expect((await read()).task['status']).toBe('running')
  })

  it('the task goes on with what was answered when its driver asks', async () => {
    const { bench, task, answer } = await asked({
      ...ONE_QUESTION,
      thought: [ask(), done()],
      replan: [{ status: 'replanned', plan: ['A'], response: null }, closed('booked')],
    })
    await answer('at 3')
    expect(await step(bench, task.id, ALL)).toMatchObject({ status: 'completed', result: { text: 'booked' } })
    bench.spent()
  })
})

describe('time', () => {
  it.each(['pause', 'fail'] as const)(
    'F45 after its time it is 410, before and after the task has heard of it (%s)',
    async (what) => {
      const settings = { question_ttl_s: 60, on_question_expired: what }
      const { bench, task, path, answer, read } = await asked(ONE_QUESTION, { settings })
      bench.clock.now += 59_999
      expect((await bench.send('GET', path)).status).toBe(200)
      bench.clock.now += 1
      const { etag } = await read()
      const late = async () => {
        expect(await answer('at 3')).toMatchObject({ status: 410, body: { code: 'expired' } })
        expect((await bench.send('GET', path, null, { accept: 'application/json' })).status).toBe(410)
        const page = await bench.send('GET', path, null, HTML)
        expect([page.status, await page.text()]).toEqual([410, expect.stringContaining('This link has expired.')])
      }
      await late()
      expect((await read()).etag).toBe(etag)
      const ticket = { slice: 's', boot: 'boot', more: 'nothing' as const, rounds: 0, wall_ms: 0, key: null }
      expect((await bench.store.of('acme', task.id).tell({ kind: 'tend' }, ticket)).ok).toBe(true)
      expect((await read()).task['stop_reason']).toBe('question_expired')
      await late()
      expect(heard(bench, task.id)).toEqual([])
    },
  )

  it('what was answered in time is told until the link expires, and not after', async () => {
    const { bench, answer } = await asked(ONE_QUESTION, { settings: { question_ttl_s: 60 } })
    await answer('at 3')
    bench.clock.now += 59_999
    expect((await answer('at 3')).status).toBe(200)
    bench.clock.now += 1
    expect((await answer('at 3')).status).toBe(410)
    expect(JSON.stringify((await answer('at 4')).body)).not.toContain('at 3')
  })
})

describe('what a link is worth', () => {
  it('opens no other route, and a key opens no link', async () => {
    const { bench, task, path } = await asked()
    const bearer = { authorization: `Bearer ${tokenOf(task)}` }
    expect((await bench.send('GET', `/tasks/${task.id}`, null, bearer)).status).toBe(401)
    expect((await bench.send('DELETE', path, null, ACME)).status).toBe(405)
  })

  it('is counted: so many requests of one link', async () => {
    const { bench, path } = await asked()
    const statuses = async (of: string, count: number) => {
      const seen: number[] = []
      for (let n = 0; n < count; n++) seen.push((await bench.quick('GET', of)).status)
      return seen
    }
    expect(new Set(await statuses(path, 60))).toEqual(new Set([200]))
    const refused = await bench.send('POST', path, 'at 3', TEXT)
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"link";q=60;w=60'])
    expect(await statuses('/answers/AAAA', 1)).toEqual([404])
    bench.clock.now += 60_000
    expect(await statuses(path, 1)).toEqual([200])
  })

  it.each([
    ['a body that is no JSON', JSON_TYPE, '{', 400],
    ['another type', { 'content-type': 'text/xml' }, '<a/>', 415],
    ['an unknown field', JSON_TYPE, '{"input":"x","rounds":50}', 422],
    ['a blank answer', TEXT, '  \n', 422],
    ['one that is too long', TEXT, 'x'.repeat(16_001), 422],
    ['one of a megabyte', TEXT, 'x'.repeat(1_048_577), 413],
  ])('%s is refused, and the question stays open', async (_, type, body, status) => {
    const { bench, path, task, read } = await asked()
    expect((await bench.send('POST', path, body, type)).status).toBe(status)
    expect((await read()).task).toMatchObject({ status: 'input_required', version: task.version })
  })

  it('no line of the log and no answer repeats the token or the secret', async () => {
    const lines = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const bench = linkBench(ONE_QUESTION, { SIGNING_SECRET: 'a-canary-of-secrets' })
    const path = pathOf(await bench.asking())
    bench.store.of = () => {
      throw new TypeError('lost a-canary-of-secrets')
    }
    const failed = await bench.send('POST', path, 'at 3', TEXT)
    expect(failed.status).toBe(500)
    const said = `${JSON.stringify(lines.mock.calls)} ${await failed.text()}`
    lines.mockRestore()
    expect(said).toContain('request_failed')
    expect(said).not.toContain('a-canary')
    expect(said).not.toContain(path.slice('/answers/'.length))
  })
})

describe('a browser', () => {
  it('is answered by pages: recorded, the same again, another one, a blank one', async () => {
    const { bench, path } = await asked()
    const post = async (body: string) => {
      const response = await bench.send('POST', path, body, { ...FORM, ...HTML })
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      return [response.status, await response.text()]
    }
    expect(await post('input=+')).toEqual([422, expect.stringContaining('Please give an answer.')])
    expect(await post('input=at+3')).toEqual([200, expect.stringContaining('Thank you. Your answer is recorded.')])
    expect(await post('input=at+3')).toEqual([200, expect.stringContaining('at 3')])
    expect(await post('input=at+4')).toEqual([
      409,
      expect.stringMatching(/answered before, so what you sent was not taken.*at 3/s),
    ])
    const settled = await bench.send('GET', path, null, HTML)
    expect([settled.status, await settled.text()]).toEqual([
      200,
      expect.stringMatching(/This question is answered\..*at 3/s),
    ])
  })

  it('gets pages for an unknown link, a refusal and a limit too', async () => {
    const bench = linkBench(ONE_QUESTION, { RATE_LIMIT_PER_MINUTE: '2' })
    const own = pathOf(await bench.asking())
    const page = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const response = await bench.send(method, path, method === 'POST' ? '<a/>' : null, {
        ...HTML,
        ...headers,
      })
      return [response.status, await response.text()]
    }
    expect(await page('GET', '/answers/AAAA')).toEqual([404, expect.stringContaining('This link is not known.')])
    expect(await page('POST', own, { 'content-type': 'text/xml', 'accept-language': 'zh-CN' })).toEqual([
      415,
      expect.stringContaining('无法接受该请求'),
    ])
    await page('GET', '/answers/AAAA')
    expect(await page('GET', '/answers/AAAA', { 'accept-language': 'fr, zh;q=0.5' })).toEqual([
      429,
      expect.stringContaining('暂时无法处理'),
    ])
  })

  it.each([
    ['*/*', 'application/json'],
    ['', 'application/json'],
    ['application/json, text/html', 'application/json'],
    ['text/html;q=0.4, application/json;q=0.5', 'application/json'],
    ['text/html;q=0, */*', 'application/json'],
    ['text/plain', 'text/plain; charset=UTF-8'],
    ['text/html, application/json', 'text/html; charset=utf-8'],
  ])('Accept "%s" gets %s', async (accept, type) => {
    const { bench, path } = await asked()
    const response = await bench.send('POST', path, 'at 3', { ...TEXT, accept })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  })
})
