/** The routes of delegations: what each hands the service, what it refuses before that, and the forms of its answer. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SentReport, SECTION_CHARS_MAX } from '../../src/core/terms/delegation.ts'
import { ok, type Refusal } from '../../src/core/terms/refusal.ts'
import { writeCommandFile } from '../../src/delegations/command-file.ts'
import { readReportFile } from '../../src/delegations/report-file.ts'
import {
  DELEGATION_EXAMPLE,
  DELEGATION_PAGE_EXAMPLE,
  REPORTED_EXAMPLE,
} from '../../src/http/document/delegation-examples.ts'
import { callerIn, callerOf, COMMAND_FILE, fixture, problemOf } from '../support/http-fixture.ts'
import { bytes, FORM, JSON_TYPE, refusal, TEXT } from './sent.ts'

const ONE = `/delegations/${DELEGATION_EXAMPLE.id}`
const PLAIN = { accept: 'text/plain' }
const MARKDOWN = { 'content-type': 'text/markdown; charset=utf-8' }
const ALICE = callerOf('alice')

describe('GET /delegations', () => {
  it.each<[string, string | null, object, string?]>([
    ['', null, { limit: 20, after: 0 }],
    ['?status=pending&pool=gpu', 'pending', { limit: 20, after: 0 }, 'gpu'],
    ['?status=claimed&limit=3&after=17', 'claimed', { limit: 3, after: 17 }],
    ['?status=reported', 'reported', { limit: 20, after: 0 }],
    ['?status=expired', 'expired', { limit: 20, after: 0 }],
    ['?status=canceled', 'canceled', { limit: 20, after: 0 }],
    ['?status=pending', 'pending', { limit: 20, after: 0 }],
  ])('%s', async (query, status, paging, pool) => {
    const { send, asked } = fixture()
    const response = await send('GET', `/delegations${query}`)
    expect([response.status, await response.json()]).toEqual([200, DELEGATION_PAGE_EXAMPLE])
    expect(asked).toEqual([{ method: 'listDelegations', args: [ALICE, { status, pool: pool ?? null }, paging, 0] }])
  })

  it.each([
    ['?status=open', '/status', 'status must be one of pending, claimed, reported, expired, canceled, not "open"'],
    ['?limit=0', '/limit', 'limit must be a whole number from 1 to 100'],
    ['?limit=101', '/limit', 'limit must be a whole number from 1 to 100'],
    ['?after=x', '/after', 'after must be a whole number of at least 0'],
    ['?worker=me', '/worker', 'unknown query parameter "worker"; known: status, pool, limit, after'],
    ['?pool=g.p', '/pool', 'pool must be 1 to 64 of A-Z a-z 0-9 _ -'],
    ['?pool=', '/pool', 'pool must be 1 to 64 of A-Z a-z 0-9 _ -'],
  ])('%s is 422', async (query, pointer, message) => {
    const response = await fixture().send('GET', `/delegations${query}`)
    expect(await problemOf(response)).toMatchObject({ status: 422, errors: [{ pointer, message }] })
  })

  it.each([
    ['?status=pending', 'wait=10', 10_000, 'wait=10'],
    ['?status=pending', 'wait=31', 30_000, 'wait=30'],
    ['?status=pending', 'wait=0', 0, 'wait=0'],
    ['?status=pending&limit=1', 'respond-async, wait=5', 5_000, 'wait=5'],
    ['?status=pending', 'wait=-1', 0, null],
    ['?status=pending', '', 0, null],
    ['', 'wait=10', 0, null],
    ['?status=claimed', 'wait=10', 0, null],
    ['?status=pending&after=7', 'wait=10', 0, null],
  ])('%s with Prefer: "%s" waits %i ms, and says %s', async (query, prefer, wait_ms, applied) => {
    const { send, asked } = fixture()
    const response = await send('GET', `/delegations${query}`, null, { prefer })
    expect(asked[0]?.args[3]).toBe(wait_ms)
    expect(response.headers.get('preference-applied')).toBe(applied)
  })

  it('as text one line each', async () => {
    const { id, command_id } = DELEGATION_EXAMPLE
    const data = [DELEGATION_EXAMPLE, ...DELEGATION_PAGE_EXAMPLE.data]
    const page = { listDelegations: async () => ok({ data, has_more: true, next_cursor: '7' }) }
    const response = await fixture({ answers: page }).send('GET', '/delegations', null, PLAIN)
    const due = 'due 2026-03-02T09:10:00.000Z'
    expect((await response.text()).split('\n')).toEqual([
      `${id}  claimed  new  ${command_id}  ${due}  builder-3 until 2026-03-02T09:05:00.000Z  pool gpu`,
      `${id}  pending  new  ${command_id}  ${due}  pool gpu`,
      'more: ?after=7',
      '',
    ])
    const none = { listDelegations: async () => ok({ data: [], has_more: false, next_cursor: null }) }
    expect(await (await fixture({ answers: none }).send('GET', '/delegations', null, PLAIN)).text()).toBe('(none)\n')
  })
})

describe('GET /delegations/{id}', () => {
  it.each(['', 'application/json', '*/*', 'text/html', 'application/json, text/markdown'])(
    'with Accept "%s" is JSON',
    async (accept) => {
      const { send, asked } = fixture()
      const response = await send('GET', ONE, null, { accept })
      expect([response.status, await response.json()]).toEqual([200, DELEGATION_EXAMPLE])
      expect(asked).toEqual([{ method: 'getDelegation', args: [ALICE, DELEGATION_EXAMPLE.id] }])
    },
  )

  it.each(['text/markdown', 'text/markdown;variant=GFM', 'text/markdown, application/json;q=0.5'])(
    'S2-12 with Accept "%s" is the command file under its name',
    async (accept) => {
      const response = await fixture().send('GET', ONE, null, { accept })
      expect([response.status, await response.text()]).toEqual([200, writeCommandFile(COMMAND_FILE)])
      expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      expect(response.headers.get('content-disposition')).toBe(
        'attachment; filename="task-9d3f2c1a-5b7e-8c4d-9a6f-0e1b2c3d4e5f.md"',
      )
    },
  )

  it('HEAD of the command file has its headers and no body', async () => {
    const response = await fixture().send('HEAD', ONE, null, { accept: 'text/markdown' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  })

  it('as text its line, the session and where to report', async () => {
    const lines = (await (await fixture().send('GET', ONE, null, PLAIN)).text()).split('\n')
    expect(lines.slice(1)).toEqual(['session: auto', `report to: ${DELEGATION_EXAMPLE.report_url}`, ''])
  })

  it('as text the words of a worker stay on their lines', async () => {
    const report = { ...REPORTED_EXAMPLE.report, status: 'FAILED' as const, results: 'a\nb\u001b[2J' }
    const delegation = {
      ...REPORTED_EXAMPLE,
      report: { ...report, session_id: null, text: '', pitfalls: null, next_steps: 'c' },
    }
    const answers = { getDelegation: async () => ok({ delegation, command: COMMAND_FILE }) }
    const text = await (await fixture({ answers }).send('GET', ONE, null, PLAIN)).text()
    expect(text.split('\n').slice(1)).toEqual([
      'session: auto',
      'report: FAILED',
      'results: a b [2J',
      'next steps: c',
      '',
    ])
  })

  it.each([
    'x',
    'delegation_',
    'delegation_x_0',
    '%00',
    '..%2f..',
    '%ff',
    'x'.repeat(3_000),
    "'; DROP TABLE tasks; --",
  ])('F46 F48 the id %s is answered like an unknown one, on every route', async (id) => {
    const app = () => fixture({ behaviour: { refusal: { code: 'delegation_not_found' } } })
    const unknown = await problemOf(await app().send('GET', '/delegations/delegation_0000000000000000_1'))
    for (const [method, end, body] of [
      ['GET', '', null],
      ['POST', '/claim', '{"worker":"me"}'],
      ['POST', '/report', '{"text":""}'],
    ] as const) {
      const response = await app().send(method, `/delegations/${id}${end}`, body, body === null ? {} : JSON_TYPE)
      const { instance: _, ...problem } = await problemOf(response)
      const { instance: __, ...same } = unknown
      expect([response.status, problem]).toEqual([404, same])
    }
  })
})

