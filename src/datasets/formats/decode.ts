/**
 * Decodes the text of a file while it is read. Most files that are not UTF-8 come from older spreadsheets: Chinese ones in GB18030, Western ones
 * in Windows-1252. The first stretch that is not ASCII decides which it is, because before it all three are the same.
 */
import { fail, type DatasetNote, type DatasetResult } from '../table.ts'

type Bytes = Uint8Array
/** Takes a piece of the text. false: it wants no more. */
type Push = (text: string) => boolean

/** The number of bytes that decide the encoding. */
const PROBE_BYTES = 65_536
const NOTHING = new Uint8Array()

/** Passes on well-formed text without a byte order mark and without NUL. Rejects when the body breaks off. */
export async function decode(body: ReadableStream<Bytes>, push: Push): Promise<DatasetResult<DatasetNote[]>> {
  const reader = body.getReader()
  const decoding = newDecoding()
  for (let first = true; ;) {
    const { done, value } = await reader.read()
    const text = decoding.take(value ?? NOTHING, done)
    const binary = text.includes('\0') || (first && text !== '' && isRubbish(text))
    if (text !== '') first = false
    if (binary || (text !== '' && !push(text))) {
      await reader.cancel()
      return binary ? fail({ kind: 'binary' }) : { ok: true, value: decoding.notes() }
    }
    if (done) return { ok: true, value: decoding.notes() }
  }
}

function newDecoding() {
  let decoder: TextDecoder | null = null
  let waiting: Bytes = NOTHING
  let begun = false
  let unreadable = 0
  const decoded = (bytes: Bytes, done: boolean): string => {
    if (decoder !== null) return decoder.decode(bytes, { stream: !done })
    waiting = concat(waiting, bytes)
    const encoding = encodingOf(waiting, !begun, done)
    if (encoding === null) return ''
    const all = waiting
    waiting = NOTHING
    begun = true
    if (encoding === 'ascii') return new TextDecoder().decode(all)
    decoder = new TextDecoder(encoding)
    return decoder.decode(all, { stream: !done })
  }
  return {
    take(bytes: Bytes, done: boolean): string {
      const text = decoded(bytes, done)
      if (text.includes('\ufffd')) unreadable += count(text, /\ufffd/g)
      return text
    },
    notes(): DatasetNote[] {
      const encoding = decoder?.encoding ?? 'utf-8'
      const notes: DatasetNote[] = encoding === 'utf-8' ? [] : [{ kind: 'encoding', encoding }]
      return unreadable === 0 ? notes : [...notes, { kind: 'not_utf8', count: unreadable }]
    },
  }
}

function concat(one: Bytes, other: Bytes): Bytes {
  if (one.length === 0) return other
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

/** null: there are too few bytes to decide. */
function encodingOf(bytes: Bytes, first: boolean, done: boolean): string | null {
  if (first && !done && bytes.length < 3) return null
  if (first) {
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  }
  const start = firstHigh(bytes)
  if (start === -1) return 'ascii'
  if (!done && bytes.length - start < PROBE_BYTES) return null
  return guessEncoding(bytes.subarray(start, start + PROBE_BYTES))
}

/** -1: all bytes are ASCII. This is a plain loop because it reads every byte of most files. */
function firstHigh(bytes: Bytes): number {
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] ?? 0) > 0x7f) return at
  return -1
}

function guessEncoding(probe: Bytes): string {
  if (fits('utf-8', probe)) return 'utf-8'
  const text = new TextDecoder().decode(probe)
  const broken = count(text, /\ufffd/g)
  // A few bad characters do not mean another encoding.
  if (broken * 3 < count(text, /[^\0-\x7f\ufffd]/g)) return 'utf-8'
  return fits('gb18030', probe) && inPairs(probe) ? 'gb18030' : 'windows-1252'
}

function fits(encoding: string, probe: Bytes): boolean {
  try {
    // A character that is cut at the end of the probe may go on behind it.
    new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(probe, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Most Chinese characters are two high bytes; accented letters stand between plain ones. */
function inPairs(probe: Bytes): boolean {
  let high = 0
  let lone = 0
  for (let at = 0; at < probe.length; at++) {
    if ((probe[at] ?? 0) <= 0x7f) continue
    high += 1
    if ((probe[at - 1] ?? 0) <= 0x7f && (probe[at + 1] ?? 0) <= 0x7f) lone += 1
  }
  return lone * 3 < high
}

/** Whether more than one character in a hundred is a control character that no text has. */
const isRubbish = (text: string) => count(text, /[\x01-\x08\x0e-\x19\x1c-\x1f]/g) * 100 > text.length

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
