/** Files of a task over its store and its blobs: what goes where, what is fenced, what clients may do, and what a task shows of it. */
import { afterEach, describe, expect, it } from 'vitest'
import { modeOf } from '../../src/core/modes/index.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import type { Ports } from '../../src/shell/ports.ts'
import { FILES_LINK, readLinksBy } from '../../src/shell/links/read-links.ts'
import { memoryBlobs } from '../support/memory/memory-blobs.ts'
import {
  NO_RUNNERS,
  ALL,
  act,
  benchOf,
  calling,
  CALLER,
  closed,
  createTask,
  done,
  filesOver,
  FREE,
  NONE,
  ONE,
  planned,
  say,
  step,
  UNBOUNDED,
  type Script,
} from '../support/scripted.ts'
import { builtInTools } from '../../src/tools/index.ts'
import { memoryStore } from '../support/memory/memory-store.ts'

const KIB = 1024
const bytesOf = (length: number) => new Uint8Array(length).fill(65)

async function begun(
  script: Script = { plan: [planned('A')] },
  over: Partial<Ports> = {},
  mode: 'plan_execute' | 'session' = 'plan_execute',
) {
  const blobs = memoryBlobs()
  const bench = benchOf(script, { blobs, ...over })
  const { id } = await createTask(bench, {}, NONE, { mode })
  const of = { tenant: CALLER.tenant, task: id }
  const { files, store } = bench.ports
  const put = (name: string, text: string | Uint8Array<ArrayBuffer>, length: number | null = null) =>
    bench.service.putFile(CALLER, id, { name, body: bodyStream(text), length, bytes_max: 52_428_800 })
  const read = async (name: string) => {
    const opened = taken(await files.open(of, name))
    return opened === null ? null : new Response(opened.body).text()
  }
  const task = () => store.of(of.tenant, id)
  const names = async () => taken(await files.list(of)).map(({ name, source }) => `${name} ${source}`)
  return { bench, blobs, id, of, files, put, read, task, names }
}
function taken<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.value
}
const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.refusal.code)

describe('what a tool writes', () => {
  it('stays with the task when it is a small text, and is a blob otherwise', async () => {
    const { files, of, blobs, read, task } = await begun()
    const write = async (name: string, content: string | Uint8Array<ArrayBuffer>) =>
      taken(await files.write(of, { name, seq: 3, content }))
    expect(await write('small.md', 'x'.repeat(256 * KIB))).toBe('written')
    expect(blobs.kept(of)).toEqual([])
    expect(await write('large.md', '字'.repeat(100 * KIB))).toBe('written')
    expect(await write('chart.png', bytesOf(3))).toBe('written')
    expect(blobs.kept(of)).toHaveLength(2)
    expect(taken(await files.list(of))).toMatchObject([
      { name: 'chart.png', bytes: 3, content_type: 'image/png', source: 'tool' },
      { name: 'large.md', bytes: 300 * KIB },
      { name: 'small.md', bytes: 256 * KIB },
    ])
    expect(await read('large.md')).toBe('字'.repeat(100 * KIB))
    expect(taken(await task().ask({ kind: 'file', name: 'small.md' }))?.blob).toBeNull()
  })

  it('P8 is fenced alike: of an earlier effect nothing, of the same one nothing more; a blob that is not wanted is not kept', async () => {
    const { files, of, blobs, read } = await begun()
    const write = (seq: number, text: string) =>
      files.write(of, { name: 'a.png', seq, content: Uint8Array.from(new TextEncoder().encode(text)) })
    expect(taken(await write(7, 'new'))).toBe('written')
    const [kept] = blobs.kept(of)
    expect(codeOf(await write(6, 'late'))).toBe('lease_lost')
    expect(taken(await write(7, 'again'))).toBe('written')
    expect([await read('a.png'), blobs.kept(of)]).toEqual(['new', [kept]])
    expect(taken(await write(8, 'later'))).toBe('written')
    expect(blobs.kept(of)).toHaveLength(1)
    expect(await read('a.png')).toBe('later')
    expect(taken(await files.write(of, { name: 'a.png', seq: 9, content: 'a text in its place' }))).toBe('written')
    expect(blobs.kept(of)).toEqual([])
  })

  it('is refused in words where there is no room for it, and nothing of it is kept', async () => {
    const { files, of, blobs } = await begun(undefined, { max_stored_bytes: 10 })
    const write = async (name: string, length: number) =>
      taken(await files.write(of, { name, seq: 3, content: bytesOf(length) }))
    expect(await write('a.png', 10)).toBe('written')
    expect(await write('b.png', 1)).toBe('quota_exceeded')
    expect(blobs.kept(of)).toHaveLength(1)
    const none = await begun(undefined, { blobs: null })
    expect(taken(await none.files.write(none.of, { name: 'b.png', seq: 3, content: bytesOf(1) }))).toBe(
      'no_blob_storage',
    )
    expect(taken(await none.files.write(none.of, { name: 'b.md', seq: 3, content: 'x' }))).toBe('written')
    const large = await begun()
    const content = bytesOf(50 * 1024 * KIB + 1)
    expect(taken(await large.files.write(large.of, { name: 'b.png', seq: 3, content }))).toBe('file_too_large')
  })
})

