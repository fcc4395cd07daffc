/**
 * Keeps the records of an .xls workbook (BIFF8, Excel 97 and later) that hold values. All other records are marked to be skipped, and formulas
 * keep only their results. SheetJS always reads formulas, and it does not check where a record ends, so a record that is too short for its counts
 * would keep it reading for ever. Every count is therefore checked here first.
 */

const [BOF, CONTINUE, FORMULA, SHARED_TEXTS] = [0x0809, 0x003c, 0x0006, 0x00fc]
const BIFF8 = 0x0600
/** The kept records, each with the shortest length that holds everything that is read of it. */
const LENGTHS = new Map([
  // Around the cells: begin, end, sheet, codepage, epoch, password, number format, style, rectangle.
  ...([
    [BOF, 8],
    [0x000a, 0],
    [0x0085, 8],
    [0x0042, 2],
    [0x0022, 2],
    [0x002f, 2],
    [0x041e, 5],
    [0x00e0, 20],
    [0x0200, 14],
  ] as const),
  // Cells: blank, blanks, number, text, boolean or error, short number, short numbers, shared text, formatted text, text of a formula.
  ...([
    [0x0201, 6],
    [0x00be, 6],
    [0x0203, 14],
    [0x0204, 9],
    [0x0205, 8],
    [0x027e, 10],
    [0x00bd, 12],
    [0x00fd, 10],
    [0x00d6, 9],
    [0x0207, 3],
  ] as const),
  ...([
    [FORMULA, 22],
    [SHARED_TEXTS, 8],
    [CONTINUE, 0],
  ] as const),
])
/** In a formula the place, the format and the result come first. */
const RESULT_END = 14
/** A record type that readers know and skip. */
const PASSED_OVER = 0x0890
/** The most parts of one text table. Excel fills a part to 8 KB before it starts the next, and each part is searched at each character. */
const PARTS_MAX = 2_000

const [SHEET, NUMBERS, BLANKS] = [0x0085, 0x00bd, 0x00be]
/** The records that hold one cell each. */
const CELLS = new Set([FORMULA, 0x0201, 0x0203, 0x0204, 0x0205, 0x027e, 0x00fd, 0x00d6])

/** Counts the sheets and the cells, empty ones included, of a stream after `keepValues`. */
export function countValues(stream: Uint8Array): { cells: number; sheets: number } {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  const counted = { cells: 0, sheets: 0 }
  for (let at = 0; at + 4 <= stream.length;) {
    const [kind, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
    if (kind === SHEET) counted.sheets += 1
    else if (CELLS.has(kind)) counted.cells += 1
    else if (kind === NUMBERS) counted.cells += Math.ceil(length / 6)
    else if (kind === BLANKS) counted.cells += Math.ceil(length / 2)
    at += 4 + length
  }
  return counted
}

/** Works in place, because records are found by their position. false: the stream is damaged, or of an earlier version. */
export function keepValues(stream: Uint8Array): boolean {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  let parts = 0
  for (let at = 0; at + 4 <= stream.length;) {
    const kind = view.getUint16(at, true)
    const length = view.getUint16(at + 2, true)
    const end = at + 4 + length
    if (end > stream.length) break
    if (kind === BOF && (length < 8 || view.getUint16(at + 4, true) !== BIFF8)) return false
    if (kind === CONTINUE && ++parts > PARTS_MAX) return false
    if (kind === SHARED_TEXTS && !areWhole(partsFrom(stream, view, at))) return false
    if (kind === FORMULA) stream.fill(0, at + 4 + RESULT_END, end)
    if (length < (LENGTHS.get(kind) ?? Number.POSITIVE_INFINITY)) view.setUint16(at, PASSED_OVER, true)
    at = end
  }
  return true
}

/** A record and the parts that continue it. */
function partsFrom(stream: Uint8Array, view: DataView, start: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let at = start; at + 4 <= stream.length;) {
    if (at !== start && view.getUint16(at, true) !== CONTINUE) break
    const end = at + 4 + view.getUint16(at + 2, true)
    parts.push(stream.subarray(at + 4, end))
    at = end
  }
  return parts
}

const [WIDE, EXTENDED, RICH] = [1, 4, 8]

/**
 * Whether each shared text ends before the record does. It is read as SheetJS reads it: at the start of a part, a byte says how wide the
 * characters are.
 */
function areWhole(parts: readonly Uint8Array[]): boolean {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  const begins = new Set<number>()
  let size = 0
  for (const part of parts) {
    begins.add(size)
    bytes.set(part, size)
    size += part.length
  }
  const view = new DataView(bytes.buffer)
  if (bytes.length < 8) return false
  let at = 8
  for (let left = view.getUint32(4, true); left > 0 && at < bytes.length; left--) {
    if (at + 3 > bytes.length) return false
    const [count, flags] = [view.getUint16(at, true), bytes[at + 2] ?? 0]
    at += 3
    const [runs, extra] = [(flags & RICH) === 0 ? 0 : 2, (flags & EXTENDED) === 0 ? 0 : 4]
    if (at + runs + extra > bytes.length) return false
    const behind = (runs === 0 ? 0 : view.getUint16(at, true) * 4) + (extra === 0 ? 0 : view.getUint32(at + runs, true))
    at += runs + extra
    let width = (flags & WIDE) + 1
    for (let n = 0; n < count; n++) {
      for (; begins.has(at); at++) width = bytes[at] === 0 ? 1 : 2
      at += width
    }
    at += behind
    if (at > bytes.length) return false
  }
  return true
}