describe('POST /delegations/{id}/claim', () => {
  const claim = async (body: unknown, headers = {}) => {
    const app = fixture()
    return { response: await app.post(`${ONE}/claim`, body, headers), asked: app.asked }
  }

  it.each([
    [{ worker: 'builder-3' }, { worker: 'builder-3', lease_ms: 300_000 }],
    [
      { worker: '工人 1', lease_s: 1 },
      { worker: '工人 1', lease_ms: 1_000 },
    ],
    [
      { worker: '🥛'.repeat(200), lease_s: 86_400 },
      { worker: '🥛'.repeat(200), lease_ms: 86_400_000 },
    ],
  ])('%o is handed on with its lease in ms, 300 s by default', async (body, lease) => {
    const { response, asked } = await claim(body)
    expect([response.status, await response.json()]).toEqual([200, DELEGATION_EXAMPLE])
    expect(response.headers.has('idempotency-replayed')).toBe(false)
    expect(asked).toEqual([{ method: 'claimDelegation', args: [ALICE, DELEGATION_EXAMPLE.id, lease] }])
  })

  it.each([
    [{}, '/worker', 'worker is required'],
    [{ worker: '' }, '/worker', 'worker must be a text of 1 to 200 characters'],
    [{ worker: 7 }, '/worker', 'worker must be a text of 1 to 200 characters'],
    [{ worker: null }, '/worker', 'worker must be a text of 1 to 200 characters'],
    [{ worker: 'x'.repeat(201) }, '/worker', 'worker must be one line of 1 to 200 characters'],
    [{ worker: 'a\nb' }, '/worker', 'worker must be one line of 1 to 200 characters'],
    [{ worker: 'a\u001bb' }, '/worker', 'worker must be one line of 1 to 200 characters'],
    [{ worker: 'a\u2028b' }, '/worker', 'worker must be one line of 1 to 200 characters'],
    [{ worker: 'a\0b' }, '/worker', 'worker must not contain NUL'],
    [{ worker: 'a', lease_s: 0 }, '/lease_s', 'lease_s must be a whole number from 1 to 86400'],
    [{ worker: 'a', lease_s: 86_401 }, '/lease_s', 'lease_s must be a whole number from 1 to 86400'],
    [{ worker: 'a', lease_s: 1.5 }, '/lease_s', 'lease_s must be a whole number from 1 to 86400'],
    [{ worker: 'a', lease_s: '60' }, '/lease_s', 'lease_s must be a whole number from 1 to 86400'],
    [{ worker: 'a', lease_ms: 60 }, '/lease_ms', 'unknown field "lease_ms"; did you mean "lease_s"?'],
  ])('%o is 422', async (body, pointer, message) => {
    const { response, asked } = await claim(body)
    expect(await problemOf(response)).toMatchObject({ status: 422, errors: [{ pointer, message }] })
    expect(asked).toEqual([])
  })

  it.each([
    ['no body', null, {}, 422],
    ['a form', 'worker=me', FORM, 415],
    ['Markdown', 'me', MARKDOWN, 415],
    ['text', 'me', TEXT, 415],
    ['half of it', '{"worker":', JSON_TYPE, 400],
  ])('%s is refused', async (_, body, type, status) => {
    expect((await refusal(`${ONE}/claim`, body, type)).status).toBe(status)
  })

  it('U6 hands on the key, and says that an answer is the one of before', async () => {
    const { asked } = await claim({ worker: 'me' }, { 'idempotency-key': 'k' })
    expect(callerIn(asked[0]).key).toMatchObject({ key: 'k', scope: `POST ${ONE}/claim` })
    const claimDelegation = async () => ok({ delegation: DELEGATION_EXAMPLE, replayed: true })
    const again = await fixture({ answers: { claimDelegation } }).post(`${ONE}/claim`, { worker: 'me' })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  it('one that another worker has is 409, and says whose it is and when to try again', async () => {
    const held: Refusal = { code: 'delegation_claimed', worker: 'builder-3', until: 61_500, now_ms: 1_000 }
    const response = await fixture({ behaviour: { refusal: held } }).post(`${ONE}/claim`, { worker: 'me' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([409, '61'])
    expect(await problemOf(response)).toMatchObject({
      code: 'delegation_claimed',
      detail: expect.stringContaining('builder-3 works on it until 1970-01-01T00:01:01.500Z'),
    })
  })

  it.each(['already_reported', 'delegation_expired', 'delegation_canceled'] as const)('%s is 409', async (code) => {
    const response = await fixture({ behaviour: { refusal: { code } } }).post(`${ONE}/claim`, { worker: 'me' })
    expect([response.status, (await problemOf(response))['code']]).toEqual([409, code])
    expect(response.headers.has('retry-after')).toBe(false)
  })
})

const FILE = `---
command_id: ${DELEGATION_EXAMPLE.command_id}
status: SUCCESS
session_id: s-1
---

## 核心成果
The page.

## 填坑记录
None.
`
const UNSAID = { session_id: null, results: null, pitfalls: null, next_steps: null }

describe('POST /delegations/{id}/report', () => {
  const path = `${ONE}/report`
  async function sent(body: BodyInit, headers: Record<string, string>): Promise<SentReport> {
    const { send, asked } = fixture()
    const response = await send('POST', path, body, headers)
    expect([response.status, await response.json()]).toEqual([200, REPORTED_EXAMPLE])
    expect(asked).toEqual([
      {
        method: 'reportDelegation',
        args: [ALICE, DELEGATION_EXAMPLE.id, expect.objectContaining({ report: expect.anything() })],
      },
    ])
    // The third argument of this method.
    return asked[0]?.args[2] as SentReport
  }

  it.each([
    ['text/markdown', 'text/markdown'],
    ['text/markdown with its charset', 'text/markdown; charset=UTF-8; variant=CommonMark'],
    ['text/plain', 'text/plain'],
  ])('S2-13 as %s the body is the file', async (_, type) => {
    const report = await sent(FILE, { 'content-type': type })
    expect(report).toEqual(readReportFile(FILE))
    expect(report).toMatchObject({
      command_id: DELEGATION_EXAMPLE.command_id,
      report: { status: 'SUCCESS', session_id: 's-1', results: 'The page.', pitfalls: 'None.', next_steps: null },
    })
  })

  it.each([
    ['nothing but a word', 'done'],
    ['nothing at all', ''],
    ['half of it', FILE.slice(0, 60)],
    ['a status that is none', FILE.replace('SUCCESS', 'perhaps')],
    ['JSON', '{"status":"SUCCESS","text":"x"}'],
  ])('F53 a file with %s is still a report, with status UNKNOWN', async (_, file) => {
    expect((await sent(file, MARKDOWN)).report.status).toBe('UNKNOWN')
  })

  const line = fc.oneof(
    fc.constantFrom(
      '---',
      'status: FAILED',
      'status:',
      'session_id: "',
      'command_id: task-1',
      '## 核心成果',
      '```',
      ' - ',
      '',
    ),
    fc.string({ unit: 'binary', maxLength: 30 }),
  )
  it('F53 any file is recorded, or refused because a part of it cannot be stored', async () => {
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const { send } = fixture()
        const { status } = await send('POST', path, lines.join('\n'), MARKDOWN)
        statuses.add(status)
        expect(status).toBe(lines.join().includes('\0') ? 422 : 200)
      }),
      { numRuns: 500, seed: 20_260_302 },
    )
    expect(statuses).toEqual(new Set([200, 422]))
  })

  it('a byte order mark before the file is none of its text', async () => {
    expect((await sent(bytes([0xef, 0xbb, 0xbf], FILE), MARKDOWN)).report.status).toBe('SUCCESS')
  })

  it('as JSON its fields are the report', async () => {
    const fields = { session_id: 's-1', results: 'r', pitfalls: 'p', next_steps: 'n', text: 't' }
    const spent = { tokens: 7, cost_usd: '0.25', seconds: 3 }
    expect(await sent(JSON.stringify({ status: 'FAILED', command_id: 'task-1', ...fields, spent }), JSON_TYPE)).toEqual(
      {
        command_id: 'task-1',
        report: { status: 'FAILED', ...fields },
        spent: { tokens: 7, cost: 250_000, working_ms: 3_000 },
      },
    )
  })

  it('as JSON its text may be a whole file, of which the parts are read, but neither the command nor what was spent', async () => {
    const { report } = await sent(FILE, MARKDOWN)
    expect(await sent(JSON.stringify({ text: FILE }), JSON_TYPE)).toEqual({
      command_id: null,
      report: { ...report, text: FILE },
      spent: null,
    })
  })

  it.each([
    [{ text: '' }, { status: 'UNKNOWN', ...UNSAID, text: '' }],
    [
      { text: 'x', session_id: null, results: null, command_id: null },
      { status: 'UNKNOWN', ...UNSAID, results: 'x', text: 'x' },
    ],
    [
      { text: 'x', status: 'success' },
      { status: 'SUCCESS', ...UNSAID, results: 'x', text: 'x' },
    ],
    [
      { text: 'Done: x', status: 'UNKNOWN' },
      { status: 'UNKNOWN', ...UNSAID, results: 'Done: x', text: 'Done: x' },
    ],
    [{ text: 'Done: x' }, { status: 'SUCCESS', ...UNSAID, results: 'Done: x', text: 'Done: x' }],
    [{ text: '失败：没有数据' }, { status: 'FAILED', ...UNSAID, results: '失败：没有数据', text: '失败：没有数据' }],
    [{ text: 'Not done: x' }, { status: 'UNKNOWN', ...UNSAID, results: 'Not done: x', text: 'Not done: x' }],
    [
      { text: 'x\n## 4. 填坑记录与风险预警 (Pitfalls & Lessons)\nno GPU' },
      {
        status: 'UNKNOWN',
        ...UNSAID,
        pitfalls: 'no GPU',
        text: 'x\n## 4. 填坑记录与风险预警 (Pitfalls & Lessons)\nno GPU',
      },
    ],
    [
      { text: '## Pitfalls\nno GPU', pitfalls: 'no disk', status: 'FAILED' },
      { status: 'FAILED', ...UNSAID, pitfalls: 'no disk', text: '## Pitfalls\nno GPU' },
    ],
  ])('as JSON %o is %o', async (body, report) => {
    expect(await sent(JSON.stringify(body), JSON_TYPE)).toEqual({ command_id: null, report, spent: null })
  })

  it.each([
    [{}, '/text', 'text is required, unless results, pitfalls or next_steps is given'],
    [{ text: null }, '/text', 'text must be a text'],
    [{ text: 'x', status: 'perhaps' }, '/status', 'status must be one of SUCCESS, FAILED, PARTIAL_SUCCESS, UNKNOWN'],
    [{ text: 'x', status: '' }, '/status', 'status must be one of SUCCESS, FAILED, PARTIAL_SUCCESS, UNKNOWN'],
    [{ text: 'x', session_id: 'a\nb' }, '/session_id', 'session_id must be one line of 1 to 200 characters'],
    [{ text: 'x', command_id: 'x'.repeat(201) }, '/command_id', 'command_id must be one line of 1 to 200 characters'],
    [
      { text: 'x', results: 'x'.repeat(SECTION_CHARS_MAX + 1) },
      '/results',
      'results must have at most 20000 characters',
    ],
    [{ text: 'x', pitfalls: 7 }, '/pitfalls', 'pitfalls must be a text of 0 to 20000 characters or null'],
    [{ text: 'x', next_step: 'y' }, '/next_step', 'unknown field "next_step"; did you mean "next_steps"?'],
    [{ text: 'x', spent: { token: 1 } }, '/spent/token', 'unknown field "token"; did you mean "tokens"?'],
    [{ text: 'x', spent: { tokens: -1 } }, '/spent/tokens', 'spent.tokens must be a whole number from 0 to 1000000000'],
    [
      { text: 'x', spent: { cost_usd: '-1' } },
      '/spent/cost_usd',
      expect.stringContaining('must be a decimal string in USD'),
    ],
    [{ text: 'a\0b' }, '/text', 'text must not contain NUL'],
  ])('as JSON %o is 422', async (body, pointer, message) => {
    const refused = await refusal(path, JSON.stringify(body), JSON_TYPE)
    expect([refused.status, refused.errors]).toEqual([422, [{ pointer, message }]])
  })

  it('a report as JSON needs no text where another part says something', async () => {
    expect((await sent(JSON.stringify({ results: 'built' }), JSON_TYPE)).report).toMatchObject({
      results: 'built',
      text: '',
    })
  })

  it('a section of as many characters as it may have is taken', async () => {
    const results = '🥛'.repeat(SECTION_CHARS_MAX)
    expect((await sent(JSON.stringify({ text: '', results }), JSON_TYPE)).report.results).toBe(results)
  })

  it.each([
    ['a file without a content type', bytes(FILE), {}],
    ['a file sent as a form, as curl does by itself', FILE, FORM],
    ['another type', FILE, { 'content-type': 'text/html' }],
    ['a compressed file', FILE, { ...MARKDOWN, 'content-encoding': 'gzip' }],
    ['another charset', FILE, { 'content-type': 'text/markdown; charset=gbk' }],
  ])('F50 %s is 415, and is told how to send it', async (_, body, headers) => {
    const { status, code, detail, response } = await refusal(path, body, headers)
    expect([status, code]).toEqual([415, 'unsupported_media_type'])
    expect(response.headers.get('accept-post')).toBe('application/json, text/markdown, text/plain')
    expect(detail).toMatch(/--data-binary @report\.md|compressed|UTF-8/)
  })

  it.each([
    ['a file that is no UTF-8', bytes('---\n', [0xc3, 0x28]), MARKDOWN, 400, 'unreadable_body'],
    ['a file with NUL', 'a\0b', MARKDOWN, 422, 'validation_failed'],
    ['JSON cut off', '{"text":', JSON_TYPE, 400, 'invalid_json'],
    ['a file of more than 1 MiB', 'x'.repeat(1_048_577), MARKDOWN, 413, 'payload_too_large'],
    ['no body at all', null, {}, 422, 'validation_failed'],
  ])('F50 %s is refused', async (_, body, headers, status, code) => {
    const { status: answered, code: said } = await refusal(path, body, headers)
    expect([answered, said]).toEqual([status, code])
  })

  it('a report that is too long to be stored is 413, also if its bytes fit', async () => {
    // One byte here is six in JSON.
    const fits = '\u0001'.repeat(316_000)
    expect((await sent(fits, MARKDOWN)).report.text).toBe(fits)
    const { status, code, detail } = await refusal(path, '\u0001'.repeat(317_000), MARKDOWN)
    expect([status, code]).toEqual([413, 'payload_too_large'])
    expect(detail).toContain('Written as JSON the report may have at most 1900000 bytes')
  })

  it('U6 hands on the key, and says that an answer is the one of before', async () => {
    const { send, asked } = fixture()
    await send('POST', path, FILE, { ...MARKDOWN, 'idempotency-key': 'k' })
    expect(callerIn(asked[0]).key).toMatchObject({ key: 'k', scope: `POST ${path}` })
    const reportDelegation = async () => ok({ delegation: REPORTED_EXAMPLE, replayed: true })
    const again = await fixture({ answers: { reportDelegation } }).send('POST', path, FILE, MARKDOWN)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  it('S2-13 a report of another command is 409 and says which was wanted', async () => {
    const wrong: Refusal = { code: 'wrong_command', wanted: 'task-1', given: 'task-2' }
    const response = await fixture({ behaviour: { refusal: wrong } }).send('POST', path, FILE, MARKDOWN)
    expect(await problemOf(response)).toMatchObject({
      status: 409,
      code: 'wrong_command',
      detail: 'The report is about task-2, this delegation about task-1. Nothing was recorded.',
    })
  })

  it.each(['already_reported', 'delegation_expired', 'delegation_canceled'] as const)('%s is 409', async (code) => {
    const response = await fixture({ behaviour: { refusal: { code } } }).send('POST', path, FILE, MARKDOWN)
    expect([response.status, (await problemOf(response))['code']]).toEqual([409, code])
  })
})
