/** Excel workbooks in the real runtime, written by the library that others read them with. */
import * as xlsx from '@e965/xlsx'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { XLS_BYTES_MAX } from '../../src/datasets/formats/workbook/sheets.ts'
import { flawFrom, summaryFrom } from '../support/datasets.ts'

type Rows = unknown[][]
function book(
  sheets: Record<string, Rows>,
  type: 'xlsx' | 'xlsb' | 'ods' | 'biff5' | 'biff8' = 'xlsx',
  change: (book: xlsx.WorkBook) => void = () => {},
) {
  const made = xlsx.utils.book_new()
  for (const [name, rows] of Object.entries(sheets))
    xlsx.utils.book_append_sheet(made, xlsx.utils.aoa_to_sheet(rows), name)
  change(made)
  return new Uint8Array(xlsx.write(made, { type: 'array', bookType: type, compression: true }))
}
const SALES: Rows = [
  ['date', 'region', 'amount', 'ok', 'code'],
  [45_352, 'North', 1_234.5, true, '007'],
  [45_352.5, '北京', -2, false, '8'],
  [null, null, 3, null, null],
]
/** Column A holds dates. */
const dated = (made: xlsx.WorkBook) => {
  const sheet = made.Sheets.Sales
  if (sheet?.A2 === undefined) throw new Error('no cell')
  sheet.A2.z = 'yyyy-mm-dd'
  sheet.A3.z = 'yyyy-mm-dd hh:mm'
}
const OLD = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const oldOf = (size: number, byte: number) => {
  const bytes = new Uint8Array(size).fill(byte)
  bytes.set(OLD)
  return bytes
}
const entry = (zip: Uint8Array, name: string, change: (view: DataView, at: number) => void) => {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  for (let at = 0; at + 46 < zip.length; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue
    if (new TextDecoder().decode(zip.subarray(at + 46, at + 46 + name.length)) === name) change(view, at)
  }
  return zip
}