describe('what a client puts', () => {
  it('is of the client until a later effect writes over it, and is not taken away by one that was under way', async () => {
    const { files, of, put, read, task, names } = await begun()
    expect(taken(await put('a.csv', 'first'))).toMatchObject({ created: true, file: { bytes: 5 } })
    const under_way =
      taken(await task().begin({ slice: 's', boot: 'boot', more: 'new_round', wall_ms: 0, rounds: 1, key: null }))
        .assignment?.seq ?? 0
    expect(taken(await files.write(of, { name: 'a.csv', seq: under_way, content: 'by the tool' }))).toBe('written')
    expect(taken(await put('a.csv', 'second'))).toMatchObject({ created: false })
    // The same effect, repeated by whoever took it over.
    expect(taken(await files.write(of, { name: 'a.csv', seq: under_way, content: 'by the tool' }))).toBe('written')
    expect([await read('a.csv'), await names()]).toEqual(['second', ['a.csv client']])
    expect(taken(await files.write(of, { name: 'a.csv', seq: under_way + 1, content: 'later' }))).toBe('written')
    expect([await read('a.csv'), await names()]).toEqual(['later', ['a.csv tool']])
  })

  it('is refused where it is empty, breaks off, is shorter than it says or one too many; nothing is kept', async () => {
    const { bench, id, of, put, blobs } = await begun()
    expect(await put('a.csv', '')).toMatchObject({
      refusal: { code: 'validation_failed', errors: [{ message: 'the file is empty' }] },
    })
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) })
    const upload = { name: 'a.csv', body: broken, length: null, bytes_max: 100 }
    await expect(bench.service.putFile(CALLER, id, upload)).rejects.toThrow('ended before')
    await expect(put('a.csv', 'abc', 4)).rejects.toThrow('ended before')
    expect(await put('a.csv', 'x'.repeat(200), null)).toMatchObject({ ok: true })
    const large = { ...upload, body: bodyStream('x'.repeat(101)) }
    expect(await bench.service.putFile(CALLER, id, large)).toMatchObject({
      refusal: { code: 'file_too_large', max_bytes: 100 },
    })
    for (let n = 1; n < 100; n++) taken(await put(`f${n}.csv`, 'x'))
    expect(codeOf(await put('one-more.csv', 'x'))).toBe('too_many_files')
    expect(codeOf(await put('f7.csv', 'y'))).toBe('ok')
    expect(blobs.kept(of)).toHaveLength(100)
  })

  it('comes while a slice runs, and to a task that may go on; not to one that has ended for good, whose files can be deleted still', async () => {
    const { bench, id, put, names, of, blobs } = await begun()
    taken(await put('a.csv', 'x'))
    await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
    expect(await put('b.csv', 'x')).toMatchObject({ refusal: { code: 'task_ended', status: 'canceled' } })
    expect(await names()).toEqual(['a.csv client'])
    expect(codeOf(await bench.service.deleteFile(CALLER, id, 'a.csv'))).toBe('ok')
    expect([await names(), blobs.kept(of)]).toEqual([[], []])
    expect(codeOf(await bench.service.deleteFile(CALLER, id, 'a.csv'))).toBe('file_not_found')

    const session = await begun({ turn: ['done', 'again'] }, {}, 'session')
    expect((await step(session.bench, session.id, ALL)).status).toBe('completed')
    expect(codeOf(await session.put('a.csv', 'x'))).toBe('ok')
  })

  it('two at once for one name: one stands, and no blob is left of the other', async () => {
    const { put, read, of, blobs } = await begun()
    const all = await Promise.all(['one', 'two', 'three'].map((text) => put('a.csv', text)))
    expect(all.map((one) => taken(one).created).sort()).toEqual([false, false, true])
    expect(blobs.kept(of)).toHaveLength(1)
    expect(['one', 'two', 'three']).toContain(await read('a.csv'))
  })

  it('whose row is written, and whose writing came twice, is there once, with its blob', async () => {
    const { task, names } = await begun()
    const file = { name: 'a.csv', seq: null, blob: 'b1', bytes: 3 }
    expect(taken(await task().upkeep({ kind: 'write_file', file }))).toMatchObject({
      outcome: 'written',
      created: true,
      unused: null,
    })
    expect(taken(await task().upkeep({ kind: 'write_file', file }))).toMatchObject({ outcome: 'written', unused: null })
    expect(await names()).toEqual(['a.csv client'])
  })

  it('takes room until it is deleted or replaced', async () => {
    const { bench, id, put } = await begun(undefined, { max_stored_bytes: 10 })
    taken(await put('a.csv', 'x'.repeat(6)))
    expect(codeOf(await put('b.csv', 'x'.repeat(5)))).toBe('quota_exceeded')
    taken(await put('a.csv', 'x'.repeat(4)))
    taken(await put('b.csv', 'x'.repeat(5)))
    taken(await bench.service.deleteFile(CALLER, id, 'b.csv'))
    taken(await put('c.csv', 'x'.repeat(6)))
  })

  it('is nobody else’s', async () => {
    const { bench, id, put } = await begun()
    taken(await put('a.csv', 'x'))
    const other = { ...CALLER, tenant: 'other' }
    for (const asked of [
      await bench.service.putFile(other, id, { name: 'a.csv', body: bodyStream('x'), length: null, bytes_max: 9 }),
      await bench.service.fetchFile(other, id, 'a.csv'),
      await bench.service.listFiles(other, id, { limit: 1, after: '' }),
      await bench.service.deleteFile(other, id, 'a.csv'),
    ])
      expect(codeOf(asked)).toBe('task_not_found')
  })

  it('a list goes page by page, and a file that leaves meanwhile moves none of the others', async () => {
    const { bench, id, put } = await begun()
    for (const name of ['c', 'a', 'e', 'b', 'd']) taken(await put(`${name}.csv`, 'x'))
    const page = async (after: string) => taken(await bench.service.listFiles(CALLER, id, { limit: 2, after }))
    const first = await page('')
    expect([first.data.map(({ name }) => name), first.has_more, first.next_cursor]).toEqual([
      ['a.csv', 'b.csv'],
      true,
      'b.csv',
    ])
    taken(await bench.service.deleteFile(CALLER, id, 'b.csv'))
    const second = await page('b.csv')
    expect([second.data.map(({ name }) => name), second.next_cursor]).toEqual([['c.csv', 'd.csv'], 'd.csv'])
    expect(await page('d.csv')).toMatchObject({ data: [{ name: 'e.csv' }], has_more: false, next_cursor: null })
  })
})

