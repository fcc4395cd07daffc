/**
 * Unfolds the zip around a workbook within bounds: a few kilobytes can unfold to gigabytes, and what a zip declares is the claim of whoever
 * made it. Readers of zips differ in which claim they believe, so the one that reads the workbook gets a zip that is made here.
 */
import type * as Fflate from 'fflate'
import { joinBytes } from '../../../shell/network/chunked-body.ts'

const DIRECTORY_END = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_ENTRY = 0x04034b50
const STORED = 0
const DEFLATED = 8
/** Sizes come behind the data; those before it are 0. */
const SIZES_BEHIND = 8
/** Each may unfold to a thousand times as much before it is counted. */
const PIECE_BYTES = 4_096

interface Entry {
  method: number
  data: Uint8Array
  /** As its directory and it itself say it. */
  names: [Uint8Array, Uint8Array]
}

/** How many entries its directory says that it has; null: it is no zip. Readers take them one by one, so that empty ones cost time too. */
export function entryCount(zip: Uint8Array): number | null {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const end = endOf(view)
  return end === null ? null : view.getUint16(end + 10, true)
}

/** What it unfolds to: its parts by name, or only that they have more than `bytes_max` bytes; null: it is no zip that a workbook is. */
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
 * The parts in a zip that is made here, nothing of it compressed. A reader that gets this one has nothing else to believe: no count, size or
 * place that its maker wrote, and no compressed entry, for each of which SheetJS copies all that follows.
 */
export async function zipOf(parts: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const { zipSync } = await import('fflate')
  return zipSync(Object.fromEntries(parts), { level: 0 })
}

/** Ends soon after `bytes_max`. */
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
  return joinBytes(pieces, size)
}

/** What an .xlsx is made of; anything else makes a reader take it for a workbook of another kind, or a part for a binary one. */
const PART = /^(?:\[Content_Types\]\.xml|(?:xl|_rels|docProps)\/.+\.(?:xml|rels))$/i

/** Of these SheetJS reads some though nothing of them is in a table: what is said of the workbook, its looks, and what hangs on a sheet. */
const BESIDES = /^(?:docProps|xl\/theme|xl\/worksheets\/_rels)\//i

/** By its directory, as readers find them; throws where it leads outside, and where an entry says two sizes. */
function* entriesOf(zip: Uint8Array): Generator<Entry> {
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
    const names: Entry['names'] = [
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
