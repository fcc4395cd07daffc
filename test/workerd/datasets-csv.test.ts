/** CSV and TSV files in the real runtime: whatever chunks, encodings and delimiters they come in. */
import { describe, expect, it } from 'vitest'
import { cellsOf, columnsFrom, flawFrom, summaryFrom } from '../support/datasets.ts'

const text = (...parts: (string | number[])[]): Uint8Array =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)))
const utf16 = (content: string, little: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer(content.length * 2))
  for (let at = 0; at < content.length; at++) view.setUint16(at * 2, content.charCodeAt(at), little)
  return new Uint8Array(view.buffer)
}
/** 日期,地区 · 2024-03-01,北京 · 2024-03-02,上海 */
const CHINESE = '日期,地区\n2024-03-01,北京\n2024-03-02,上海\n'
const GB18030 = text(
  [0xc8, 0xd5, 0xc6, 0xda],
  ',',
  [0xb5, 0xd8, 0xc7, 0xf8],
  '\n2024-03-01,',
  [0xb1, 0xb1, 0xbe, 0xa9],
  '\n2024-03-02,',
  [0xc9, 0xcf, 0xba, 0xa3],
  '\n',
)
const kinds = (notes: { kind: string }[]) => notes.map(({ kind }) => kind)

describe('a CSV table', () => {
  it('is the same for any chunks', async () => {
    const content = '\ufeffname,note,n\r\n"Zoë, ""Z""","two\r\nlines 字😀",1\r\nBob,,2\r\n'
    const whole = await summaryFrom('a.csv', content)
    expect(whole.preview).toEqual([
      ['Zoë, "Z"', 'two\nlines 字😀', 1],
      ['Bob', null, 2],
    ])
    expect(whole.columns.map(({ name }) => name)).toEqual(['name', 'note', 'n'])
    for (const chunk of [1, 2, 3, 5, 7, 11]) expect(await summaryFrom('a.csv', content, { chunk })).toEqual(whole)
  })

  it.each([
    [
      ';',
      'a;b\n1;2,5\n3;4,5\n',
      [
        [1, 2.5],
        [3, 4.5],
      ],
    ],
    [
      '\t',
      'a\tb\n1\t2\n3\t4\n',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      '|',
      'a|b\n1|x,y\n3|z,w\n',
      [
        [1, 'x,y'],
        [3, 'z,w'],
      ],
    ],
  ])('may separate its cells by %j', async (delimiter, content, rows) => {
    const { preview, notes } = await summaryFrom('a.csv', content)
    expect(preview).toEqual(rows)
    expect(notes[0]).toEqual({ kind: 'delimiter', delimiter })
  })

  it('separates its cells by tabs in a .tsv, whatever else it contains', async () => {
    const { preview, notes } = await summaryFrom('A.TSV', 'a,b\tc\n1,5\tx\n')
    expect([preview, notes]).toEqual([[[1.5, 'x']], [{ kind: 'decimal_commas', columns: ['a,b'] }]])
  })

  it.each([
    ['CRLF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['CR', 'a,b\r1,2\r3,4\r'],
    ['LF without a last one', 'a,b\n1,2\n3,4'],
    ['CRLF without a last one', 'a,b\r\n1,2\r\n3,4'],
    ['mixed', 'a,b\r\n1,2\n3,4\r'],
  ])('may end its lines with %s', async (_, content) => {
    for (const chunk of [1, 65_536]) {
      const { preview, notes } = await summaryFrom('a.csv', content, { chunk })
      expect([preview, notes]).toEqual([
        [
          [1, 2],
          [3, 4],
        ],
        [],
      ])
    }
  })

  it('may have one column', async () => {
    expect(await summaryFrom('a.csv', 'n\n1\n\n3\n')).toMatchObject({
      rows: 2,
      columns: [{ name: 'n', dtype: 'integer', min: 1, max: 3, mean: 2 }],
      notes: [{ kind: 'blank_rows', count: 1 }],
    })
  })

  it('may be a header without rows', async () => {
    expect(await summaryFrom('a.csv', 'a,b\n')).toMatchObject({
      rows: 0,
      columns: [
        { name: 'a', dtype: 'text', non_null: 0, null: 0, unique: 0, min: null },
        { name: 'b', dtype: 'text' },
      ],
      preview: [],
      notes: [{ kind: 'no_rows' }],
    })
    expect((await columnsFrom('a.csv', 'a,b')).columns).toMatchObject({
      length: 0,
      columns: [{ name: 'a' }, { name: 'b' }],
    })
  })

  it('has short rows filled up and extra cells left out, and says so for both', async () => {
    const { preview, columns, missing_cells, notes } = await summaryFrom(
      'a.csv',
      'a,b,c\n1\n1,2,3,4\n1,2,3,,\n1,NA,-\n',
    )
    expect(preview).toEqual([
      [1, null, null],
      [1, 2, 3],
      [1, 2, 3],
      [1, null, null],
    ])
    expect(columns.map((column) => column.null)).toEqual([0, 2, 2])
    expect(missing_cells).toBe(4)
    expect(notes).toEqual([
      { kind: 'extra_cells', count: 1 },
      { kind: 'short_rows', count: 1 },
    ])
  })

  it('gets column names that are distinct and not empty, and says so', async () => {
    const { columns, notes } = await summaryFrom('a.csv', 'a, a ,,a_2,__proto__,constructor,a\n1,2,3,4,5,6,7\n')
    expect(columns.map(({ name }) => name)).toEqual([
      'a',
      'a_2',
      'column_3',
      'a_2_2',
      '__proto__',
      'constructor',
      'a_3',
    ])
    expect(notes).toEqual([{ kind: 'renamed_columns', count: 4 }])
    const { columns: loaded } = await columnsFrom('a.csv', '__proto__,constructor\n1,x\n')
    expect([cellsOf(loaded, '__proto__'), cellsOf(loaded, 'constructor')]).toEqual([[1], ['x']])
    expect(Object.prototype).not.toHaveProperty('1')
  })
})

describe('encodings', () => {
  it('UTF-8 with a mark and UTF-16 are read', async () => {
    const plain = await summaryFrom('a.csv', CHINESE)
    expect(plain.preview).toEqual([
      ['2024-03-01', '北京'],
      ['2024-03-02', '上海'],
    ])
    expect(await summaryFrom('a.csv', `\ufeff${CHINESE}`, { chunk: 1 })).toEqual(plain)
    for (const little of [true, false]) {
      const { notes, ...same } = await summaryFrom('a.csv', utf16(`\ufeff${CHINESE}`, little), { chunk: 3 })
      expect(same).toEqual({ ...plain, notes: undefined, ...same })
      expect(same.preview).toEqual(plain.preview)
      expect(notes).toEqual([{ kind: 'encoding', encoding: little ? 'utf-16le' : 'utf-16be' }])
    }
  })

  it('Chinese GB18030 is read, also when its first character comes late, and the result says so', async () => {
    for (const chunk of [1, 65_536]) {
      const { preview, columns, notes } = await summaryFrom('a.csv', GB18030, { chunk })
      expect(preview).toEqual([
        ['2024-03-01', '北京'],
        ['2024-03-02', '上海'],
      ])
      expect(columns.map(({ name }) => name)).toEqual(['日期', '地区'])
      expect(notes).toEqual([{ kind: 'encoding', encoding: 'gb18030' }])
    }
    const late = text('n,city\n', '1,Rome\n'.repeat(30_000), '2,', [0xb1, 0xb1, 0xbe, 0xa9], '\n')
    const { columns, notes } = await summaryFrom('a.csv', late)
    expect(columns[1]).toMatchObject({ unique: 2, samples: ['Rome', '北京'] })
    expect(kinds(notes)).toEqual(['encoding'])
  })

  it('letters with accents are read from Windows-1252', async () => {
    const { preview, notes } = await summaryFrom('a.csv', text('city\nK', [0xf6], 'ln\nM', [0xe1], 'laga\n'))
    expect(preview).toEqual([['Köln'], ['Málaga']])
    expect(notes).toEqual([{ kind: 'encoding', encoding: 'windows-1252' }])
  })

  it('one bad byte in UTF-8 is reported, and damages nothing else', async () => {
    const { preview, notes } = await summaryFrom('a.csv', text('city,n\n北京上海广州深圳,1\n', [0xff], 'x,2\n'))
    expect(preview).toEqual([
      ['北京上海广州深圳', 1],
      ['\ufffdx', 2],
    ])
    expect(notes).toEqual([{ kind: 'not_utf8', count: 1 }])
  })
})

describe('a file that is not a CSV table', () => {
  it.each<[string, string | Uint8Array, object]>([
    ['an empty file', '', { kind: 'empty' }],
    ['blank lines', '\n\n\r\n', { kind: 'empty' }],
    ['only a mark', '\ufeff', { kind: 'empty' }],
    ['NUL bytes', 'a,b\n1,\0\n', { kind: 'binary' }],
    ['rubbish', new Uint8Array(900).map((_, at) => (at * 151 + 77) % 251 || 1), { kind: 'binary' }],
    ['a quote that is never closed', 'a,b\n1,"x\n2,y\n', { kind: 'unclosed_quote', row: 1 }],
    [
      'a quote that is never closed, far from the end',
      `a,b\n1,"x\n${'2,y\n'.repeat(1_600_000)}`,
      { kind: 'row_too_long', row: 1, chars_max: 4_194_304 },
    ],
    ['a header of more columns than a spreadsheet has', 'x,'.repeat(20_000), { kind: 'too_many_columns', max: 16_384 }],
    ['a file of another kind', 'x', { kind: 'not_a_dataset' }],
  ])('%s is refused as not being a table', async (what, content, flaw) => {
    expect(await flawFrom(what === 'a file of another kind' ? 'a.txt' : 'a.csv', content)).toEqual(flaw)
  })

  it('a quote that closes late in its cell is kept and reported', async () => {
    const { preview, notes } = await summaryFrom('a.csv', 'a,b\n"x"y",1\n5" pipe,2\n')
    expect(preview[1]).toEqual(['5" pipe', 2])
    expect(notes).toEqual([{ kind: 'bad_quotes', count: 1 }])
  })

  it('a cell of a million characters and a row of ten thousand columns are accepted', async () => {
    const { columns, rows } = await summaryFrom('a.csv', `a,b\n"${'x\n'.repeat(500_000)}",1\nz,2\n`)
    expect([rows, columns[0]?.unique, columns[1]?.mean]).toEqual([2, 2, 1.5])
    const names = Array.from({ length: 10_000 }, () => 'n').join(',')
    const wide = await summaryFrom('a.csv', `${names}\n${'1,'.repeat(9_999)}1\n`)
    expect(wide.columns.at(-1)).toMatchObject({ name: 'n_10000', dtype: 'integer', min: 1 })
    expect(wide.columns).toHaveLength(10_000)
  })
})
