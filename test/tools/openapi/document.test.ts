/** The text of an OpenAPI document: how it is fetched, what is read, and what is refused with its reason (docs/tools.md). */
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { OpenFile } from '../../../src/shell/ports.ts'
import { documentWith, list, listed, OK_RESPONSE, portsFor, reasonOf } from '../../support/openapi.ts'
import { openFile } from '../../support/open-file.ts'

const DOCUMENT = documentWith({
  '/orders/{id}': {
    get: {
      operationId: 'getOrder',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      ...OK_RESPONSE,
    },
  },
})
const version = (openapi: unknown) => ({ ...DOCUMENT, openapi })

describe('OpenAPI: the text of a document', () => {
  it('the same document makes the same tools in JSON and in YAML', async () => {
    const json = await listed(DOCUMENT)
    const yaml = await listed(stringify(DOCUMENT))
    expect(json.tools.map(({ name }) => name)).toEqual(['shop.getOrder'])
    expect(yaml.tools).toEqual(json.tools)
  })

  it('YAML of many pieces is read as the library reads it whole', async () => {
    const description = 'A text: with "marks" and\n\ntwo lines. '.repeat(12)
    const paths = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        `/things${index}`,
        { get: { operationId: `get${index}`, description, tags: [`tag${index % 4}`], ...OK_RESPONSE } },
      ]),
    )
    const document = documentWith(paths)
    const choice = { tags: ['tag3'] }
    const whole = await listed(document, choice)
    // With aliases, as writers of YAML make them of what is the same, and without.
    for (const aliasDuplicateObjects of [true, false])
      expect((await listed(stringify(document, { aliasDuplicateObjects }), choice)).tools).toEqual(whole.tools)
  })

  it('aliases of YAML are followed', async () => {
    const text = `openapi: 3.1.0
servers: [{url: 'https://api.example.com'}]
paths:
  /a:
    get: {operationId: a, parameters: &both [{name: q, in: query, schema: {type: string}}]}
  /b:
    get: {operationId: b, parameters: *both}
`
    const { tools } = await listed(text)
    expect(tools[1]?.parameters).toEqual({ type: 'object', properties: { q: { type: 'string' } } })
    expect(tools[0]?.parameters).toEqual(tools[1]?.parameters)
  })

  it.each([
    ['3.0.3', 'listed shop.getOrder'],
    ['3.1.1', 'listed shop.getOrder'],
    ['3.2.0', 'listed shop.getOrder'],
    [3.1, 'listed shop.getOrder'],
    ['4.0.0', 'is OpenAPI 4.0.0; only 3.0, 3.1 and 3.2 are read'],
    ['3.10', 'is OpenAPI 3.10; only'],
    [undefined, 'has no member `openapi`'],
  ])('the version %s', async (openapi, expected) => {
    expect(await reasonOf(version(openapi))).toContain(expected)
  })

  it.each([
    ['Swagger 2.0', '{"swagger":"2.0","paths":{}}', 'is Swagger 2.0, which is not read: convert it to OpenAPI 3'],
    ['a web page', '<!doctype html><title>Docs</title>', 'is a web page or XML: give the address of the JSON or YAML'],
    ['nothing', ' \n', 'is empty'],
    ['half of it', '{"openapi":"3.1.0",', 'is not valid JSON'],
    ['a list', '- openapi', 'is not an object with a member `openapi`'],
    ['broken YAML', 'openapi: 3.0.0\npaths:\n  a: [1, 2\n', 'is not readable as YAML: line'],
    ['two documents', 'openapi: 3.0.0\n---\nopenapi: 3.0.0\n', 'is several YAML documents'],
    ['merge keys', 'openapi: 3.0.0\npaths:\n  /a: &a {}\n  /b:\n    <<: *a\n', 'has YAML merge keys (<<)'],
    ['no paths', '{"openapi":"3.1.0"}', 'has no `paths`'],
    ['no operation', '{"openapi":"3.1.0","paths":{}}', 'describes no operation'],
    ['a tower of JSON', `{"a":${'['.repeat(100_000)}`, 'must not nest deeper than 200'],
    ['a tower of YAML', `a: ${'['.repeat(100_000)}`, 'must not nest deeper than 200'],
    ['an alias within itself', 'openapi: 3.0.0\npaths: &a [*a]\n', 'is not readable as YAML'],
    ['an alias of nothing', 'openapi: 3.0.0\npaths: *a\n', 'line 2: no anchor before it is called a'],
    ['a long YAML text', `a: b\n${'# more\n'.repeat(160_000)}`, 'must have at most 1048576 characters'],
    ['YAML of many tokens', 'a: b\n'.repeat(100_000), 'must have at most 1048576 characters and 300000 tokens'],
  ])('U24 %s is refused with its reason', async (_what, text, expected) => {
    expect(await reasonOf(text)).toContain(expected)
  })

  it('a bomb of aliases takes no room: what they name is shared and not copied', async () => {
    expect(await reasonOf(`a0: &a0 [x]\n${bomb(60)}openapi: 3.0.0\npaths: {}\n`)).toContain('describes no operation')
  })

  it('U44 a long document pauses between its pieces, however it is written', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `/${index}`,
        { get: { ...OK_RESPONSE, description: 'x'.repeat(2_000) } },
      ]),
    )
    for (const [text, pauses_min] of [
      [JSON.stringify(documentWith(paths)), 60],
      [stringify(documentWith(paths)), 63],
      [stringify(documentWith(paths), { aliasDuplicateObjects: false }), 63],
    ] as const) {
      let pauses = 0
      await list(text, {}, { pause: async () => void pauses++ })
      expect(pauses).toBeGreaterThanOrEqual(pauses_min)
    }
  })
})

