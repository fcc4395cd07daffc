/**
 * The tools `read_file`, `write_file` and `list_files` work on the files of the task, those of its client among them. A write is done once for
 * its effect and is fenced by it, so that a lost call may be repeated and a late one replaces nothing.
 */
import { fieldsOf, fileNameIn, numberIn, parseFileWrite } from '../core/terms/files/file-input.ts'
import type { FileWriteOutcome } from '../core/terms/files/files.ts'
import { FILE_BYTES_MAX, IMAGE_BYTES_MAX, isBinary } from '../core/terms/files/file-types.ts'
import { readImageHeader } from '../core/terms/files/image-header.ts'
import { imageTypeOf } from '../core/terms/files/images.ts'
import type { Result } from '../core/terms/refusal.ts'
import { utf8Bytes } from '../core/terms/text.ts'
import { sha256, toHex } from '../shell/hex.ts'
import { chunkBody } from '../shell/network/chunked-body.ts'
import type { Files, OpenFile } from '../shell/ports.ts'
import type { Tool } from '../shell/tool-ports.ts'
import { FILE_WORDS, type FileWords } from './file-texts.ts'

type ToolResult = Awaited<ReturnType<Tool['run']>>

const success = (code: string, text: string): ToolResult => ({ ok: true, code, text })
const failure = (code: string, text: string): ToolResult => ({ ok: false, code, text })

/** Codes: `file_read`, `image_read`; `not_found`, `not_shown`, `not_text`, `usage_error`. */
export const readFile = (files: Files): Tool => ({
  name: 'read_file',
  async run(input, call) {
    const words = FILE_WORDS[call.locale]
    const fields = fieldsOf(input)
    const name = fileNameIn(fields)
    if (name === null) return failure('usage_error', words.name('read_file'))
    const from = numberIn(fields, 'offset', 0, 0)
    const limit = numberIn(fields, 'limit', 1, Number.MAX_SAFE_INTEGER)
    if (from === null || limit === null) return failure('usage_error', words.range)
    const file = valueOrThrow(await files.open(call, name))
    if (file === null) {
      const known = valueOrThrow(await files.list(call)).map((entry) => entry.name)
      return failure('not_found', words.notFound(name, known, call.task))
    }
    if (imageTypeOf(name) !== null) return showImage(file, words)
    const content = await textOf(file)
    if (content === null) return failure('not_text', words.notText(file.entry))
    return showContent({ name, content }, { from, limit, room: call.settings.observation_char_limit }, words)
  },
})

/** Answers the size of an image, and a reference to it. The shell loads its bytes when the model is asked next. */
async function showImage({ entry, body }: OpenFile, words: FileWords): Promise<ToolResult> {
  const { name, bytes } = entry
  if (bytes > IMAGE_BYTES_MAX) {
    await body.cancel()
    return failure('not_shown', words.imageTooLarge(entry))
  }
  const content = await chunkBody(body, IMAGE_BYTES_MAX).next()
  const read = readImageHeader(name, content)
  if (!read.ok) return failure('not_shown', words.notAnImage(name))
  const image = { name, ...read.header, bytes, digest: toHex(await sha256(content)) }
  return { ...success('image_read', words.image(image)), images: [image] }
}

/** Reads the file if it is a text short enough to be shown; any other file is not read. */
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

/** The most characters of the line above a part, and the fewest that are shown of a file, however short observations are cut. */
const LINE_CHARS_MAX = 260
const SHOWN_CHARS_MIN = 50

/** Shows as much as an observation holds, so that the next read starts where the model has stopped reading. */
function showContent(
  { name, content }: { name: string; content: string },
  { from, limit, room }: { from: number; limit: number; room: number },
  words: FileWords,
): ToolResult {
  if (from === 0 && content.length <= Math.min(limit, room)) {
    return success('file_read', content === '' ? words.empty(name) : content)
  }
  const chars = Array.from(content)
  const { length } = chars
  if (from >= length) return failure('usage_error', words.behind({ name, from, to: from, length }))
  const most = Math.max(SHOWN_CHARS_MIN, room - LINE_CHARS_MAX)
  const wanted = chars.slice(from, Math.min(from + limit, from + most))
  // A character outside the basic plane counts twice where observations are cut.
  while (wanted.join('').length > most) wanted.length = Math.floor(wanted.length / 2)
  const part = { name, from, to: from + wanted.length, length }
  return success('file_read', `${words.part(part)}\n${wanted.join('')}`)
}

/** Codes: `file_written`; the reason why it was not written, or `usage_error`. */
export const writeFile = (files: Files): Tool => ({
  name: 'write_file',
  async run(input, call) {
    const words = FILE_WORDS[call.locale]
    const wanted = parseFileWrite(input)
    if (!wanted.ok) return failure('usage_error', wanted.invalid === 'name' ? words.name('write_file') : words.content)
    const { name, content } = wanted
    const bytes = utf8Bytes(content)
    // A fork writes the file again from its row, so the content must fit into a row.
    if (bytes > FILE_BYTES_MAX) return failure('file_too_large', words.textTooLarge(bytes))
    const written = valueOrThrow(await files.write(call, { name, seq: seqOf(call.key), content }))
    return written === 'written' ? success('file_written', words.written(name, bytes)) : notWritten(written, words)
  },
})

/** The result of a tool whose file was not written. */
export const notWritten = (why: Exclude<FileWriteOutcome, 'written'>, words: FileWords): ToolResult =>
  failure(why, words[why])

/** Code: `file_list`; the input is ignored. */
export const listFiles = (files: Files): Tool => ({
  name: 'list_files',
  async run(_input, call) {
    const words = FILE_WORDS[call.locale]
    const listed = valueOrThrow(await files.list(call))
    return success('file_list', listed.length === 0 ? words.none : listed.map(words.entry).join('\n'))
  },
})

/** A refusal says that the task is deleted or has moved on. No one waits for the result then, so this throws. */
export function valueOrThrow<T>(answer: Result<T>): T {
  if (!answer.ok) throw new Error(answer.refusal.code)
  return answer.value
}

/** An effect key is `task:seq` (P4). */
export const seqOf = (key: string): number => Number(key.slice(key.lastIndexOf(':') + 1))
