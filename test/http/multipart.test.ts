/** POST /tasks as a form of several parts: what is handed to the service, and which part a refusal names. */
import { describe, expect, it } from 'vitest'
import { FILES_MAX } from '../../src/core/terms/files/files.ts'
import { ok, type Result } from '../../src/core/terms/refusal.ts'
import { TASK_EXAMPLE } from '../../src/http/document/examples.ts'
import type { Beginning, Caller, NewTask, TaskAnswer } from '../../src/shell/caller.ts'
import { fixture, problemOf } from '../support/http-fixture.ts'

type Piece = [headers: string, content: string | Uint8Array]
const field = (name: string, text: string): Piece => [`content-disposition: form-data; name="${name}"`, text]
const file = (filename: string, content: string | Uint8Array = 'a,b\n', name = 'file'): Piece => [
  `content-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: text/csv`,
  content,
]
const encoder = new TextEncoder()
const bytesOf = (content: string | Uint8Array) => (typeof content === 'string' ? encoder.encode(content) : content)

function formOf(pieces: readonly Piece[], boundary = 'xYz', end = '--'): Uint8Array<ArrayBuffer> {
  const all = pieces.flatMap(([headers, content]) => [`--${boundary}\r\n${headers}\r\n\r\n`, content, '\r\n'])
  return new Uint8Array(Buffer.concat([...all, `--${boundary}${end}\r\n`].map(bytesOf)))
}
const typeOf = (boundary = 'xYz') => ({ 'content-type': `multipart/form-data; boundary=${boundary}` })

/** A service that reads each file, as the real one does. */
function reading() {
  const files: [name: string, text: string][] = []
  const digests: string[] = []
  const made: NewTask[] = []
  async function createTask(_: Caller, task: NewTask, beginning: Beginning): Promise<Result<TaskAnswer>> {
    for (;;) {
      const sent = await beginning.files?.next()
      if (sent === undefined || (sent.ok && sent.value === null)) break
      if (!sent.ok) return sent
      if (sent.value !== null) files.push([sent.value.name, await new Response(sent.value.body).text()])
    }
    digests.push((await beginning.files?.digest()) ?? '')
    made.push(task)
    return ok({ task: TASK_EXAMPLE, link_epoch: 0 })
  }
  return { ...fixture({ answers: { createTask } }), files, digests, made }
}

/** A body that arrives in pieces of so many bytes. */
function inPieces(bytes: Uint8Array<ArrayBuffer>, size: number): ReadableStream<Uint8Array> {
  let from = 0
  return new ReadableStream({
    pull(controller) {
      if (from >= bytes.byteLength) return controller.close()
      controller.enqueue(bytes.slice(from, from + size))
      from += size
    },
  })
}

