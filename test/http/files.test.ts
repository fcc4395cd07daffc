/** The routes of files: what may be put under which name, what a browser is told of what is fetched, who may do what. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { FILES_LINK, readLinksBy } from '../../src/shell/links/read-links.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import { ok, refuse } from '../../src/core/terms/refusal.ts'
import { callerOf, FILE, fixture, ID, NO_KEY, problemOf } from '../support/http-fixture.ts'

const PATH = `/tasks/${ID}/files`
const MIB = 1_048_576
const put = (name: string, body: BodyInit | null = 'a,b\n', headers: Record<string, string> = {}) =>
  fixture().send('PUT', `${PATH}/${name}`, body, headers)

describe('PUT', () => {
  it.each([
    ['sales.csv', 50 * MIB],
    ['SALES.CSV', 50 * MIB],
    ['a.tsv', 50 * MIB],
    ['a.b.json', 50 * MIB],
    ['a.xlsx', 10 * MIB],
    ['a.Xls', 10 * MIB],
    ['.csv', 50 * MIB],
    ['notes.md', MIB / 4],
    ['notes.TXT', MIB / 4],
    ['photo.png', 5 * MIB],
    ['photo.JPG', 5 * MIB],
    ['photo.jpeg', 5 * MIB],
    ['photo.webp', 5 * MIB],
    ['photo.gif', 5 * MIB],
    [`${'x'.repeat(124)}.csv`, 50 * MIB],
  ])('U24 takes %s, of at most %i bytes', async (name, bytes_max) => {
    const { send, asked } = fixture()
    const response = await send('PUT', `${PATH}/${name}`, 'a,b\n')
    expect([response.status, response.headers.get('location')]).toEqual([201, `${PATH}/sales.csv`])
    const upload = { name, body: expect.any(ReadableStream), length: null, bytes_max }
    expect(asked).toEqual([{ method: 'putFile', args: [callerOf('alice'), ID, upload] }])
  })

  it.each<[string, number, string, RegExp]>([
    [
      'notes.yaml',
      415,
      'unsupported_media_type',
      /\.csv, \.tsv, \.json, \.xlsx, \.xls, \.md, \.txt, \.png, \.jpg, \.jpeg, \.webp, \.gif/,
    ],
    ['script.html', 415, 'unsupported_media_type', /must end with/],
    ['chart.svg', 415, 'unsupported_media_type', /must end with/],
    ['photo.bmp', 415, 'unsupported_media_type', /must end with/],
    ['photo.heic', 415, 'unsupported_media_type', /must end with/],
    ['sales', 415, 'unsupported_media_type', /must end with/],
    ['csv', 415, 'unsupported_media_type', /must end with/],
    ['a.csv.exe', 415, 'unsupported_media_type', /must end with/],
    ['a.constructor', 415, 'unsupported_media_type', /must end with/],
    [`${'x'.repeat(125)}.csv`, 422, 'validation_failed', /1 to 128/],
    ['a%20b.csv', 422, 'validation_failed', /letters, digits/],
    ['%E6%96%87.csv', 422, 'validation_failed', /letters, digits/],
    ['..%2Fb.csv', 422, 'validation_failed', /letters, digits/],
    ['a%5Cb.csv', 422, 'validation_failed', /letters, digits/],
    ['a%00.csv', 422, 'validation_failed', /letters, digits/],
  ])('F49 a file is not put under %s: %i', async (name, status, code, detail) => {
    const response = await put(name)
    expect(response.status).toBe(status)
    expect(await problemOf(response)).toMatchObject({ code, detail: expect.stringMatching(detail) })
    expect(response.headers.has('accept-post')).toBe(false)
  })

  it.each(['', 'text/csv', 'application/x-www-form-urlencoded', 'application/json; charset=x', '???'])(
    'the content type of the request says nothing: %j',
    async (type) => {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
      expect((await put('a.csv', new Uint8Array([1, 2]), headers)).status).toBe(201)
    },
  )

  it.each<[string, Record<string, string>, number, string]>([
    [
      'a length that is too much is refused before a byte is read',
      { 'content-length': `${50 * MIB + 1}` },
      413,
      'file_too_large',
    ],
    [
      'a form with the file in it is not the file',
      { 'content-type': 'multipart/form-data; boundary=x' },
      415,
      'unsupported_media_type',
    ],
    ['what is compressed is no table', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['no key', { authorization: '' }, 401, 'unauthorized'],
    ['a key nobody knows', { authorization: 'Bearer x' }, 401, 'unauthorized'],
  ])('%s', async (_name, headers, status, code) => {
    const { send, asked } = fixture()
    const response = await send('PUT', `${PATH}/a.csv`, 'x', headers)
    expect([response.status, (await problemOf(response))['code']]).toEqual([status, code])
    expect(asked).toEqual([])
  })

  it('a length that is no number, or that fits, is passed on as what it is', async () => {
    for (const [said, length] of [
      ['4', 4],
      ['x', null],
      ['-1', null],
      [`${50 * MIB}`, 50 * MIB],
    ] as const) {
      const { send, asked } = fixture()
      await send('PUT', `${PATH}/a.csv`, 'x', { 'content-length': said })
      expect(asked[0]?.args[2]).toMatchObject({ length })
    }
  })

  it('a file in place of another is 200, one that is new 201 with its place; both say where it can be fetched', async () => {
    for (const [created, status, location] of [
      [true, 201, `${PATH}/sales.csv`],
      [false, 200, null],
    ] as const) {
      const answers = { putFile: async () => ok({ file: FILE, created, link_epoch: 0 }) }
      const response = await fixture({ answers }).send('PUT', `${PATH}/sales.csv`, 'a')
      expect([response.status, response.headers.get('location')]).toEqual([status, location])
      expect(await response.json()).toEqual({
        name: 'sales.csv',
        content_type: 'text/csv',
        size: 4,
        url: expect.stringMatching(new RegExp(`^http://localhost${PATH}/sales.csv\\?token=[A-Za-z0-9_-]+$`)),
        created_at: '2026-03-02T09:00:00.000Z',
      })
    }
  })

  it('as text it is one line', async () => {
    expect(await (await put('a.csv', 'x', { accept: 'text/plain' })).text()).toMatch(
      /^sales\.csv {2}4 bytes {2}text\/csv {2}2026-\S+ {2}http\S+\n$/,
    )
  })

  it('API1 a task of another tenant and a task that does not exist get the same bytes for every request', async () => {
    const gone = fixture({ behaviour: { refusal: { code: 'task_not_found' } } })
    for (const [method, path] of [
      ['PUT', '/files/a.csv'],
      ['GET', '/files/a.csv'],
      ['DELETE', '/files/a.csv'],
      ['GET', '/files'],
    ] as const) {
      const texts = await Promise.all(
        ['task_0000000000000000', 'task_x'].map(async (id) => {
          const response = await gone.send(method, `/tasks/${id}${path}`, method === 'PUT' ? 'x' : null)
          expect(response.status).toBe(404)
          return (await response.text()).replaceAll(id, 'ID')
        }),
      )
      expect(texts[0]).toBe(texts[1])
    }
  })

  it('a body that breaks off is 400, and an error of ours stays one', async () => {
    const broken = new Error('x')
    broken.name = 'BodyBroken'
    const response = await fixture({ behaviour: { throws: broken } }).send('PUT', `${PATH}/a.csv`, 'x')
    expect([response.status, (await problemOf(response))['code']]).toEqual([400, 'unreadable_body'])
  })

  it('other methods are 405 with what there is', async () => {
    const one = await fixture().send('POST', `${PATH}/a.csv`, 'x')
    expect([one.status, one.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, PUT'])
    const all = await fixture().send('PUT', PATH, 'x')
    expect([all.status, all.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('GET', () => {
  it('a file comes with its type, its length and its tag', async () => {
    const response = await fixture().send('GET', `${PATH}/sales.csv`)
    expect([response.status, await response.text()]).toEqual([200, 'a,b\n'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv',
      'content-length': '4',
      etag: '"a1"',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })

  it.each(['text/html; charset=utf-8', 'image/svg+xml', 'application/octet-stream', 'text/markdown; charset=utf-8'])(
    'API8 nothing that a model wrote runs in the origin of the service: %s',
    async (content_type) => {
      const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
      const found = { ...FILE, content_type, tag: 'a', bytes: 68, body: async () => bodyStream(script) }
      const response = await fixture({ answers: { fetchFile: async () => ok(found) } }).send('GET', `${PATH}/x.svg`)
      const policy = response.headers.get('content-security-policy')?.split('; ') ?? []
      expect(policy).toEqual(['sandbox', "default-src 'none'", "style-src 'unsafe-inline'", 'img-src data:'])
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-type')).toBe(content_type)
    },
  )

  it('a reader who has it gets 304, and its blob is not opened; nor is it for HEAD', async () => {
    let opened = 0
    const body = async () => {
      opened += 1
      return bodyStream('a,b\n')
    }
    const answers = { fetchFile: async () => ok({ ...FILE, tag: 'a1', body }) }
    const { send } = fixture({ answers })
    const same = await send('GET', `${PATH}/sales.csv`, null, { 'if-none-match': 'W/"x", "a1"' })
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', '"a1"'])
    const head = await send('HEAD', `${PATH}/sales.csv`)
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '4'])
    expect(opened).toBe(0)
    expect((await send('GET', `${PATH}/sales.csv`, null, { 'if-none-match': '"a2"' })).status).toBe(200)
    expect(opened).toBe(1)
  })

  it('a file that is replaced while it is opened is looked for again; one that is gone is 404', async () => {
    let looks = 0
    const fetchFile = async () => {
      looks += 1
      return ok({ ...FILE, tag: `t${looks}`, body: async () => (looks > 2 ? bodyStream('new\n') : null) })
    }
    const response = await fixture({ answers: { fetchFile } }).send('GET', `${PATH}/sales.csv`)
    expect([response.headers.get('etag'), await response.text()]).toEqual(['"t3"', 'new\n'])
    const gone = { fetchFile: async () => ok({ ...FILE, tag: 't', body: async () => null }) }
    expect((await fixture({ answers: gone }).send('GET', `${PATH}/sales.csv`)).status).toBe(404)
    const none = { fetchFile: async () => refuse({ code: 'file_not_found' }) }
    expect(await problemOf(await fixture({ answers: none }).send('GET', `${PATH}/x`))).toMatchObject({
      code: 'file_not_found',
      detail: expect.stringContaining('/files lists'),
    })
  })

  it('files are listed in pages, by name', async () => {
    const { send, asked } = fixture()
    const response = await send('GET', `${PATH}?limit=7&after=a.csv`)
    expect(asked).toEqual([{ method: 'listFiles', args: [callerOf('alice'), ID, { limit: 7, after: 'a.csv' }] }])
    expect(await response.json()).toMatchObject({
      data: [{ name: 'sales.csv', size: 4 }],
      has_more: false,
      next_cursor: null,
    })
    await send('GET', PATH)
    expect(asked[1]?.args[2]).toEqual({ limit: 20, after: '' })
    const text = await send('GET', PATH, null, { accept: 'text/plain' })
    expect(await text.text()).toMatch(/^sales\.csv {2}4 bytes/)
    for (const query of ['limit=0', 'limit=101', `after=${'x'.repeat(129)}`, 'other=1'])
      expect((await send('GET', `${PATH}?${query}`)).status).toBe(422)
  })
})

describe('U22 the link to the files of a task', () => {
  const DAY_MS = 24 * 3_600_000
  const Url = z.object({ url: z.string() })
  const linkOf = async (now = 0) => {
    const response = await fixture({ now: () => now }).send('PUT', `${PATH}/a.csv`, 'x')
    return Url.parse(await response.json()).url.replace('http://localhost', '')
  }
  const NOBODY = { authorization: '' }

  it('lets its holder read them and their list without a key, for a week, and do nothing else', async () => {
    const link = await linkOf()
    const token = link.slice(link.indexOf('?'))
    for (const [method, path] of [
      ['GET', link],
      ['HEAD', link],
      ['GET', `${PATH}${token}`],
      ['GET', `${PATH}/report.md${token}`],
    ] as const) {
      const { send, asked } = fixture()
      expect((await send(method, path, null, NOBODY)).status).toBe(200)
      expect(asked[0]?.args[0]).toEqual({ ...callerOf('alice'), ...NO_KEY, link: 0 })
      expect((await fixture({ now: () => 7 * DAY_MS - 1 }).send(method, path, null, NOBODY)).status).toBe(200)
      expect((await fixture({ now: () => 8 * DAY_MS + 1 }).send(method, path, null, NOBODY)).status).toBe(401)
    }
    for (const [method, path] of [
      ['PUT', link],
      ['DELETE', link],
      ['GET', `/tasks/${ID}${token}`],
      ['GET', `/tasks/${ID}/events${token}`],
      ['GET', `/tasks/${ID}/journal${token}`],
      ['GET', `/calendar.ics${token}`],
      ['GET', `/tasks/task_00000000000000000000/files${token}`],
      ['GET', `/tasks/task_00000000000000000000/files/a.csv${token}`],
    ] as const) {
      const { send, asked } = fixture()
      const response = await send(method, path, method === 'PUT' ? 'x' : null, NOBODY)
      expect([path, response.status]).toEqual([path, 401])
      expect(asked).toEqual([])
    }
  })

  it('is the same one all day, and a list read by it shows it as it is', async () => {
    expect(await linkOf(1)).toBe(await linkOf(DAY_MS - 1))
    expect(await linkOf(1)).not.toBe(await linkOf(DAY_MS + 1))
    const link = await linkOf()
    const token = link.slice(link.indexOf('?'))
    const later = fixture({ now: () => 5 * DAY_MS })
    const page = z
      .object({ data: z.array(Url) })
      .parse(await (await later.send('GET', `${PATH}${token}`, null, NOBODY)).json())
    expect(page.data[0]?.url).toBe(`http://localhost${PATH}/sales.csv${token}`)
  })

  it('opens nothing with another secret, for another purpose, or for a tenant without a key', async () => {
    const { config } = fixture()
    const own = signedLinks(config.signing_secrets)
    for (const token of [
      await readLinksBy(signedLinks(['another secret']), FILES_LINK).sign(
        { tenant: 'alice', task: ID, link_epoch: 0 },
        0,
      ),
      await readLinksBy(own, { ...FILES_LINK, purpose: 'read:events' }).sign(
        { tenant: 'alice', task: ID, link_epoch: 0 },
        0,
      ),
      await readLinksBy(own, FILES_LINK).sign({ tenant: 'mallory', task: ID, link_epoch: 0 }, 0),
      'x',
      '',
    ])
      expect((await fixture().send('GET', `${PATH}?token=${token}`, null, NOBODY)).status).toBe(401)
  })

  it('begins with PUBLIC_URL where that is set', async () => {
    const response = await fixture({ env: { PUBLIC_URL: 'https://agent.example' } }).send('PUT', `${PATH}/a.csv`, 'x')
    expect(Url.parse(await response.json()).url).toMatch(/^https:\/\/agent\.example\/tasks\//)
  })
})

describe('DELETE', () => {
  it('is 204 without a body', async () => {
    const { send, asked } = fixture()
    expect((await send('DELETE', `${PATH}/sales.csv`)).status).toBe(204)
    expect(asked).toEqual([{ method: 'deleteFile', args: [callerOf('alice'), ID, 'sales.csv'] }])
  })
})
