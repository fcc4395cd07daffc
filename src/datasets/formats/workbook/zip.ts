/**
 * Unpacks the zip of a workbook within bounds: a few kilobytes can unpack to gigabytes, and the sizes that a zip declares cannot be trusted.
 * Readers of zips differ in which size they believe, so SheetJS gets a zip that is made here.
 */
import type * as Fflate from 'fflate'
import { joinBytes } from '../../../shell/network/chunked-body.ts'

const DIRECTORY_END = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_ENTRY = 0x04034b50
const STORED = 0
const DEFLATED = 8
/** A flag: the sizes stand behind the data, and those before it are 0. */
const SIZES_BEHIND = 8
/** The size of one piece. It may unpack to a thousand times as much before that is counted. */
const PIECE_BYTES = 4_096

interface ZipEntry {
  method: number
  data: Uint8Array
  /** The name in the directory, and the name in the entry itself. */
  names: [Uint8Array, Uint8Array]
}

/** The number of entries by the directory; null: it is no zip. Readers process entries one by one, so empty ones cost time too. */
export function entryCount(zip: Uint8Array): number | null {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const end = endOf(view)
  return end === null ? null : view.getUint16(end + 10, true)
}

/** Unpacks the parts by name, or says that they have more than `bytes_max` bytes. null: it is no zip of a workbook. */
export async function unzip(zip: Uint8Array, bytes_max: number): Promise<UnzippedParts | null> {
  const { Inflate } = await import('fflate')
  const parts = new Map<string, Uint8Array>()
  try {
    let left = bytes_max
    for (const { method, data, names } of entriesOf(zip)) {
      const part = method === STORED ? data : inflate(Inflate, data, left)
      left -= part.length
      if (left < 0) return { kind: 'too_large' }
      const [name, other] = names.map((bytes) => new TextDecoder().decode(bytes))
      if (name === undefined || name !== other) return null
      if (PART.test(name) && !BESIDES.test(name)) parts.set(name, part)
    }
    return { kind: 'parts', parts }
  } catch {
    return null
  }
}
type UnzippedParts = { kind: 'parts'; parts: ReadonlyMap<string, Uint8Array> } | { kind: 'too_large' }

/**
 * Packs the parts into a new zip without compression. It holds no count, size or place that its author wrote, and no compressed entry, for each
 * of which SheetJS would copy all that follows.
 */
export async function zipOf(parts: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const { zipSync } = await import('fflate')
  return zipSync(Object.fromEntries(parts), { level: 0 })
}

/** Stops soon after `bytes_max`. */
function inflate(Inflate: typeof Fflate.Inflate, data: Uint8Array, bytes_max: number): Uint8Array {
  const pieces: Uint8Array[] = []
  let size = 0
  const inflate = new Inflate((piece) => {
    pieces.push(piece)
    size += piece.length
  })
  for (let at = 0; at < data.length; at += PIECE_BYTES) {
    inflate.push(data.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= data.length)
    if (size > bytes_max) break
  }
  return joinBytes(pieces)
}

/** The names of the parts of an .xlsx. Other names could make a reader take the file for another kind of workbook, or a part for a binary one. */
const PART = /^(?:\[Content_Types\]\.xml|(?:xl|_rels|docProps)\/.+\.(?:xml|rels))$/i

/** Parts that hold nothing of a table: properties, looks, and links of sheets. SheetJS would read some of them. */
const BESIDES = /^(?:docProps|xl\/theme|xl\/worksheets\/_rels)\//i

/** Lists the entries by the directory, as readers do. It throws where the directory leads outside, and where an entry declares two sizes. */
function* entriesOf(zip: Uint8Array): Generator<ZipEntry> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const end = endOf(view)
  if (end === null) throw new Error('no directory')
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) throw new Error('no entry')
    const size = view.getUint32(at + 20, true)
    const local = view.getUint32(at + 42, true)
    if (view.getUint32(local, true) !== LOCAL_ENTRY) throw new Error('no local entry')
    const behind = (view.getUint16(local + 6, true) & SIZES_BEHIND) !== 0
    const method = view.getUint16(local + 8, true)
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    const fits = start + size <= zip.length && (behind || view.getUint32(local + 18, true) === size)
    if (!fits || method !== view.getUint16(at + 10, true) || (method !== STORED && method !== DEFLATED)) {
      throw new Error('an entry of another kind')
    }
    const named = at + 46 + view.getUint16(at + 28, true)
    const names: ZipEntry['names'] = [
      zip.subarray(at + 46, named),
      zip.subarray(local + 30, local + 30 + view.getUint16(local + 26, true)),
    ]
    yield { method, data: zip.subarray(start, start + size), names }
    at = named + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
}

function endOf(view: DataView): number | null {
  for (let at = view.byteLength - 22; at >= 0; at--) if (view.getUint32(at, true) === DIRECTORY_END) return at
  return null
}
