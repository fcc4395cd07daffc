/**
 * Tools `read_file`, `write_file` and `list_files`: the files of the task itself, kept in its object. A write is done once for its
 * effect and is fenced by it, so that a lost call may be repeated and a late one replaces nothing.
 */
import { fieldsOf, nameIn, numberIn, writingIn } from '../core/file-input.ts'
import type { StoredFile } from '../core/files.ts'
import type { Result } from '../core/refusal.ts'
import type { TaskMethods } from '../core/task-methods.ts'
import { utf8Bytes } from '../core/text.ts'
import { onceMoreIfLost } from '../shell/lost-object.ts'
import type { Remote, TaskStore, Tool, ToolCall } from '../shell/ports.ts'
import { FILE_WORDS, type FileWords } from './file-words.ts'

type Store = Pick<TaskStore, 'of'>
type Returned = Awaited<ReturnType<Tool['run']>>

const done = (code: string, text: string): Returned => ({ ok: true, code, text })
const failed = (code: string, text: string): Returned => ({ ok: false, code, text })

/** Codes: `file_read`; `not_found`, `usage_error`. */
export const readFile = (store: Store): Tool => ({
  name: 'read_file',
  async run(input, call) {
    const words = FILE_WORDS[call.locale]
    const fields = fieldsOf(input)
    const name = nameIn(fields)
    if (name === null) return failed('usage_error', words.name('read_file'))
    const from = numberIn(fields, 'offset', 0, 0)
    const limit = numberIn(fields, 'limit', 1, Number.MAX_SAFE_INTEGER)
    if (from === null || limit === null) return failed('usage_error', words.range)
    const file = await asked(store, call, (task) => task.readFile(name))
    if (file === null) return failed('not_found', words.notFound(name))
    return shown(file, { from, limit, room: call.settings.observation_char_limit }, words)
  },
})

/** What the line above a part takes at the most, and the least that is shown of a file whatever observations are cut to. */
const LINE_CHARS_MAX = 260
const SHOWN_CHARS_MIN = 50

/** As much as an observation shows, so that what is read next begins where the model has stopped reading. */
function shown(
  { name, content }: StoredFile,
  { from, limit, room }: { from: number; limit: number; room: number },
  words: FileWords,
): Returned {
  if (from === 0 && content.length <= Math.min(limit, room)) {
    return done('file_read', content === '' ? words.empty(name) : content)
  }
  const chars = Array.from(content)
  const { length } = chars
  if (from >= length) return failed('usage_error', words.behind({ name, from, to: from, length }))
  const most = Math.max(SHOWN_CHARS_MIN, room - LINE_CHARS_MAX)
  const wanted = chars.slice(from, Math.min(from + limit, from + most))
  // A character outside the basic plane counts twice where observations are cut.
  while (wanted.join('').length > most) wanted.length = Math.floor(wanted.length / 2)
  const part = { name, from, to: from + wanted.length, length }
  return done('file_read', `${words.part(part)}\n${wanted.join('')}`)
}

/** Codes: `file_written`; `file_too_large`, `too_many_files`, `usage_error`. */
export const writeFile = (store: Store): Tool => ({
  name: 'write_file',
  async run(input, call) {
    const words = FILE_WORDS[call.locale]
    const wanted = writingIn(input)
    if (!wanted.ok) return failed('usage_error', wanted.flaw === 'name' ? words.name('write_file') : words.content)
    const { name, content } = wanted
    const written = await asked(store, call, (task) => task.writeFile({ name, seq: seqOf(call.key), content }))
    const bytes = utf8Bytes(content)
    switch (written) {
      case 'written':
        return done('file_written', words.written(name, bytes))
      case 'file_too_large':
        return failed(written, words.file_too_large(bytes))
      case 'too_many_files':
        return failed(written, words.too_many_files)
    }
  },
})

/** Code: `file_list`; its input says nothing. */
export const listFiles = (store: Store): Tool => ({
  name: 'list_files',
  async run(_input, call) {
    const words = FILE_WORDS[call.locale]
    const files = await asked(store, call, (task) => task.listFiles())
    return done('file_list', files.length === 0 ? words.none : files.map(words.entry).join('\n'))
  },
})

/** A refusal says that the task is gone or has gone on: nobody waits for the result. */
async function asked<T>(
  store: Store,
  { tenant, task }: ToolCall,
  ask: (methods: Remote<TaskMethods>) => Promise<Result<T>>,
): Promise<T> {
  const answer = await onceMoreIfLost(() => ask(store.of(tenant, task)))
  if (!answer.ok) throw new Error(answer.refusal.code)
  return answer.value
}

/** An effect key is `task:seq` (docs/protocol.md 4). */
const seqOf = (key: string): number => Number(key.slice(key.lastIndexOf(':') + 1))