describe('a document of the mode', () => {
  const TEXT = '# 报告'
  const session = modeOf('session')
  /** The mode as one that keeps a document. */
  const documented = () =>
    void (session.documents = () => [{ name: 'report.csv', content_type: 'text/markdown; charset=utf-8', text: TEXT }])
  afterEach(() => void delete session.documents)

  it("nor is result.json the client's to put: tools write it", async () => {
    const { of, put, files, names } = await begun({ turn: ['done'] }, {}, 'session')
    expect(await put('result.json', '{}')).toMatchObject({ refusal: { code: 'file_reserved', name: 'result.json' } })
    expect(await names()).toEqual([])
    expect(taken(await files.write(of, { name: 'result.json', seq: 9, content: '{}' }))).toBe('written')
    expect(await names()).toEqual(['result.json tool'])
  })

  it('is listed, fetched and shown like a file, hides a file of its name, and cannot be put, deleted or overwritten', async () => {
    const { bench, id, of, put, files, read, names, task, blobs } = await begun({ turn: ['done'] }, {}, 'session')
    taken(await put('report.csv', 'of the client'))
    taken(await put('data.csv', 'x'))
    documented()
    expect([await read('report.csv'), await names()]).toEqual([TEXT, ['data.csv client', 'report.csv mode']])
    const reserved = { refusal: { code: 'file_reserved', name: 'report.csv' } }
    expect(await put('report.csv', 'x')).toMatchObject(reserved)
    expect(await bench.service.deleteFile(CALLER, id, 'report.csv')).toMatchObject(reserved)
    expect(taken(await files.write(of, { name: 'report.csv', seq: 9, content: 'x' }))).toBe('file_reserved')
    expect(taken(await files.write(of, { name: 'report.csv', seq: 9, content: bytesOf(3) }))).toBe('file_reserved')
    expect(blobs.kept(of)).toHaveLength(2)
    const found = taken(await bench.service.fetchFile(CALLER, id, 'report.csv'))
    expect(found).toMatchObject({ bytes: 8, content_type: 'text/markdown; charset=utf-8', source: 'mode' })
    const done = await step(bench, id, ALL)
    expect(done.result?.artifacts).toMatchObject([
      { name: 'report.csv', size: 8, content_type: 'text/markdown; charset=utf-8' },
    ])
    expect(taken(await task().ask({ kind: 'file', name: 'report.csv' }))).toMatchObject({
      seq: done.version,
      content: TEXT,
    })
  })
})

