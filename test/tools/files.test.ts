/** Tools read_file, write_file and list_files: the files of one task, under the effect key (D4). */
import { describe, expect, it } from 'vitest'
import { FILES_MAX } from '../../src/core/terms/files/files.ts'
import { FILE_BYTES_MAX } from '../../src/core/terms/files/file-types.ts'
import { toolInputOf, BUILT_IN_TOOLS } from '../../src/core/mode/tools.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import type { ToolContext } from '../../src/shell/tool-ports.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import { FILE_WORDS } from '../../src/tools/file-texts.ts'
import { notWritten } from '../../src/tools/files.ts'
import { builtInTools } from '../../src/tools/index.ts'
import { NO_RUNNERS, benchOf, CALLER, createTask, filesOver, planned } from '../support/scripted.ts'

const search = { name: 'none', search: () => Promise.resolve([]) }
const lost = Object.assign(new Error('the object was reset'), { retryable: true })

/** A task, and its tools: each call is the next effect unless it names another. */
async function desk(more: Partial<ToolContext> = {}, wrap = (store: TaskStore) => store) {
  const bench = benchOf({ plan: [planned('A')] })
  const { id } = await createTask(bench)
  const store = wrap(bench.store)
  const tools = builtInTools(store, filesOver(store), search, 'UTC', NO_RUNNERS)
  let seq = 2
  return async (tool: string, input: unknown, at = ++seq, over: Partial<ToolContext> = {}) => {
    const found = tools.get(tool)
    if (found === undefined) throw new Error(`no tool ${tool}`)
    const call: ToolContext = {
      tenant: CALLER.tenant,
      task: id,
      key: `${id}:${at}`,
      now_ms: 0,
      timezone: 'UTC',
      locale: 'en',
      settings: Settings.parse({}),
      timeout_ms: 1000,
      traceparent: null,
      ...more,
      ...over,
    }
    return found.run(typeof input === 'string' ? input : JSON.stringify(input), call)
  }
}

describe('a file that the tool writes', () => {
  it('is read back unchanged, and listed', async () => {
    const run = await desk()
    const content = '# Notes\n"quoted" \\ 字 😀\n'
    expect(await run('write_file', { name: 'notes.md', content })).toEqual({
      ok: true,
      code: 'file_written',
      text: 'Wrote "notes.md" (28 bytes).',
    })
    expect(await run('read_file', { name: 'notes.md' })).toEqual({ ok: true, code: 'file_read', text: content })
    await run('write_file', { name: 'a.txt', content: '' })
    expect(await run('list_files', {})).toEqual({
      ok: true,
      code: 'file_list',
      text: '- a.txt (0 bytes)\n- notes.md (28 bytes)',
    })
    expect(await run('read_file', 'a.txt')).toMatchObject({ ok: true, text: 'The file "a.txt" is empty.' })
  })

  it('replaces the file that was there', async () => {
    const run = await desk()
    await run('write_file', { name: 'a', content: 'one' })
    await run('write_file', { name: 'a', content: 'two' })
    expect((await run('read_file', 'a')).text).toBe('two')
  })

  it('has lone surrogates replaced by a character that can be stored', async () => {
    const run = await desk()
    expect(await run('write_file', `{"name":"a","content":"x\\ud83d"}`)).toMatchObject({ ok: true })
    expect((await run('read_file', 'a')).text).toBe('x\ufffd')
  })

  it('belongs to this task only', async () => {
    const run = await desk()
    await run('write_file', { name: 'a', content: 'one' })
    await expect(run('read_file', 'a', 9, { tenant: 'other' })).rejects.toThrow('task_not_found')
    await expect(run('list_files', {}, 9, { task: 'task_2' })).rejects.toThrow('task_not_found')
  })
})

