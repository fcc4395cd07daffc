/**
 * Scans the tags of the parts of an .xlsx before SheetJS reads them. It counts cells and sheets itself, because the workbook may lie about them.
 * It also hides links of cells, because SheetJS makes a cell of each place that a link covers, up to seventeen billion.
 */
export interface WorkbookSize {
  cells: number
  sheets: number
}

const [OPENING, COLON, SLASH, CLOSING, SPACE] = [0x3c, 0x3a, 0x2f, 0x3e, 0x20]
const HIDDEN = 0x5f
/** A name as one number, with one byte for each letter. */
const codeOf = (name: string) => [...name].reduce((code, letter) => code * 256 + letter.charCodeAt(0), 0)
const [CELL, SHEET, LINK] = [codeOf('c'), codeOf('sheet'), codeOf('erlink')]
/** Only the last six letters of a longer name are kept. No other tag of a workbook ends like that of a link. */
const KEPT = 2 ** 40

/** Changes the part in place. The text before a colon is a prefix of the name, and NUL is half of a UTF-16 character. */
export function tameTags(part: Uint8Array, tally: WorkbookSize): void {
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
