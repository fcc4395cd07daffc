/**
 * The parts of a form of several parts (RFC 7578), one piece after the other as they are asked for. At most one chunk of the body is held at a
 * time, so the time and the memory are bounded by what its reader takes.
 */
import { make, type PartInfo } from 'multipasta'
import { brokenBody, joinBytes } from '../../shell/network/chunked-body.ts'

export interface Part {
  /** From 1 on. */
  number: number
  name: string
  /** null: it is a field. */
  filename: string | null
}
type PartEvent = { kind: 'part'; part: Part } | { kind: 'data'; bytes: Uint8Array } | { kind: 'end' }

export interface Parts {
  /** null: the form is over. Rejects for a form that cannot be read, and for one that breaks off. */
  next(): Promise<PartEvent | null>
  /** Stops reading. Not awaited: a sender that goes on must not delay the caller. */
  stop(): void
}

const BROKEN = 'FormBroken'
function brokenForm(why: string): Error {
  const error = new Error(why)
  error.name = BROKEN
  return error
}
/** Why a form cannot be read. null: the error is another one. */
export const formError = (error: unknown): string | null =>
  error instanceof Error && error.name === BROKEN ? error.message : null

/** The most files and fields of one form. */
const PARTS_MAX = 200
/** The most bytes before the first part. */
const PREAMBLE_BYTES_MAX = 65_536
/** As RFC 2046 says. */
const BOUNDARY = /;\s*boundary=(?:"([^"\\]{1,70})"|([^\s";,]{1,70})(?![^\s;]))/i

/** null: the content type names no boundary. */
export function boundaryOf(content_type: string): string | null {
  const found = BOUNDARY.exec(content_type)
  return found?.[1] ?? found?.[2] ?? null
}

export function readParts(body: ReadableStream<Uint8Array>, boundary: string): Parts {
  const reader = body.getReader()
  const events: PartEvent[] = []
  let [number, bytes, is_over] = [0, 0, false]
  const parser = make({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    isFile: () => true,
    maxParts: PARTS_MAX,
    onField: () => undefined,
    onFile(info) {
      number += 1
      events.push({ kind: 'part', part: partOf(info, number) })
      return (chunk) => void (is_over || events.push(chunk === null ? { kind: 'end' } : { kind: 'data', bytes: chunk }))
    },
    onError(error) {
      if (!is_over) throw brokenForm(wordsOf(error, number + 1))
    },
    onDone: () => void (is_over = true),
  })
  const feed = (piece: Uint8Array) => {
    try {
      parser.write(piece)
    } catch (error) {
      // A name that is badly encoded makes the library throw.
      throw formError(error) === null ? brokenForm(`the headers of part ${number + 1} cannot be read`) : error
    }
  }
  const ending = new TextEncoder().encode(`\r\n--${boundary}--`)
  let held = new Uint8Array()
  /** Reads one chunk more. The library does not find an ending that two chunks share, so its beginning waits for the next chunk. */
  const read = async (): Promise<void> => {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw brokenBody(cause)
    })
    bytes += value?.byteLength ?? 0
    const piece = value === undefined ? held : joinBytes([held, value])
    const cut = done ? piece.byteLength : piece.byteLength - begunIn(piece, ending)
    held = piece.slice(cut)
    if (cut > 0) feed(piece.subarray(0, cut))
    if (done && !is_over) throw brokenBody()
    if (number === 0 && bytes > PREAMBLE_BYTES_MAX) throw brokenForm('its first part does not begin')
  }
  return {
    async next() {
      for (;;) {
        const event = events.shift()
        if (event !== undefined) return event
        if (is_over) return null
        await read()
      }
    },
    stop: () => void reader.cancel().catch(() => undefined),
  }
}

const CR = 0x0d

/** How many bytes at the end of the piece are the beginning of the ending. Only its first byte is a CR. */
function begunIn(piece: Uint8Array, ending: Uint8Array): number {
  const from = Math.max(0, piece.byteLength - ending.byteLength + 1)
  const at = piece.lastIndexOf(CR)
  if (at < from) return 0
  const tail = piece.subarray(at)
  return tail.every((byte, index) => byte === ending[index]) ? tail.byteLength : 0
}

function partOf({ name, filename, headers }: PartInfo, number: number): Part {
  if (name === '') throw brokenForm(`part ${number} has no content-disposition that names it in ASCII`)
  const encoding = headers['content-transfer-encoding'] ?? 'binary'
  if (typeof encoding !== 'string' || !['binary', '8bit', '7bit'].includes(encoding.toLowerCase()))
    throw brokenForm(`part ${number} must not be encoded: send its bytes as they are`)
  return { number, name, filename: filename ?? null }
}

type ParseError = Parameters<Parameters<typeof make>[0]['onError']>[0]

function wordsOf(error: ParseError, number: number): string {
  if ('limit' in error) return `it has more than ${PARTS_MAX} parts`
  return 'error' in error ? `the headers of part ${number} cannot be read` : `part ${number} has no name`
}