describe('a write under the effect key', () => {
  it('D4 gives the first answer when it is repeated, and changes nothing', async () => {
    const run = await desk()
    const first = await run('write_file', { name: 'a', content: 'one' }, 5)
    expect(await run('write_file', { name: 'a', content: 'one' }, 5)).toEqual(first)
    expect((await run('list_files', {})).text).toBe('- a (3 bytes)')
  })

  it('does not replace a later file when it comes late from a lost worker', async () => {
    const run = await desk()
    await run('write_file', { name: 'a', content: 'new' }, 7)
    await expect(run('write_file', { name: 'a', content: 'old' }, 5)).rejects.toThrow('lease_lost')
    expect((await run('read_file', 'a')).text).toBe('new')
  })

  /** Loses its first `times` writes after they were made. */
  const losing = (times: number) => (store: TaskStore) => {
    let left = times
    return {
      ...store,
      of: (tenant: string, id: string) => {
        const methods = store.of(tenant, id)
        const upkeep: typeof methods.upkeep = async (call) => {
          const answer = await methods.upkeep(call)
          if (call.kind === 'write_file' && left-- > 0) throw lost
          return answer
        }
        return { ...methods, upkeep }
      },
    }
  }

  it('D4 is tried once more when the object of the task is lost on the way', async () => {
    const run = await desk({}, losing(1))
    expect(await run('write_file', { name: 'a', content: 'one' })).toMatchObject({ ok: true, code: 'file_written' })
    await expect((await desk({}, losing(2)))('write_file', { name: 'a', content: 'one' })).rejects.toThrow('reset')
  })
})

describe('a file that does not fit', () => {
  it('is a failed action with the reason, and is not written', async () => {
    const run = await desk()
    const large = { name: 'big', content: 'x'.repeat(FILE_BYTES_MAX + 1) }
    expect(await run('write_file', large)).toMatchObject({ ok: false, code: 'file_too_large' })
    for (let n = 0; n < FILES_MAX; n++) await run('write_file', { name: `f${n}`, content: 'x' })
    expect(await run('write_file', { name: 'one-more', content: 'x' })).toMatchObject({
      ok: false,
      code: 'too_many_files',
    })
    expect(await run('write_file', { name: 'f3', content: 'y' })).toMatchObject({ ok: true })
    expect((await run('list_files', {})).text.split('\n')).toHaveLength(FILES_MAX)
  })
})

it('has a reason in both languages, for each reason', () => {
  for (const why of [
    'file_too_large',
    'too_many_files',
    'file_reserved',
    'quota_exceeded',
    'no_blob_storage',
  ] as const) {
    expect(notWritten(why, FILE_WORDS.en)).toEqual({
      ok: false,
      code: why,
      text: expect.stringMatching(/^Not written: /),
    })
    expect(notWritten(why, FILE_WORDS.zh)).toEqual({ ok: false, code: why, text: expect.stringMatching(/^未写入：/) })
  }
})

