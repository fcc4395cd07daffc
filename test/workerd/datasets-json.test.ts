/** JSON files in the real runtime, in each of the forms that tables have there. */
import { describe, expect, it } from 'vitest'
import { cellsOf, columnsFrom, flawFrom, summaryFrom } from '../support/datasets.ts'

const ROWS = [
  { date: '2024-03-01', amount: 1.5, tags: ['a', 'b'], note: null },
  { date: '2024-03-02', amount: 2, ok: true },
]
const PREVIEW = [
  ['2024-03-01', 1.5, '["a","b"]', null, null],
  ['2024-03-02', 2, null, null, true],
]
const NAMES = ['date', 'amount', 'tags', 'note', 'ok']

describe('forms of a JSON table', () => {
  it.each([
    ['an array of objects', JSON.stringify(ROWS)],
    ['one written over many lines', JSON.stringify(ROWS, null, 2)],
    ['objects, one on each line', ROWS.map((row) => JSON.stringify(row)).join('\n')],
    ['the same with blank lines and CRLF', `${ROWS.map((row) => JSON.stringify(row)).join('\r\n\r\n')}\r\n`],
  ])('%s is a table for any chunks', async (_, content) => {
    for (const chunk of [1, 7, 65_536]) {
      const { preview, columns, notes } = await summaryFrom('a.json', content, { chunk })
      expect(columns.map(({ name }) => name)).toEqual(NAMES)
      expect([preview, notes]).toEqual([PREVIEW, []])
    }
  })

  it.each([
    ['on one line', JSON.stringify({ total: 2, meta: { page: [1, 2] }, ids: [1, 2], data: ROWS })],
    ['on many', JSON.stringify({ data: ROWS, meta: { page: 1 } }, null, 1)],
  ])('an object around one array is the table of that array, %s', async (_, content) => {
    const { preview, notes } = await summaryFrom('a.json', content)
    expect([preview, notes]).toEqual([PREVIEW, [{ kind: 'array', key: 'data' }]])
  })

  it('an array of arrays has its header first', async () => {
    const { preview, columns, notes } = await summaryFrom('a.json', '[["a","b"],[1,"x"],[2],[3,"y",9]]')
    expect(columns.map(({ name, dtype }) => [name, dtype])).toEqual([
      ['a', 'integer'],
      ['b', 'text'],
    ])
    expect(preview).toEqual([
      [1, 'x'],
      [2, null],
      [3, 'y'],
    ])
    expect(notes.map(({ kind }) => kind)).toEqual(['extra_cells', 'short_rows'])
  })

  it('a single object is a row', async () => {
    expect((await summaryFrom('a.json', '{"a":1,"b":[2]}')).preview).toEqual([[1, '[2]']])
  })

  it('lines with lists of objects are rows too', async () => {
    const content = '{"id":1,"items":[{"n":1}]}\n{"id":2,"items":[]}\n'
    expect((await summaryFrom('a.json', content)).preview).toEqual([
      [1, '[{"n":1}]'],
      [2, '[]'],
    ])
  })

  it('any name can be a column, and numbers that would lose digits stay as written', async () => {
    const content = '[{"__proto__":1,"constructor":"x","":true,"id":12345678901234567890,"big":1e999}]'
    const { columns, notes } = await columnsFrom('a.json', content)
    expect(columns.columns.map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'column_3', 'id', 'big'])
    expect(cellsOf(columns, '__proto__')).toEqual([1])
    expect(cellsOf(columns, 'id')).toEqual(['12345678901234567890'])
    expect(cellsOf(columns, 'big')).toEqual(['1e999'])
    expect(notes).toEqual([{ kind: 'renamed_columns', count: 1 }])
    expect(Object.keys({})).toEqual([])
  })

  it('lone surrogates are replaced', async () => {
    const { preview } = await summaryFrom('a.json', '[{"a":"\\ud800x"},{"a":"\\ud83d\\ude00"}]')
    expect(preview).toEqual([['\ufffdx'], ['😀']])
  })

  it('a column that first appears in a later row is missing in the rows before', async () => {
    const content = JSON.stringify(
      Array.from({ length: 5_000 }, (_, at) => (at < 4_000 ? { a: at } : { a: at, b: `w${at % 2}` })),
    )
    const { columns } = await summaryFrom('a.json', content)
    expect(columns[1]).toMatchObject({ name: 'b', non_null: 1_000, null: 4_000, unique: 2 })
    const loaded = cellsOf((await columnsFrom('a.json', content)).columns, 'b')
    expect([loaded.length, loaded[3_999], loaded[4_000], loaded[4_999]]).toEqual([5_000, null, 'w0', 'w1'])
  })
})

describe('a file that is not a JSON table', () => {
  it.each<[string, string, object]>([
    ['an empty file', ' \n', { kind: 'empty' }],
    ['an empty array', '[]', { kind: 'json_no_rows' }],
    ['numbers', '[1,2,3]', { kind: 'json_no_rows' }],
    ['one text', '"x"', { kind: 'json_no_rows' }],
    ['no JSON', 'a,b\n1,2', { kind: 'bad_json', row: 1 }],
    ['an array that breaks off', '[{"a":1},{"a":', { kind: 'bad_json', row: 2 }],
    ['a line that is no JSON', '{"a":1}\n{"a":2}\noops', { kind: 'bad_json', row: 3 }],
    ['something behind the array', '[{"a":1}] x', { kind: 'bad_json', row: 2 }],
    ['two tables', '{"a":[{"x":1}],"b":[{"y":1}]}', { kind: 'json_two_arrays', keys: ['a', 'b'] }],
    ['an object without rows', '{\n"a": {"b": 1}\n}', { kind: 'json_no_rows' }],
    ['a deep one', '['.repeat(1_000_000), { kind: 'json_too_deep', max: 100 }],
    ['a deep row', `[{"a":${'{"b":'.repeat(5_000)}1${'}'.repeat(5_000)}}]`, { kind: 'json_too_deep', max: 100 }],
    ['an endless text', `[{"a":"${'x'.repeat(5_000_000)}`, { kind: 'row_too_long', row: 1, chars_max: 4_194_304 }],
    [
      'a row of too many columns',
      `[${JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`c${at}`, 1])))}]`,
      { kind: 'too_many_columns', max: 16_384 },
    ],
  ])('%s is refused as not being a table', async (_, content, flaw) =>
    expect(await flawFrom('a.json', content)).toEqual(flaw),
  )

  it('elements that are not rows are left out and reported', async () => {
    const { rows, notes } = await summaryFrom('a.json', '[{"a":1},2,[3],{"a":4}]')
    expect([rows, notes]).toEqual([2, [{ kind: 'not_rows', count: 2 }]])
  })

  it('short rows of a wide table do not take the memory of full rows', async () => {
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 16_000 }, (_, at) => [`c${at}`, at])))
    const { rows, columns } = await summaryFrom('a.json', `[${wide},${'{"c15999":1},'.repeat(5_000)}{}]`)
    expect([rows, columns.at(-1)?.non_null, columns[0]?.null]).toEqual([5_002, 5_001, 5_001])
  })
})