describe('a sheet', () => {
  it.each([
    ['xlsx', 'a.xlsx'],
    ['biff8', 'A.XLS'],
  ] as const)('of a workbook of type %s is a table', async (type, name) => {
    const bytes = book({ Sales: SALES, Other: [['x'], [1]] }, type, dated)
    const summary = await summaryFrom(name, bytes)
    expect(summary).toMatchObject({ sheet: 'Sales', sheets: ['Sales', 'Other'], rows: 3, missing_cells: 4, notes: [] })
    expect(summary.columns.map(({ name, dtype }) => `${name}:${dtype}`)).toEqual([
      'date:date',
      'region:text',
      'amount:number',
      'ok:boolean',
      'code:text',
    ])
    expect(summary.preview).toEqual([
      ['2024-03-01', 'North', 1_234.5, true, '007'],
      ['2024-03-01T12:00:00', '北京', -2, false, '8'],
      [null, null, 3, null, null],
    ])
    expect(summary.columns[2]).toMatchObject({ min: -2, max: 1_234.5, mean: (1_234.5 - 2 + 3) / 3 })
  })

  it('is found by its name or number, and an unknown one is answered with the list of sheets', async () => {
    const bytes = book({ One: [['a'], [1]], 'Two 二': [['b'], [2]] })
    expect((await summaryFrom('a.xlsx', bytes, { sheet: 'Two 二' })).preview).toEqual([[2]])
    expect((await summaryFrom('a.xlsx', bytes, { sheet: 1 })).sheet).toBe('Two 二')
    for (const sheet of ['two', 2, -1, '__proto__']) {
      expect(await flawFrom('a.xlsx', bytes, sheet)).toEqual({
        kind: 'unknown_sheet',
        sheet: String(sheet),
        sheets: ['One', 'Two 二'],
      })
    }
  })

  it('has the cached values of its formulas, and errors as missing', async () => {
    const bytes = book(
      {
        S: [
          ['a', 'b'],
          [1, 2],
          [2, 3],
        ],
      },
      'xlsx',
      ({ Sheets }) => {
        if (Sheets.S === undefined) throw new Error('no sheet')
        Sheets.S.B2 = { t: 'n', v: 42, f: 'A2*42' }
        Sheets.S.B3 = { t: 'e', v: 0x07 }
      },
    )
    const { preview, notes } = await summaryFrom('a.xlsx', bytes)
    expect(preview).toEqual([
      [1, 42],
      [2, null],
    ])
    expect(notes).toEqual([{ kind: 'error_cells', count: 1 }])
  })

  it('may begin and end anywhere, and takes only the memory of its cells', async () => {
    const cells =
      '<row r="5"><c r="D5" t="str"><v>a</v></c><c r="XFD5" t="str"><v>far</v></c></row><row r="1048576"><c r="D1048576"><v>1</v></c><c r="XFD1048576"><v>2</v></c></row>'
    const files = unzipSync(book({ S: [['x']] }))
    const xml = strFromU8(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
    const changed = xml
      .replace(/<sheetData>.*<\/sheetData>/, `<sheetData>${cells}</sheetData>`)
      .replace(/ref="A1"/, 'ref="A1:XFD1048576"')
    expect(changed).toContain('"A1:XFD1048576"')
    const { columns, preview, rows } = await summaryFrom(
      'a.xlsx',
      zipSync({ ...files, 'xl/worksheets/sheet1.xml': strToU8(changed) }),
    )
    expect([rows, columns.map(({ name }) => name), preview]).toEqual([1, ['a', 'far'], [[1, 2]]])
  })

  it('is not a table when it has no cell', async () => {
    expect(await flawFrom('a.xlsx', book({ S: [], T: [['a']] }))).toEqual({
      kind: 'empty_sheet',
      sheet: 'S',
      sheets: ['S', 'T'],
    })
  })
})

describe('a file that is not a workbook', () => {
  const bytes = book({ S: [['a'], [1]] })
  it.each<[string, Uint8Array, object]>([
    ['a binary workbook in a zip', book({ S: [['a'], [1]] }, 'xlsb'), { kind: 'no_workbook' }],
    ['a workbook of another office', book({ S: [['a'], [1]] }, 'ods'), { kind: 'no_workbook' }],
    ['an .xls of before 1997', book({ S: [['a'], [1]] }, 'biff5'), { kind: 'no_workbook' }],
    ['an empty file', new Uint8Array(), { kind: 'empty' }],
    ['a text', new TextEncoder().encode('a,b\n1,2\n'), { kind: 'no_workbook' }],
    [
      'a web page',
      new TextEncoder().encode('<html><table><tr><td>1</td></tr></table></html>'),
      { kind: 'no_workbook' },
    ],
    ['half of one', bytes.slice(0, bytes.length / 2), { kind: 'no_workbook' }],
    ['a zip of something else', zipSync({ 'a.txt': new Uint8Array(10) }), { kind: 'no_workbook' }],
    ['a damaged old one', oldOf(2_000, 7), { kind: 'no_workbook' }],
    [
      'one of more than 10 MB',
      new Uint8Array(10 * 1_048_576 + 1),
      { kind: 'workbook_too_large', bytes_max: 10 * 1_048_576 },
    ],
    [
      'an old one that would fill memory',
      oldOf(XLS_BYTES_MAX + 1, 0),
      { kind: 'xls_too_large', bytes_max: XLS_BYTES_MAX },
    ],
  ])('%s is refused as not being a workbook', async (_, content, flaw) =>
    expect(await flawFrom('a.xlsx', content)).toEqual(flaw),
  )

  it('a zip bomb is refused before it is unpacked, whatever sizes it declares', async () => {
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(60_000_000) }, { level: 9 })
    expect(bomb.length).toBeLessThan(100_000)
    const bytes_max = 24 * 1_048_576
    const flaw = { kind: 'unfolds_too_far', bytes_max, with_compute_worker: bytes_max }
    expect(await flawFrom('a.xlsx', bomb)).toEqual(flaw)
    const liar = entry(bomb.slice(), 'xl/worksheets/sheet1.xml', (view, at) => view.setUint32(at + 24, 10, true))
    expect(await flawFrom('a.xlsx', liar)).toEqual(flaw)
  })

  it('a part that a zip hides by one of its two counts is not read, because readers differ in which count they trust', async () => {
    const { 'xl/worksheets/sheet1.xml': sheet = new Uint8Array(), ...others } = unzipSync(bytes)
    const zip = zipSync({ ...others, 'xl/worksheets/sheet1.xml': sheet })
    const view = new DataView(zip.buffer)
    const end = zip.length - 22
    const entries = view.getUint16(end + 10, true)
    expect([view.getUint32(end, true), view.getUint16(end + 8, true)]).toEqual([0x06054b50, entries])
    expect(await summaryFrom('a.xlsx', zip)).toMatchObject({ rows: 1 })
    view.setUint16(end + 10, entries - 1, true)
    expect(await flawFrom('a.xlsx', zip)).toMatchObject({ kind: 'empty_sheet' })
  })

  it('a zip that declares two sizes, or a path outside, is refused', async () => {
    const name = 'xl/workbook.xml'
    for (const offset of [20, 42]) {
      const changed = entry(bytes.slice(), name, (view, at) =>
        view.setUint32(at + offset, view.getUint32(at + offset, true) - 1, true),
      )
      expect(await flawFrom('a.xlsx', changed)).toEqual({ kind: 'no_workbook' })
    }
  })
})
