/** The journal as CSV and redacted: the columns, the quoting, nothing a spreadsheet would run, nothing that was said. */
import { describe, expect, it } from 'vitest'
import { ok } from '../../src/core/terms/refusal.ts'
import type { JournalEntry } from '../../src/core/terms/view.ts'
import { writeCsv } from '../../src/http/text/ledger.ts'
import { JOURNAL_PAGE_EXAMPLE } from '../../src/http/document/examples.ts'
import { callerOf, fixture, ID } from '../support/http-fixture.ts'

const CSV = { accept: 'text/csv' }
const PATH = `/tasks/${ID}/journal`
const HEADER =
  'seq,kind,phase,counted,outcome,input_tokens,output_tokens,charged_tokens,cost_usd,price_version,over_reserve,' +
  'model,attempt,started_at,finished_at,duration_ms,request_exact,request,reply,' +
  'cache_read_tokens,cache_write_tokens,image_tokens,reasoning_tokens,endpoint'
const [ROW] = JOURNAL_PAGE_EXAMPLE.data
/** The example's row with changes. */
function row(changes: Partial<JournalEntry> = {}): JournalEntry {
  if (ROW === undefined) throw new Error('the example has a row')
  return { ...ROW, ...changes }
}
const over = (data: JournalEntry[], next_cursor: string | null = null) =>
  fixture({ answers: { listJournal: async () => ok({ data, has_more: next_cursor !== null, next_cursor }) } })

/** Reads CSV back, by RFC 4180 and apart from the code under test. */
function read(text: string): string[][] {
  const rows: string[][] = []
  for (const line of text.match(/(?:"(?:[^"]|"")*"|[^"\r\n])*\r\n/g) ?? []) {
    const cells = line.slice(0, -2).match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^",]*)(?=,|$)/g) ?? []
    rows.push(cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)))
  }
  return rows
}

describe('text/csv', () => {
  it('is a header line and one line for each row', async () => {
    const response = await over([row(), row({ seq: 3 })]).send('GET', PATH, null, CSV)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    const [header, first, second, ...rest] = (await response.text()).split('\r\n')
    expect([header, rest]).toEqual([HEADER, ['']])
    expect(first).toBe(
      '2,call_model,plan,false,ok,310,102,560,0.000000,,false,offline-rules,1,2026-03-02T09:00:00.000Z,' +
        '2026-03-02T09:00:01.000Z,812,true,' +
        '"{""messages"":[{""role"":""user"",""content"":""Plan: buy milk tomorrow""}]}",' +
        '"{""status"":""planned"",""plan"":[""Add \\""buy milk\\"" to the todo list""]}",0,0,0,0,',
    )
    expect(second).toMatch(/^3,/)
  })

  it('what is null is empty, in a row of as many cells', async () => {
    const nothing = { phase: null, outcome: null, tokens: null, charged_tokens: null, cost_usd: null, model: null }
    const none = {
      attempt: null,
      finished_at: null,
      duration_ms: null,
      request: null,
      request_exact: null,
      reply: null,
    }
    const text = await (await over([row({ ...nothing, ...none })]).send('GET', PATH, null, CSV)).text()
    expect(text).toBe(`${HEADER}\r\n2,call_model,,false,,,,,,,false,,,2026-03-02T09:00:00.000Z,,,,,,,,,,\r\n`)
  })

  it('an empty page is the header line', async () => {
    expect(await (await over([]).send('GET', PATH, null, CSV)).text()).toBe(`${HEADER}\r\n`)
  })

  it('any text comes back as it went in', async () => {
    const said = ['a,b', '"q"', 'line\nline', 'crlf\r\n', '', '=1+1', '奶', '\u2028', "it's"]
    const text = await (await over(said.map((reply) => row({ reply }))).send('GET', PATH, null, CSV)).text()
    expect(read(text).map((cells) => cells.length)).toEqual(Array.from({ length: said.length + 1 }, () => 24))
    expect(
      read(text)
        .slice(1)
        .map((cells) => JSON.parse(cells[18] ?? '')),
    ).toEqual(said)
  })

  it.each(['=cmd|calc', '+1', '-1+2', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("x","y")'])(
    'a text that a spreadsheet would run gets an apostrophe: %j',
    async (model) => {
      const text = await (await over([row({ model })]).send('GET', PATH, null, CSV)).text()
      expect(read(text)[1]?.[11]).toBe(`'${model}`)
    },
  )

  it('a number stays a number, and only a text is changed', () => {
    expect(writeCsv(['a'], [[-1], ['-1'], [true], [null], ['a=b'], ['x\ry']])).toBe(
      'a\r\n-1\r\n\'-1\r\ntrue\r\n\r\na=b\r\n"x\ry"\r\n',
    )
  })

  it('the next page is in Link, since a table has no place for a cursor', async () => {
    const more = await over([row()], '22').send('GET', `${PATH}?limit=2&redact=true`, null, CSV)
    expect(more.headers.get('link')).toBe(`<${PATH}?limit=2&after=22&redact=true>; rel="next"`)
    expect((await over([row()], '22').send('GET', PATH, null, CSV)).headers.get('link')).toBe(
      `<${PATH}?limit=20&after=22>; rel="next"`,
    )
    expect((await over([row()]).send('GET', PATH, null, CSV)).headers.has('link')).toBe(false)
  })

  it.each([
    ['text/csv', 'text/csv'],
    ['text/csv;q=0.9, application/json;q=0.5', 'text/csv'],
    ['application/json, text/csv', 'application/json'],
    ['text/plain, text/csv;q=0.9', 'text/plain'],
    ['text/*', 'text/plain'],
    ['*/*', 'application/json'],
  ])('Accept: %s is answered as %s', async (accept, type) => {
    const response = await over([row()]).send('GET', PATH, null, { accept })
    expect(response.headers.get('content-type')?.split(';', 1)[0]).toBe(type)
  })

  it.each(['/tasks', `/tasks/${ID}`, `/tasks/${ID}/events`])('%s has no rows and columns: it is JSON', async (path) => {
    const response = await fixture().send('GET', path, null, CSV)
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  it('a refusal is still a problem document', async () => {
    const response = await fixture().send('GET', `${PATH}?limit=0`, null, CSV)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  })
})

describe('?redact=true', () => {
  const SECRET = row({ request: { messages: ['secret'] }, reply: 'secret', request_exact: true })
  it('leaves out what was asked and what came back, and nothing else', async () => {
    const response = await over([SECRET]).send('GET', `${PATH}?redact=true`)
    const data = [{ ...SECRET, request: null, reply: null }]
    expect(await response.json()).toEqual({ data, has_more: false, next_cursor: null })
  })

  it.each([CSV, { accept: 'text/plain' }, { accept: 'application/json' }])('in every form: %o', async (headers) => {
    expect(await (await over([SECRET]).send('GET', `${PATH}?redact=true`, null, headers)).text()).not.toContain(
      'secret',
    )
  })

  it.each(['', '?redact=false'])('%j shows both, and the service is asked for the page alone', async (query) => {
    expect(await (await over([SECRET]).send('GET', PATH + query)).json()).toMatchObject({ data: [SECRET] })
    const { send, asked } = fixture()
    await send('GET', PATH + query)
    expect(asked).toEqual([{ method: 'listJournal', args: [callerOf('alice'), ID, { limit: 20, after: 0 }] }])
  })
})
