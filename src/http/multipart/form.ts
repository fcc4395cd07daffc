/** A form of several parts: its fields first, as far as its first file, and then each file while it arrives. */
import { RESULT_FILE, UPLOAD_ENDINGS, uploadBytesMax } from '../../core/terms/files/file-types.ts'
import { FILES_MAX, isFileName } from '../../core/terms/files/files.ts'
import { ok, refuse as refuseFile, type Result } from '../../core/terms/refusal.ts'
import type { SentFile, SentFiles } from '../../shell/sent-files.ts'
import { isBrokenBody, joinBytes } from '../../shell/network/chunked-body.ts'
import { pointerToken, printableName } from '../shapes/pointers.ts'
import { FILE_NAME_RULE } from '../shapes/fields.ts'
import { refuse, type HttpRefusal, type HttpResult } from '../shapes/http-refusal.ts'
import { formDigest, type FormDigest } from './digest.ts'
import { TASK_PART } from './task-part.ts'
import { boundaryOf, formError, readParts, type Part, type Parts } from './parts.ts'

const FIELDS_BYTES_MAX = 1_048_576

interface SentForm {
  /** By name. The part `task` is one of them. */
  fields: ReadonlyMap<string, string>
  files: SentFiles
}

/** Reads the fields. `prefix` is part of the digest. A form that cannot be read is refused and not read on. */
export async function readForm({ headers, body }: Request, prefix: string): Promise<HttpResult<SentForm>> {
  const boundary = boundaryOf(headers.get('content-type') ?? '')
  if (boundary === null || body === null) return refuse(broken('its content type names no boundary'))
  const parts = readParts(body, boundary)
  const digest = formDigest()
  digest.begin([prefix])
  await digest.end()
  try {
    const read = await readFields(parts, digest)
    if (!read.ok) parts.stop()
    return read.ok
      ? { ok: true, value: { fields: read.value.fields, files: filesOf(parts, digest, read.value.file) } }
      : read
  } catch (error) {
    parts.stop()
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    return refuse(refusal)
  }
}

const broken = (why: string): HttpRefusal => ({ code: 'unreadable_body', detail: `The form cannot be read: ${why}.` })

/** The refusal of a form that cannot be read or breaks off. null: the error is another one. */
export function refusalOf(error: unknown): HttpRefusal | null {
  const why = formError(error)
  if (why !== null) return broken(why)
  if (!isBrokenBody(error)) return null
  return { code: 'unreadable_body', detail: 'The form ended before it was complete; nothing of it is kept.' }
}

const isFile = ({ name, filename }: Part): boolean => filename !== null && name !== TASK_PART

async function readFields(
  parts: Parts,
  digest: FormDigest,
): Promise<HttpResult<{ fields: Map<string, string>; file: Part | null }>> {
  const fields = new Map<string, string>()
  let left = FIELDS_BYTES_MAX
  for (let event = await parts.next(); event !== null; event = await parts.next()) {
    if (event.kind !== 'part') continue
    const { part } = event
    if (isFile(part)) return { ok: true, value: { fields, file: part } }
    digest.begin([part.name])
    const bytes = await readField(parts, left)
    if (bytes === null) return refuse({ code: 'payload_too_large', max_bytes: FIELDS_BYTES_MAX })
    left -= bytes.byteLength
    await digest.add(bytes)
    await digest.end()
    const text = textOf(bytes)
    if (text === null) return refuseField(part, 'must be UTF-8')
    if (fields.has(part.name)) return refuseField(part, 'must be given once')
    fields.set(part.name, text)
  }
  return { ok: true, value: { fields, file: null } }
}

/** null: it is longer than `most` bytes. */
async function readField(parts: Parts, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for (let event = await parts.next(); event?.kind === 'data'; event = await parts.next()) {
    bytes += event.bytes.byteLength
    if (bytes > most) return null
    pieces.push(event.bytes)
  }
  return joinBytes(pieces)
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return null
  }
}

const calledOf = ({ number, name, filename }: Part) =>
  `part ${number}, "${printableName(name)}"${filename === null ? '' : ` (${printableName(filename)})`}`

function refuseField(part: Part, message: string) {
  const errors = [{ pointer: pointerToken(part.name), message: `${calledOf(part)} ${message}` }]
  return refuse({ code: 'validation_failed', errors })
}

const ENDINGS = `.${UPLOAD_ENDINGS.join(', .')}`

/** What is wrong with a part behind the first file, by its headers alone. */
function errorOf(part: Part, earlier: ReadonlySet<string>): string | null {
  const { name, filename } = part
  if (!isFile(part)) return `must stand before the files, as every field`
  if (filename === null || !isFileName(filename)) return `must have as its filename ${FILE_NAME_RULE}`
  if (uploadBytesMax(filename) === null) return `must have a filename that ends with ${ENDINGS}`
  if (filename === RESULT_FILE) return 'has a filename that the task keeps for itself: take another one'
  return earlier.has(filename) ? `has the filename of an earlier part; "${name}" needs another one` : null
}

function filesOf(parts: Parts, digest: FormDigest, first: Part | null): SentFiles {
  const names = new Set<string>()
  let next = first
  const nextPart = async (): Promise<Part | null> => {
    for (let event = await parts.next(); event !== null; event = await parts.next())
      if (event.kind === 'part') return event.part
    return null
  }
  return {
    async next(): Promise<Result<SentFile | null>> {
      const part = next ?? (first === null ? null : await nextPart())
      next = null
      if (part === null) return ok(null)
      const called = calledOf(part)
      const error = errorOf(part, names)
      if (error !== null)
        return refuseFile({
          code: 'validation_failed',
          errors: [{ pointer: pointerToken(part.name), message: `${called} ${error}` }],
        })
      const name = part.filename ?? ''
      if (names.size >= FILES_MAX) return refuseFile({ code: 'too_many_files', part: called })
      names.add(name)
      digest.begin([part.name, name])
      const body = bodyOf(parts, digest)
      return ok({ name, body, bytes_max: uploadBytesMax(name) ?? 0, part: called, pointer: pointerToken(part.name) })
    },
    digest: () => digest.whole(),
    stop: () => parts.stop(),
  }
}

/** The bytes of the part under way, read on demand. */
const bodyOf = (parts: Parts, digest: FormDigest): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const event = await parts.next()
        if (event?.kind !== 'data') {
          await digest.end()
          return controller.close()
        }
        await digest.add(event.bytes)
        controller.enqueue(event.bytes)
      },
    },
    { highWaterMark: 0 },
  )