describe('the input of the file tools', () => {
  it.each([
    ['the member name', '{"name":"notes.md"}'],
    ['a path', '{"path":"./notes.md"}'],
    ['a file', '{"file":"notes.md"}'],
    ['a filename', '{"filename":" notes.md "}'],
    ['the name as text', 'notes.md'],
    ['the name as a JSON text', '"./notes.md"'],
    ['numbers that say nothing', '{"name":"notes.md","offset":null,"limit":null}'],
  ])('may be %s', async (_name, input) => {
    const run = await desk()
    await run('write_file', { filename: './notes.md', content: 'here' })
    expect(await run('read_file', input)).toMatchObject({ ok: true, code: 'file_read', text: 'here' })
  })

  it.each([
    ['read_file', ''],
    ['read_file', '{}'],
    ['read_file', '{"name":7}'],
    ['read_file', '{"name":"../secret"}'],
    ['read_file', '["a"]'],
    ['read_file', '{"name":"a","offset":-1}'],
    ['read_file', '{"name":"a","offset":"5"}'],
    ['read_file', '{"name":"a","limit":0}'],
    ['read_file', '{"name":"a","limit":1.5}'],
    ['write_file', 'notes.md'],
    ['write_file', '{"name":"a"}'],
    ['write_file', '{"name":"a","content":{"b":1}}'],
    ['write_file', '{"name":"a/b","content":"x"}'],
  ])('is a usage error for %s with %s', async (tool, input) => {
    const run = await desk()
    await run('write_file', { name: 'a', content: 'x' })
    expect(await run(tool, input)).toMatchObject({
      ok: false,
      code: 'usage_error',
      text: expect.stringMatching(/^Usage: /),
    })
    expect((await run('list_files', '')).text).toBe('- a (1 bytes)')
  })

  it('may name a missing file, which is not found, and the list of no files is empty', async () => {
    const run = await desk()
    expect(await run('read_file', 'gone.py')).toEqual({
      ok: false,
      code: 'not_found',
      text: 'There is no file "gone.py". The task has no files.',
    })
    expect(await run('list_files', 'whatever')).toEqual({ ok: true, code: 'file_list', text: 'There are no files.' })
  })

  it('may be a slip: the nearest name is told, the files there are, and how a person can put a file', async () => {
    const run = await desk()
    const gone = async (name: string, over: Partial<ToolContext> = {}) => {
      const { code, text } = await run('read_file', { name }, undefined, over)
      expect(code).toBe('not_found')
      return text
    }
    for (const name of ['notes.md', 'plan.txt']) await run('write_file', { name, content: 'x' })
    expect(await gone('script.py')).toBe('There is no file "script.py". Files: notes.md, plan.txt.')
    expect(await gone('note.md')).toContain('There is no file "note.md". Did you mean "notes.md"? Files: notes.md')
    expect(await gone('sales.csv')).toMatch(
      /^There is no file "sales.csv". Files: notes.md, plan.txt. A person can put it with PUT \/tasks\/task_\w+\/files\/sales.csv; ask for it.$/,
    )
    expect(await gone('plan.csv', { locale: 'zh' })).toMatch(
      /^没有文件“plan.csv”。是否指“plan.txt”？已有文件：notes.md, plan.txt。用户可以用 PUT \/tasks\/task_\w+\/files\/plan.csv 上传；请向用户索取。$/,
    )
  })

  it('may be native arguments, which reach the tools unchanged', () => {
    for (const name of ['read_file', 'write_file', 'list_files']) {
      const card = BUILT_IN_TOOLS.find((tool) => tool.name === name)
      expect(toolInputOf(card, '{"name":"a","content":"b"}')).toBe('{"name":"a","content":"b"}')
    }
  })
})

describe('a file that a client has uploaded', () => {
  async function putDesk(more: Partial<ToolContext> = {}) {
    const bench = benchOf({ plan: [planned('A')] })
    const { id } = await createTask(bench)
    const tools = builtInTools(bench.store, bench.ports.files, search, 'UTC', NO_RUNNERS)
    const put = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
      const upload = { name, body: bodyStream(content), length: null, bytes_max: 10_000_000 }
      expect(await bench.service.putFile(CALLER, id, upload)).toMatchObject({ ok: true })
    }
    const run = (tool: string, input: string) =>
      tools.get(tool)?.run(input, {
        tenant: CALLER.tenant,
        task: id,
        key: `${id}:3`,
        now_ms: 0,
        timezone: 'UTC',
        locale: 'en',
        settings: Settings.parse({}),
        timeout_ms: 1000,
        traceparent: null,
        ...more,
      })
    return { put, run }
  }

  it('is listed, and read as text when it is short', async () => {
    const { put, run } = await putDesk()
    await put('sales.csv', 'a,b\n1,2\n')
    expect(await run('list_files', '')).toMatchObject({ text: '- sales.csv (8 bytes)' })
    expect(await run('read_file', 'sales.csv')).toEqual({ ok: true, code: 'file_read', text: 'a,b\n1,2\n' })
  })

  it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['large.csv', 'x'.repeat(FILE_BYTES_MAX + 1), '(text/csv, 262145 bytes)'],
    ['sheet.xlsx', 'PK', 'spreadsheetml.sheet, 2 bytes)'],
    ['gbk.csv', Uint8Array.from([0xc4, 0xe3]), '(text/csv, 2 bytes)'],
  ])(
    'that is not a short text is described by its type, its size and the tool that reads it: %s',
    async (name, content, told) => {
      const { put, run } = await putDesk()
      await put(name, content)
      const read = await run('read_file', name)
      expect(read).toMatchObject({ ok: false, code: 'not_text' })
      for (const part of [name, told, 'read_dataset', 'run_code']) expect(read?.text).toContain(part)
      const { put: putZh, run: runZh } = await putDesk({ locale: 'zh' })
      await putZh(name, content)
      expect((await runZh('read_file', name))?.text).toMatch(/^文件“.*read_dataset/)
    },
  )
})