/** A bench whose tools work on the files that its client puts. */
function benchWithTools(script: Script) {
  const clock = Date.UTC(2026, 10, 21, 12, 0)
  const store = memoryStore(() => ({ now_ms: clock, boot: 'boot', prices: FREE, daily: UNBOUNDED }))
  const blobs = memoryBlobs()
  const search = { name: 'none', search: () => Promise.reject(new Error('no network')) }
  const tools = builtInTools(store, filesOver(store, blobs), search, 'UTC', NO_RUNNERS)
  return benchOf(script, { store, blobs, tools })
}

it('a text that its client has put is read by the model', async () => {
  const bench = benchWithTools({ turn: [calling('', ['read_file', { name: 'release-1.10.txt' }]), 'done'] })
  const { id } = await createTask(bench, {}, NONE, { mode: 'session' })
  const upload = { name: 'release-1.10.txt', body: bodyStream('passkeys'), length: null, bytes_max: 99 }
  taken(await bench.service.putFile(CALLER, id, upload))
  await step(bench, id, ALL)
  expect(JSON.stringify(bench.requests.at(-1)?.messages)).toContain('passkeys')
})

describe('result.artifacts', () => {
  const write = (name: string, content: string) => calling('', ['write_file', { name, content }])

  async function finished() {
    const bench = benchWithTools({
      turn: [write('notes.md', '# one'), 'done', 'more', write('b.txt', 'x'), 'over'],
    })
    const { id } = await createTask(bench, {}, NONE, { mode: 'session' })
    const upload = { name: 'data.csv', body: bodyStream('a,b'), length: null, bytes_max: 9 }
    taken(await bench.service.putFile(CALLER, id, upload))
    return { bench, id, task: await step(bench, id, ALL) }
  }
  const urlOf = (task: Pick<TaskView, 'result'>) => task.result?.artifacts[0]?.url ?? ''

  it('names what its tools wrote, not what its client put, by links that open the files of this task', async () => {
    const { bench, id, task } = await finished()
    expect(task.result?.artifacts).toEqual([
      { name: 'notes.md', content_type: 'text/markdown; charset=utf-8', size: 5, url: expect.any(String) },
    ])
    // Its origin is unknown, as of a task of an earlier release.
    expect(urlOf(task)).toMatch(new RegExp(`^/tasks/${id}/files/notes\\.md\\?token=`))
    const token = urlOf(task).split('token=')[1] ?? ''
    const opened = await readLinksBy(bench.ports.links, FILES_LINK).open(token, bench.clock.now)
    expect(opened).toEqual({ tenant: CALLER.tenant, task: id, link_epoch: 0 })
  })

  it('is the same in every answer: of the request, when read, and in lists', async () => {
    const { bench, id, task } = await finished()
    const read = taken(await bench.service.getTask(CALLER, id)).task
    const filter = { status: null, mode: null, metadata: {}, q: null, outcome: null }
    const [listed] = taken(await bench.service.listTasks(CALLER, filter, { limit: 1, after: 0 })).data
    expect(read.result).toEqual(task.result)
    expect(listed?.result).toEqual(task.result)
  })

  it('follows what becomes of the files', async () => {
    const { bench, id, task } = await finished()
    taken(await bench.service.deleteFile(CALLER, id, 'notes.md'))
    const after = taken(await bench.service.getTask(CALLER, id)).task
    expect([after.version, after.result?.artifacts]).toEqual([task.version, []])
  })
})

