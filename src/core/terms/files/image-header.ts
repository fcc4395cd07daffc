/**
 * Reads what the beginning of an image says: its type by its signature, and its width and height. Each reader goes forward only, and at
 * most once through the bytes.
 */
import { IMAGE_SIDE_MAX, imageTypeOf, type ImageType } from './images.ts'

interface Size {
  width: number
  height: number
}
interface ImageHeader extends Size {
  media_type: ImageType
}
/** What is wrong with an image. `found`: the type that the bytes have. null: they are no image that models are shown. */
type HeaderError =
  | { kind: 'other_type'; wanted: ImageType; found: ImageType | null }
  | { kind: 'no_size' }
  | ({ kind: 'size' } & Size)

/** The header of an image whose name has the ending of one. */
export function readImageHeader(
  name: string,
  bytes: Uint8Array,
): { ok: true; header: ImageHeader } | { ok: false; error: HeaderError } {
  const wanted = imageTypeOf(name)
  if (wanted === null) throw new Error('the name is not that of an image')
  const media_type = signatureOf(bytes)
  if (media_type !== wanted) return { ok: false, error: { kind: 'other_type', wanted, found: media_type } }
  const size = sizeOf(media_type, bytes)
  if (size === null) return { ok: false, error: { kind: 'no_size' } }
  const { width, height } = size
  const isShown = Math.min(width, height) >= 1 && Math.max(width, height) <= IMAGE_SIDE_MAX
  return isShown ? { ok: true, header: { media_type, width, height } } : { ok: false, error: { kind: 'size', ...size } }
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]
const ascii = (text: string): number[] => Array.from(text, (char) => char.charCodeAt(0))

const startsAt = (bytes: Uint8Array, at: number, expected: readonly number[]): boolean =>
  expected.every((byte, index) => bytes[at + index] === byte)

function signatureOf(bytes: Uint8Array): ImageType | null {
  if (startsAt(bytes, 0, PNG)) return 'image/png'
  if (startsAt(bytes, 0, JPEG)) return 'image/jpeg'
  if (startsAt(bytes, 0, ascii('GIF87a')) || startsAt(bytes, 0, ascii('GIF89a'))) return 'image/gif'
  return startsAt(bytes, 0, ascii('RIFF')) && startsAt(bytes, 8, ascii('WEBP')) ? 'image/webp' : null
}

/** null: the header ends before the size, or does not have one. */
function sizeOf(type: ImageType, bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (type) {
    case 'image/png':
      return startsAt(bytes, 12, ascii('IHDR')) && bytes.length >= 24
        ? { width: view.getUint32(16), height: view.getUint32(20) }
        : null
    case 'image/gif':
      return bytes.length >= 10 ? { width: view.getUint16(6, true), height: view.getUint16(8, true) } : null
    case 'image/webp':
      return webpSize(bytes, view)
    case 'image/jpeg':
      return jpegSize(bytes, view)
  }
}

/** A WebP has one of three first chunks: with loss, without loss, or extended. */
function webpSize(bytes: Uint8Array, view: DataView): Size | null {
  if (bytes.length < 30) return null
  if (startsAt(bytes, 12, ascii('VP8X'))) {
    const side = (at: number) => 1 + view.getUint16(at, true) + 0x1_00_00 * view.getUint8(at + 2)
    return { width: side(24), height: side(27) }
  }
  if (startsAt(bytes, 12, ascii('VP8L')) && bytes[20] === 0x2f) {
    const sides = view.getUint32(21, true)
    return { width: 1 + (sides & 0x3f_ff), height: 1 + ((sides >>> 14) & 0x3f_ff) }
  }
  const isLossy = startsAt(bytes, 12, ascii('VP8 ')) && startsAt(bytes, 23, [0x9d, 0x01, 0x2a])
  return isLossy ? { width: view.getUint16(26, true) & 0x3f_ff, height: view.getUint16(28, true) & 0x3f_ff } : null
}

/** These markers of the range of frame headers are tables. */
const NO_FRAME: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc])
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.has(marker)
const FILL = 0xff
const SCAN = 0xda

/** The size of a JPEG stands in its frame header. Photographs have long segments before it. */
function jpegSize(bytes: Uint8Array, view: DataView): Size | null {
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== FILL) return null
    const marker = view.getUint8(at + 1)
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    if (marker === SCAN) return null
    // The length of a segment includes its own two bytes. A shorter one would not go forward.
    const length = view.getUint16(at + 2)
    if (marker !== FILL && length < 2) return null
    at += marker === FILL ? 1 : 2 + length
  }
  return null
}
