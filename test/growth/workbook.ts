/** Workbooks as SheetJS writes them, with a hostile text in the place of one part, or in a part. */
import * as xlsx from '@e965/xlsx'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { Shape } from './shapes.ts'

const book = xlsx.utils.book_new()
const rows = [
  ['name', 'amount'],
  ['milk', 1],
  ['eggs', 2],
]
xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), 'S')
const PARTS = unzipSync(new Uint8Array(xlsx.write(book, { type: 'array', bookType: 'xlsx', bookSST: true })))

/** `parts` are put in place of the ordinary ones, or added to them. */
export function workbookOf(parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const changed = Object.entries(parts).map(([name, text]): [string, Uint8Array] => [name, strToU8(text)])
  return zipSync({ ...PARTS, ...Object.fromEntries(changed) }, { level: 1 })
}

/** The name of a part, and what of it makes room for a text; whatever is looked for has to be there. */
function changed(name: string, place: string, put: (text: string) => string) {
  const part = PARTS[name]
  const whole = part === undefined ? '' : strFromU8(part)
  if (!whole.includes(place)) throw new Error(`${name} does not hold ${place}`)
  return (text: string) => workbookOf({ [name]: whole.replace(place, () => put(text)) })
}
const written = (text: string) => text.replace(/[<>&"]/gu, (sign) => `&#${sign.charCodeAt(0)};`)
const SHEET = 'xl/worksheets/sheet1.xml'
const SHARED = 'xl/sharedStrings.xml'
const STYLES = 'xl/styles.xml'
const BOOK = 'xl/workbook.xml'

/** Where a text can stand in a workbook: as it was written, and in the place of what is written. */
export const PLACES: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'a shared text': changed(SHARED, 'milk', written),
  'the part of shared texts': changed(SHARED, '<si>', (text) => `${text}<si>`),
  'a text of a cell': changed(
    SHEET,
    '<c r="A2" t="s"><v>2</v></c>',
    (text) => `<c r="A2" t="str"><v>${written(text)}</v></c>`,
  ),
  'a text in a cell': changed(
    SHEET,
    '<c r="A2" t="s"><v>2</v></c>',
    (text) => `<c r="A2" t="inlineStr"><is><t>${written(text)}</t></is></c>`,
  ),
  'a number of a cell': changed(SHEET, '<v>1</v>', (text) => `<v>${written(text)}</v>`),
  'a cell': changed(SHEET, '<c r="A2"', (text) => `${text}<c r="A2"`),
  'a row': changed(SHEET, '<row r="2">', (text) => `${text}<row r="2">`),
  'the end of a sheet': changed(SHEET, '</sheetData>', (text) => `</sheetData>${text}`),
  'the beginning of a sheet': changed(SHEET, '<sheetViews>', (text) => `${text}<sheetViews>`),
  'the place of a cell': changed(SHEET, 'r="A2"', (text) => `r="${written(text)}"`),
  'a style': changed(STYLES, '<fonts', (text) => `${text}<fonts`),
  'a form of numbers': changed(
    STYLES,
    '<numFmt ',
    (text) => `<numFmt numFmtId="200" formatCode="${written(text)}"/><numFmt `,
  ),
  'the list of sheets': changed(BOOK, '<sheets>', (text) => `${text}<sheets>`),
  'the end of sheets': changed(BOOK, '</sheets>', (text) => `${text}</sheets>`),
  'a name of a sheet': changed(BOOK, 'name="S"', (text) => `name="${written(text)}"`),
  'the list of parts': changed('xl/_rels/workbook.xml.rels', '<Relationship ', (text) => `${text}<Relationship `),
  'the kinds of parts': changed('[Content_Types].xml', '<Default ', (text) => `${text}<Default `),
  'what is said of a workbook': changed('docProps/app.xml', '<Application>', (text) => `${text}<Application>`),
}

const again =
  (piece: (at: number) => string): Shape =>
  (chars) => {
    let text = ''
    for (let at = 0; text.length < chars; at++) text += piece(at)
    return text
  }
/** Besides those that all readers get. */
export const MARKUP: Readonly<Record<string, Shape>> = {
  'empty cells': again(() => '<c/>'),
  'cells of a number': again(() => '<c><v>1</v></c>'),
  'cells far away': again((at) => `<c r="XFD${(at % 9_000) + 1}"><v>1</v></c>`),
  'cells that do not end': again(() => '<c r="A1">'),
  'empty rows': again(() => '<row/>'),
  'rows far away': again(() => '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
  'rows that do not end': again(() => '<row '),
  'sheet data again': again(() => '<sheetData>'),
  'cells that are merged': again(() => '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
  'merged cells that do not end': again(() => '<mergeCell '),
  columns: again(() => '<cols><col min="1" max="16384" width="9"/></cols>'),
  'columns that do not end': again(() => '<cols>'),
  'links of cells': again(() => '<hyperlink ref="A1:XFD1048576" r:id="rId1"/>'),
  dimensions: again(() => '<dimension ref="A1:XFD1048576"/>'),
  'shared texts': again((at) => `<si><t>${at}</t></si>`),
  'shared texts with looks': again(() => '<si><r><rPr><b/></rPr><t>a</t></r></si>'),
  'shared texts that do not end': again(() => '<si><t>'),
  'looks that do not end': again(() => '<r><rPr>'),
  'spoken texts': again(() => '<rPh sb="0" eb="1"><t>'),
  'forms of numbers': again((at) => `<numFmts><numFmt numFmtId="${at % 400}" formatCode="yyyy${at}"/></numFmts>`),
  'forms of numbers that do not end': again(() => '<numFmts>'),
  'looks of cells': again(() => '<cellXfs><xf numFmtId="14"/></cellXfs>'),
  'fonts that do not end': again(() => '<fonts><font>'),
  sheets: again((at) => `<sheet name="S${at}" sheetId="${at + 2}" r:id="rId1"/>`),
  'names of areas': again(() => '<definedName name="a">S!A1</definedName>'),
  relationships: again((at) => `<Relationship Id="r${at}" Type="a" Target="../b.xml"/>`),
  'kinds of parts': again((at) => `<Override PartName="/xl/p${at}.xml" ContentType="a"/>`),
  'attributes without an end': again(() => ' a="b"'),
  'one tag of many attributes': (chars) => `<c ${'a="b" '.repeat(Math.ceil(chars / 6))}/>`,
  'comments within': again(() => '<!-- a -->'),
  'data that is not marked up': again(() => '<![CDATA['),
  'entities of XML': again(() => '&#65;&lt;'),
  'escapes of Excel': again(() => '_x000D_'),
}