describe('a fork', () => {
  const RUN = { ok: true, text: 'ran' }

  it('U26 has copies of what the client put and of what tools wrote up to its row, each of its own', async () => {
    const script = { plan: [planned('A')], thought: [act('x', 'schedule'), done()], replan: [closed()], tools: [RUN] }
    const { bench, id, of, put, files, blobs } = await begun(script)
    taken(await put('data.csv', 'a,b'))
    const thought = await step(bench, id, ONE)
    const acted = thought.version
    taken(await files.write(of, { name: 'chart.svg', seq: acted, content: '<svg/>' }))
    taken(await files.write(of, { name: 'photo.png', seq: acted, content: bytesOf(4) }))
    taken(await put('late.csv', 'late'))
    const fork = async (at: number, outcome: { ok: boolean; code: string; text: string } | null = null) => {
      const made = taken(await bench.service.forkTask(CALLER, id, { at, settings: {}, outcome })).task
      const fork_of = { tenant: CALLER.tenant, task: made.id }
      const read = async (name: string) => {
        const opened = taken(await files.open(fork_of, name))
        return opened === null ? null : new Response(opened.body).text()
      }
      return {
        made,
        fork_of,
        read,
        names: taken(await files.list(fork_of)).map(({ name, source }) => `${name} ${source}`),
      }
    }
    const whole = await fork(acted)
    expect(whole.names).toEqual(['chart.svg tool', 'data.csv client', 'late.csv client', 'photo.png tool'])
    expect([await whole.read('photo.png'), await whole.read('chart.svg'), await whole.read('data.csv')]).toEqual([
      'AAAA',
      '<svg/>',
      'a,b',
    ])
    expect(blobs.kept(whole.fork_of)).toHaveLength(3)
    const before = await fork(acted - 1)
    expect(before.names).toEqual(['data.csv client', 'late.csv client'])
    const failed = await fork(acted, { ok: false, code: 'error', text: 'no' })
    expect(failed.names).toEqual(['data.csv client', 'late.csv client'])

    // What becomes of the parent's is none of the fork's, and a later effect of the fork may write over them.
    taken(await bench.service.deleteTask(CALLER, id))
    expect(await whole.read('photo.png')).toBe('AAAA')
    const next = { name: 'late.csv', seq: acted, content: 'by the first effect of the fork' }
    expect(taken(await files.write(before.fork_of, next))).toBe('written')
    expect(await before.read('late.csv')).toBe(next.content)
  })

  it('U26 is refused where its copies pass the quota, and then leaves nothing', async () => {
    const { bench, id, put, blobs } = await begun(undefined, { max_stored_bytes: 5 })
    taken(await put('data.csv', 'a,b'))
    const refused = await bench.service.forkTask(CALLER, id, { at: 1, settings: {}, outcome: null })
    expect(refused).toMatchObject({ refusal: { code: 'quota_exceeded', bytes: 3, bytes_max: 5 } })
    const filter = { status: null, mode: null, metadata: {}, q: null, outcome: null }
    const index = await bench.store.workspace(CALLER.tenant).ask({ kind: 'list', filter, before: 0, limit: 9 })
    expect(index.entries.map((entry) => entry.id)).toEqual([id])
    expect(blobs.kept({ tenant: CALLER.tenant, task: id })).toHaveLength(1)
    expect(codeOf(await put('b.csv', 'xx'))).toBe('ok')
  })
})

it('F61 a task that is old goes with its blobs; one that has begun its next run since keeps them', async () => {
  const { retireTask: retire } = await import('../../src/shell/delete-task.ts')
  const { bench, id, of, put, blobs } = await begun({ turn: ['done', 'again'] }, {}, 'session')
  taken(await put('a.csv', 'x'))
  await step(bench, id, ALL)
  const old = bench.clock.now + 2_592_000_000
  bench.clock.now = old - 1
  await say(bench, id, 'and now?', NONE)
  bench.clock.now = old
  await retire(bench.ports, CALLER, id)
  expect(blobs.kept(of)).toHaveLength(1)
  await step(bench, id, ALL)
  bench.clock.now += 2_592_000_000
  await retire(bench.ports, CALLER, id)
  expect([blobs.kept(of), codeOf(await bench.service.getTask(CALLER, id))]).toEqual([[], 'task_not_found'])
})
