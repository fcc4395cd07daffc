/**
 * The records of an .xls workbook that hold values; all others are made ones that are passed over, and formulas lose all but their results.
 * SheetJS reads the formulas of a binary workbook whether asked to or not, and a damaged one keeps it reading for ever.
 */

const KEPT: ReadonlySet<number> = new Set([
  ...[0x0809, 0x000a, 0x0085, 0x00fc, 0x003c, 0x0042, 0x0022, 0x002f, 0x041e, 0x00e0],
  // Cells, and what they look like: whole numbers, fractions, texts, truths, errors, blanks, results that are texts.
  ...[0x0200, 0x0201, 0x00be, 0x0203, 0x0204, 0x0205, 0x027e, 0x00bd, 0x00fd, 0x00d6, 0x0207],
])
const FORMULA = 0x0006
/** Place, format and result come first. */
const RESULT_END = 14
/** Known, and of no meaning for values. */
const PASSED_OVER = 0x0890

/** In place: records are found by where they stand. */
export function keepValues(stream: Uint8Array): void {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  for (let at = 0; at + 4 <= stream.length;) {
    const kind = view.getUint16(at, true)
    const end = at + 4 + view.getUint16(at + 2, true)
    if (kind === FORMULA) stream.fill(0, at + 4 + RESULT_END, end)
    else if (!KEPT.has(kind)) view.setUint16(at, PASSED_OVER, true)
    at = end
  }
}
