/** Images of each type as small as their headers allow. Only the header is read here, so nothing is drawn in them. */
const ascii = (text: string): number[] => Array.from(text, (char) => char.charCodeAt(0))
const bytesOf = (value: number, count: number, isLittle = false): number[] => {
  const bytes = Array.from({ length: count }, (_, index) => Math.floor(value / 256 ** index) % 256)
  return isLittle ? bytes : bytes.toReversed()
}
const made = (...parts: number[][]): Uint8Array<ArrayBuffer> => Uint8Array.from(parts.flat())

export const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** `mark` tells images of one size apart. */
export const png = (width = 640, height = 480, mark = 0) =>
  made(
    PNG_SIGNATURE,
    bytesOf(13, 4),
    ascii('IHDR'),
    bytesOf(width, 4),
    bytesOf(height, 4),
    [8, 6, 0, 0, 0],
    bytesOf(mark, 4),
  )

export const gif = (width = 640, height = 480, version = 'GIF89a') =>
  made(ascii(version), bytesOf(width, 2, true), bytesOf(height, 2, true), [0x80, 0, 0])

/** `before` is what stands between the start and the frame: a photograph has long segments there. */
export const jpeg = (width = 640, height = 480, before: number[] = segment(0xe1, 20), frame = 0xc0) =>
  made([0xff, 0xd8], before, [0xff, frame], bytesOf(17, 2), [8], bytesOf(height, 2), bytesOf(width, 2), [3, 1, 0x22, 0])

/** A segment of a JPEG with so many bytes of data. */
export const segment = (marker: number, bytes: number): number[] => [
  0xff,
  marker,
  ...bytesOf(bytes + 2, 2),
  ...Array.from({ length: bytes }, () => 0),
]

const riff = (...chunk: number[][]) => made(ascii('RIFF'), bytesOf(100, 4, true), ascii('WEBP'), ...chunk)

/** A WebP with one of its three kinds of a first chunk. */
export function webp(width = 640, height = 480, kind: 'VP8 ' | 'VP8L' | 'VP8X' = 'VP8X') {
  const rest = Array.from({ length: 10 }, () => 0)
  const head = [ascii(kind), bytesOf(10, 4, true)]
  if (kind === 'VP8X')
    return riff(...head, [0, 0, 0, 0], bytesOf(width - 1, 3, true), bytesOf(height - 1, 3, true), rest)
  if (kind === 'VP8L') return riff(...head, [0x2f], bytesOf(width - 1 + (height - 1) * 0x40_00, 4, true), rest)
  return riff(...head, [0, 0, 0, 0x9d, 0x01, 0x2a], bytesOf(width, 2, true), bytesOf(height, 2, true), rest)
}

export const PICTURES = { png, gif, jpg: jpeg, jpeg, webp } satisfies Record<
  string,
  (width?: number, height?: number) => Uint8Array<ArrayBuffer>
>

/** The other way than the service takes, so that a mistake of it is noticed. */
export const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