/** Each line names the one before it nine times. */
const bomb = (lines: number) =>
  Array.from({ length: lines }, (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index} ,`.repeat(9)}]\n`).join('')

describe('OpenAPI: getting the document', () => {
  const answered = (status: number, headers: Record<string, string> = {}, body = new Uint8Array()) => ({
    fetchDocument: async () => ({ kind: 'answered' as const, status, headers: new Headers(headers), body }),
  })
  const unanswered = (reason: string, failure?: string) => ({
    fetchDocument: async () => ({ kind: 'unanswered' as const, reason, ...(failure !== undefined && { failure }) }),
  })

  it.each([
    [answered(404), 'could not be fetched: the server answered 404', false, null],
    [answered(401), 'could not be fetched: the server answered 401', false, null],
    [answered(503), 'could not be fetched: the server answered 503', true, null],
    [answered(429, { 'retry-after': '7' }), 'could not be fetched: the server answered 429', true, 7_000],
    [answered(300), 'could not be fetched: the server answered 300', false, null],
    [unanswered('timed out'), 'could not be fetched: timed out', true, null],
    [unanswered('is larger', 'too_large'), 'has more than 2097152 bytes', false, null],
    [
      unanswered('must begin with https://', 'address'),
      'could not be fetched: its address must begin with https://',
      false,
      null,
    ],
    [unanswered('leads elsewhere', 'redirect'), 'could not be fetched: leads elsewhere', false, null],
    [answered(200, {}, new Uint8Array(2_097_153)), 'has more than 2097152 bytes', false, null],
    [answered(200, {}, new Uint8Array([0xff, 0xfe, 0x00])), 'is not a text in UTF-8', false, null],
  ])(
    'case %#: a document that cannot be fetched says why, and whether it may come later',
    async (ports, reason, passing, retry_after_ms) => {
      const answer = await list('', {}, ports)
      expect(answer).toMatchObject({ kind: 'tools_unlisted', passing, retry_after_ms })
      expect(answer.kind === 'tools_unlisted' && answer.reason).toContain(`the OpenAPI document of "shop" ${reason}`)
    },
  )

  it('the document is asked for with the headers of the source, and an accept of its own', async () => {
    const asked: unknown[] = []
    const ports = portsFor(JSON.stringify(DOCUMENT))
    await list(
      DOCUMENT,
      { headers: { 'x-key': 'secret:shop' } },
      {
        fetchDocument: (url, headers) => (asked.push([url, headers]), ports.fetchDocument(url, headers)),
      },
    )
    expect(asked).toEqual([
      ['https://docs.example.com/v1/openapi.json', { accept: expect.stringContaining('yaml'), 'x-key': 'secret:shop' }],
    ])
  })

  it('the digest is that of the text, so another text has another one', async () => {
    const [one, same, other] = await Promise.all([
      listed(DOCUMENT),
      listed(DOCUMENT),
      listed({ ...DOCUMENT, tags: [] }),
    ])
    expect(one.digest).toMatch(/^[0-9a-f]{64}$/)
    expect(same.digest).toBe(one.digest)
    expect(other.digest).not.toBe(one.digest)
  })

  it('a document may be a file of the task', async () => {
    const asked: unknown[] = []
    const open = async (of: object, name: string) => (
      asked.push([of, name]),
      { ok: true as const, value: openFile(JSON.stringify(DOCUMENT)) as OpenFile | null }
    )
    const answer = await list('', { document: { file: 'api.json' } }, { files: { open } })
    expect(answer).toMatchObject({ kind: 'tools_listed', tools: [{ name: 'shop.getOrder' }] })
    expect(asked).toEqual([[{ tenant: 'acme', task: 'task_1' }, 'api.json']])
  })

  it('a file that is not there is named', async () => {
    expect(await reasonOf('', { document: { file: 'api.json' } })).toContain('the task has no file "api.json"')
  })

  it('a file that breaks off may be read later', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    const value = { ...openFile(''), body } as OpenFile
    const answer = await list(
      '',
      { document: { file: 'api.json' } },
      { files: { open: async () => ({ ok: true, value }) } },
    )
    expect(answer).toMatchObject({ kind: 'tools_unlisted', passing: true })
  })
})
