/**
 * The tags in the parts of an .xlsx, looked at before SheetJS makes anything of them: how many cells and sheets there are, whatever the
 * workbook says of itself, and no links of cells, for SheetJS makes a cell of each place that a link covers, up to seventeen billion.
 */
export interface WorkbookCounts {
  cells: number
  sheets: number
}

const [OPENING, COLON, SLASH, CLOSING, SPACE] = [0x3c, 0x3a, 0x2f, 0x3e, 0x20]
const HIDDEN = 0x5f
/** A name as one number, of a byte for each letter. */
const codeOf = (name: string) => [...name].reduce((code, letter) => code * 256 + letter.charCodeAt(0), 0)
const [CELL, SHEET, LINK] = [codeOf('c'), codeOf('sheet'), codeOf('erlink')]
/** Of a longer name the last six letters are kept; no other tag of a workbook ends like that of a link. */
const KEPT = 2 ** 40

/** In place. What stands before a colon is a prefix of the name; NUL is half of a character of UTF-16. */
export function tameTags(part: Uint8Array, tally: WorkbookCounts): void {
  let code = -1
  for (let at = 0; at < part.length; at++) {
    const byte = part[at] ?? 0
    if (byte === OPENING) code = 0
    else if (code === -1 || byte === 0) continue
    else if (byte === COLON) code = 0
    else if (byte > SPACE && byte !== SLASH && byte !== CLOSING) code = (code % KEPT) * 256 + byte
    else {
      if (code === CELL) tally.cells += 1
      else if (code === SHEET) tally.sheets += 1
      else if (code === LINK) part[lastBefore(part, at)] = HIDDEN
      code = -1
    }
  }
}

function lastBefore(part: Uint8Array, end: number): number {
  let at = end - 1
  while (at > 0 && part[at] === 0) at -= 1
  return at
}