describe('POST /tasks as multipart/form-data', () => {
  it.each([1, 2, 7, 64, 1_000_000])('U52 has fields and files, however it is cut: pieces of %i bytes', async (size) => {
    const { send, files, made } = reading()
    const csv = 'day,n\r\n--xY\r\n-xYzz\r\n1,2\r\n'
    const form = formOf([
      field('goal', 'Zähle die Zeilen'),
      field('mode', 'autonomous'),
      file('a.csv', csv),
      file('b.md', ''),
    ])
    const response = await send('POST', '/tasks', inPieces(form, size), typeOf())
    expect([response.status, made]).toMatchObject([201, [{ goal: 'Zähle die Zeilen', mode: 'autonomous' }]])
    expect(files).toEqual([
      ['a.csv', csv],
      ['b.md', ''],
    ])
  })

  it('U52 takes all fields as JSON in the part task, also where that is a file of its client', async () => {
    for (const [headers] of [field('task', ''), file('task.json', '', 'task')]) {
      const { send, files, made } = reading()
      const task = JSON.stringify({
        goal: 'x',
        drive: 'background',
        settings: { dataset: 'a.csv' },
        metadata: { a: 'b' },
      })
      await send('POST', '/tasks', formOf([[headers, task], file('a.csv')]), typeOf())
      expect(made).toMatchObject([
        { goal: 'x', drive: 'background', metadata: { a: 'b' }, settings: { dataset: 'a.csv' } },
      ])
      expect(files).toEqual([['a.csv', 'a,b\n']])
    }
  })

  it('U52 U6 is the same request under another boundary, and another one with another byte', async () => {
    const { send, digests } = reading()
    const long = 'x'.repeat(200_000)
    const post = (boundary: string, pieces: Piece[], size = 9_999) =>
      send('POST', '/tasks', inPieces(formOf(pieces, boundary), size), { ...typeOf(boundary), 'idempotency-key': 'k' })
    await post('one', [field('goal', 'g'), file('a.csv', long)])
    await post('other', [field('goal', 'g'), file('a.csv', long)], 77)
    await post('one', [field('goal', 'g'), file('a.csv', `${long.slice(1)}y`)])
    await post('one', [field('goal', 'h'), file('a.csv', long)])
    await post('one', [field('goal', 'g'), file('b.csv', long)])
    await post('one', [field('goal', 'g'), file('a.csv', long), file('b.csv', '')])
    expect(digests[1]).toBe(digests[0])
    expect(new Set(digests).size).toBe(5)
  })

  const G = field('goal', 'g')
  it.each<[string, Piece[], number, string, RegExp]>([
    ['no goal', [file('a.csv')], 422, '/goal', /goal is required/],
    ['an unknown field', [G, field('gaol', 'x')], 422, '/gaol', /unknown field "gaol"/],
    ['a field twice', [G, G], 422, '/goal', /part 2, "goal" must be given once/],
    [
      'a field behind a file',
      [G, file('a.csv'), field('mode', 'session')],
      422,
      '/mode',
      /part 3, "mode" must stand before the files/,
    ],
    [
      'a field beside the part task',
      [field('task', '{"goal":"g"}'), field('mode', 'session')],
      422,
      '/mode',
      /put it into that part/,
    ],
    ['a task that is no JSON', [field('task', '{"goal":')], 400, '', /JSON/],
    [
      'a task with a wrong member',
      [field('task', '{"goal":"g","rounds":-1}')],
      422,
      '/rounds',
      /rounds must be a whole number/,
    ],
    [
      'a name with a folder',
      [G, file('a/b.csv')],
      422,
      '/file',
      /part 2, "file" \(a\/b\.csv\) must have as its filename 1 to 128/,
    ],
    ['no filename', [G, file('')], 422, '/file', /must have as its filename/],
    [
      'a name of another kind',
      [G, file('a.exe')],
      422,
      '/file',
      /part 2, "file" \(a\.exe\) must have a filename that ends with \.csv/,
    ],
    ['a name that the task keeps', [G, file('result.json')], 422, '/file', /keeps for itself/],
    [
      'one name twice',
      [G, file('a.csv'), file('a.csv', 'x', 'more')],
      422,
      '/more',
      /part 3, "more" \(a\.csv\) has the filename of an earlier part/,
    ],
    [
      'a field that is no UTF-8',
      [['content-disposition: form-data; name="goal"', new Uint8Array([0xff, 0xfe])]],
      422,
      '/goal',
      /must be UTF-8/,
    ],
    ['a part without a name', [['content-type: text/plain', 'x']], 400, '', /part 1 has no content-disposition/],
    [
      'a part that is encoded',
      [['content-disposition: form-data; name="goal"\r\ncontent-transfer-encoding: base64', 'eA==']],
      400,
      '',
      /part 1 must not be encoded/,
    ],
    ['headers that are none', [['no header at all', 'x']], 400, '', /headers of part 1/],
    [
      'a name that is badly encoded',
      [['content-disposition: form-data; name="f"; filename*=utf-8\'\'%E0%A4', 'x']],
      400,
      '',
      /headers of part 1/,
    ],
    ['too many fields', Array.from({ length: 300 }, (_, n) => field(`f${n}`, 'x')), 400, '', /more than 200 parts/],
    ['fields that are too long', [field('goal', 'x'.repeat(1_100_000))], 413, '', /1048576 bytes/],
    [
      'too many files',
      [G, ...Array.from({ length: FILES_MAX + 1 }, (_, n) => file(`f${n}.csv`))],
      409,
      '',
      /part 102, "file" \(f100\.csv\) is one file too many/,
    ],
  ])('U52 is refused, and names the part: %s', async (_, pieces, status, pointer, words) => {
    const { send, made } = reading()
    const response = await send('POST', '/tasks', formOf(pieces), typeOf())
    const problem = await problemOf(response)
    expect([response.status, problem['detail']]).toEqual([status, expect.stringMatching(words)])
    if (pointer !== '') expect(problem['errors']).toMatchObject([{ pointer }])
    expect(made).toEqual([])
  })

  it.each([
    ['breaks off', formOf([G, file('a.csv')]).slice(0, -20), 'xYz', /ended before it was complete/],
    ['has no end', formOf([G], 'xYz', ''), 'xYz', /ended before it was complete/],
    ['has another boundary', formOf([G], 'other'), 'xYz', /ended before it was complete/],
    ['has a long text before its first part', encoder.encode('x'.repeat(200_000)), 'xYz', /first part does not begin/],
    ['is empty', new Uint8Array(), 'xYz', /cannot be read|ended before/],
  ])('U52 is 400 where it %s', async (_, body, boundary, words) => {
    const { send, made } = reading()
    const problem = await problemOf(await send('POST', '/tasks', body, typeOf(boundary)))
    expect(problem).toMatchObject({ status: 400, code: 'unreadable_body', detail: expect.stringMatching(words) })
    expect(made).toEqual([])
  })

  it.each([
    'multipart/form-data',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/form-data; boundary=""',
  ])('U52 needs a boundary: %s', async (type) => {
    const problem = await problemOf(await fixture().send('POST', '/tasks', 'x', { 'content-type': type }))
    expect(problem).toMatchObject({ code: 'unreadable_body', detail: expect.stringContaining('names no boundary') })
  })

  it('U52 is taken by no other route, and by no dry run', async () => {
    const { send, made } = reading()
    const other = await send('POST', '/commands', formOf([field('command', '/todo list')]), typeOf())
    expect(other.status).toBe(415)
    const dry = await problemOf(await send('POST', '/tasks?dry_run=true', formOf([G, file('a.csv')]), typeOf()))
    expect(dry).toMatchObject({ status: 422, errors: [{ pointer: '/dry_run' }] })
    expect(made).toEqual([])
  })
})