describe('a long file', () => {
  const content = Array.from({ length: 3000 }, (_, n) => `line ${n} 😀\n`).join('')
  const chars = Array.from(content)

  it('is shown in parts that say where to continue, and that together are the file', async () => {
    const run = await desk()
    await run('write_file', { name: 'long', content })
    let read = ''
    for (let offset = 0, calls = 0; offset < chars.length; calls++) {
      const { ok, text } = await run('read_file', { name: 'long', offset })
      expect(ok && calls < 20).toBe(true)
      expect(text.length).toBeLessThanOrEqual(Settings.parse({}).observation_char_limit)
      const [, from, to, length, next] =
        /^\[long: characters (\d+) to (\d+) of (\d+)(?:, cut; go on with offset (\d+))?\]\n/.exec(text) ?? []
      expect([Number(from), Number(length)]).toEqual([offset, chars.length])
      expect(next ?? String(chars.length)).toBe(to)
      read += text.slice(text.indexOf('\n') + 1)
      offset = Number(to)
    }
    expect(read).toBe(content)
  })

  it('counts offset and limit in characters', async () => {
    const run = await desk()
    await run('write_file', { name: 'long', content })
    expect((await run('read_file', { name: 'long', offset: 5, limit: 4 })).text).toBe(
      `[long: characters 5 to 9 of ${chars.length}, cut; go on with offset 9]\n0 😀\n`,
    )
    expect(await run('read_file', { name: 'long', offset: chars.length })).toMatchObject({
      ok: false,
      code: 'usage_error',
    })
  })

  it('shows as much as an observation may contain', async () => {
    const settings = Settings.parse({ observation_char_limit: 100_000 })
    const run = await desk({ settings })
    await run('write_file', { name: 'long', content })
    expect((await run('read_file', 'long')).text).toBe(content)
  })

  it('fits into an observation with characters outside the basic plane too', async () => {
    const run = await desk()
    await run('write_file', { name: 'wide', content: '😀'.repeat(20_000) })
    const { text } = await run('read_file', 'wide')
    expect(text.length).toBeLessThanOrEqual(10_000)
    expect(text).toMatch(/^\[wide: characters 0 to \d+ of 20000, cut; go on with offset \d+\]\n(?:😀)+$/u)
  })
})

describe('file tools in Chinese', () => {
  it('say everything in the language of the task', async () => {
    const run = await desk({ locale: 'zh' })
    const said = [
      await run('read_file', '{}'),
      await run('read_file', 'a'),
      await run('write_file', { name: 'a', content: '字'.repeat(9) }),
      await run('write_file', { name: 'a' }),
      await run('read_file', { name: 'a', offset: 99 }),
      await run('read_file', { name: 'a', offset: -1 }),
      await run('read_file', { name: 'a', limit: 3 }),
      await run('list_files', {}),
      await run('write_file', { name: 'b', content: 'x'.repeat(FILE_BYTES_MAX + 1) }),
    ]
    for (const { text } of said) expect(text).toMatch(/\p{Script=Han}/u)
    expect(said.map(({ text }) => text).join('')).not.toMatch(/Usage|Wrote|characters/)
  })
})
