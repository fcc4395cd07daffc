/**
 * Tools `read_file`, `write_file` and `list_files`: the files of the task itself, those of its client among them. A write is done once
 * for its effect and is fenced by it, so that a lost call may be repeated and a late one replaces nothing.
 */
import { fieldsOf, nameIn, numberIn, writingIn } from '../core/terms/files/file-input.ts'
import { FILE_BYTES_MAX, type FileWritten } from '../core/terms/files/files.ts'
import { isBinary } from '../core/terms/files/file-types.ts'
import type { Result } from '../core/terms/refusal.ts'
import { utf8Bytes } from '../core/terms/text.ts'
import type { Files, OpenFile, Tool } from '../shell/ports.ts'
import { FILE_WORDS, type FileWords } from './file-texts.ts'

type Returned = Awaited<ReturnType<Tool['run']>>

const done = (code: string, text: string): Returned => ({ ok: true, code, text })
const failed = (code: string, text: string): Returned => ({ ok: false, code, text })

/** Codes: `file_read`; `not_found`, `not_text`, `usage_error`. */
export const readFile = (files: Files): Tool => ({
  name: 'read_file',
  async run(input, call) {
    const words = FILE_WORDS[call.locale]
    const fields = fieldsOf(input)
    const name = nameIn(fields)
    if (name === null) return failed('usage_error', words.name('read_file'))
    const from = numberIn(fields, 'offset', 0, 0)
    const limit = numberIn(fields, 'limit', 1, Number.MAX_SAFE_INTEGER)
    if (from === null || limit === null) return failed('usage_error', words.range)
    const file = valueOrThrow(await files.open(call, name))
    if (file === null) return failed('not_found', words.notFound(name))
    const content = await textOf(file)
    if (content === null) return failed('not_text', words.notText(file.entry))
    return shown({ name, content }, { from, limit, room: call.settings.observation_char_limit }, words)
  },
})

/** What stands in the file, if that is a text short enough to be shown; another one is not read. */
async function textOf({ entry, body }: OpenFile): Promise<string | null> {
  if (isBinary(entry.name) || entry.bytes > FILE_BYTES_MAX) {
    await body.cancel()
    return null
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(await new Response(body).arrayBuffer())
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** What the line above a part takes at the most, and the least that is shown of a file whatever observations are cut to. */
const LINE_CHARS_MAX = 260
const SHOWN_CHARS_MIN = 50

/** As much as an observation shows, so that what is read next begins where the model has stopped reading. */
function shown(
  { name, content }: { name: string; content: string },
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

/** Codes: `file_written`; why it was not written, or `usage_error`. */
export const writeFile = (files: Files): Tool => ({
  name: 'write_file',
  async run(input, call) {
    const words = FILE_WORDS[call.locale]
    const wanted = writingIn(input)
    if (!wanted.ok) return failed('usage_error', wanted.flaw === 'name' ? words.name('write_file') : words.content)
    const { name, content } = wanted
    const bytes = utf8Bytes(content)
    // A fork writes it again from its row, so it stays with the task.
    if (bytes > FILE_BYTES_MAX) return failed('file_too_large', words.textTooLarge(bytes))
    const written = valueOrThrow(await files.write(call, { name, seq: seqOf(call.key), content }))
    return written === 'written' ? done('file_written', words.written(name, bytes)) : notWritten(written, words)
  },
})

/** What a tool says whose file was not written. */
export const notWritten = (why: Exclude<FileWritten, 'written'>, words: FileWords): Returned => failed(why, words[why])

/** Code: `file_list`; its input says nothing. */
export const listFiles = (files: Files): Tool => ({
  name: 'list_files',
  async run(_input, call) {
    const words = FILE_WORDS[call.locale]
    const listed = valueOrThrow(await files.list(call))
    return done('file_list', listed.length === 0 ? words.none : listed.map(words.entry).join('\n'))
  },
})

/** A refusal says that the task is gone or has gone on: nobody waits for the result. */
export function valueOrThrow<T>(answer: Result<T>): T {
  if (!answer.ok) throw new Error(answer.refusal.code)
  return answer.value
}

/** An effect key is `task:seq` (P4). */
export const seqOf = (key: string): number => Number(key.slice(key.lastIndexOf(':') + 1))
