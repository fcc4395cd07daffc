/**
 * What a zip really unfolds to, found out before anything is made of it: a few kilobytes can unfold to gigabytes, and the sizes that a zip
 * declares are the claim of whoever made it. Nothing of it is kept here.
 */
import type * as Fflate from 'fflate'

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

/** In bytes, or more than `bytes_max` if it is more; null: it is no zip that a workbook is. */
export async function unfoldsTo(zip: Uint8Array, bytes_max: number): Promise<number | null> {
  const { Inflate } = await import('fflate')
  try {
    let total = 0
    for (const { method, data } of entriesOf(zip)) {
      total += method === STORED ? data.length : inflatedSize(Inflate, data, bytes_max - total)
      if (total > bytes_max) break
    }
    return total
  } catch {
    return null
  }
}

function inflatedSize(Inflate: typeof Fflate.Inflate, data: Uint8Array, bytes_max: number): number {
  const counted = { bytes: 0 }
  const inflate = new Inflate((piece) => (counted.bytes += piece.length))
  for (let at = 0; at < data.length; at += PIECE_BYTES) {
    inflate.push(data.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= data.length)
    if (counted.bytes > bytes_max) break
  }
  return counted.bytes
}

/** By its directory, as readers find them; throws where it leads outside, and where an entry says two sizes. */
function* entriesOf(zip: Uint8Array): Generator<Entry> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const end = endOf(view)
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

/** What an .xlsx is made of; anything else makes a reader take it for a workbook of another kind, or a part for a binary one. */
const PART = /^(?:\[Content_Types\]\.xml|(?:xl|_rels|docProps)\/.+\.(?:xml|rels))$/i

/** Hides all other entries, in place. Throws as `unfoldsTo` answers null. */
export function keepParts(zip: Uint8Array): void {
  for (const { names } of entriesOf(zip)) {
    const known = names.map((name) => new TextDecoder().decode(name))
    if (known[0] !== known[1]) throw new Error('an entry of two names')
    if (!PART.test(known[0] ?? '')) for (const name of names) name.fill(HIDDEN)
  }
}
const HIDDEN = '_'.charCodeAt(0)

function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0; at--) if (view.getUint32(at, true) === DIRECTORY_END) return at
  throw new Error('no directory')
}
