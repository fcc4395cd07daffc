/**
 * How large the streams of a PDF are when they are unpacked. The reader of PDFs unpacks them whole and has no bound of its own, so a file of a
 * few kilobytes could fill the memory.
 */
import { Unzlib } from 'fflate'

const STREAM = new TextEncoder().encode('stream')
const PIECE_BYTES = 65_536

/** Whether all streams together unpack to more than `bytes_max`. Streams within streams count too. */
export function unpacksTo(bytes: Uint8Array, bytes_max: number): boolean {
  let left = bytes_max
  for (let at = indexOf(bytes, STREAM, 0); at !== -1; at = indexOf(bytes, STREAM, at + STREAM.length)) {
    const start = lineEnd(bytes, at + STREAM.length)
    if (!isPacked(bytes, start)) continue
    left -= sizeOf(bytes, start, left, 0)
    if (left < 0) return true
  }
  return false
}

/** The position behind the end of the line, where the data of a stream begins. */
const lineEnd = (bytes: Uint8Array, at: number) =>
  at + (bytes[at] === 13 ? 1 : 0) + (bytes[at + Number(bytes[at] === 13)] === 10 ? 1 : 0)

/** Whether data begins like what zlib writes. */
const isPacked = (bytes: Uint8Array, at: number) =>
  ((bytes[at] ?? 0) & 0x0f) === 8 && (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) % 31 === 0

/** A stream may be packed several times; no honest file does it more often than this. */
const LEVELS_MAX = 3

/** The unpacked size of the data at a position, at least as far as it exceeds `bytes_max`. What is damaged ends there. */
function sizeOf(bytes: Uint8Array, start: number, bytes_max: number, level: number): number {
  let size = 0
  let inner: ReturnType<typeof newInflater> | null = null
  const outer = newInflater((chunk) => {
    if (size === 0 && level < LEVELS_MAX && isPacked(chunk, 0))
      inner = newInflater((more) => void (size += more.length))
    size += chunk.length
    inner?.push(chunk)
  })
  for (let at = start; at < bytes.length; at += PIECE_BYTES) {
    outer.push(bytes.subarray(at, at + PIECE_BYTES))
    if (size > bytes_max || !outer.isOpen()) break
  }
  return size
}

function newInflater(onChunk: (chunk: Uint8Array) => void) {
  let is_open = true
  const stream = new Unzlib((chunk, is_final) => {
    if (is_final) is_open = false
    onChunk(chunk)
  })
  return {
    isOpen: () => is_open,
    push(chunk: Uint8Array) {
      if (!is_open) return
      try {
        stream.push(chunk)
      } catch {
        is_open = false
      }
    },
  }
}

function indexOf(bytes: Uint8Array, what: Uint8Array, from: number): number {
  const [first = 0] = what
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1))
    if (what.every((byte, index) => bytes[at + index] === byte)) return at
  return -1
}
