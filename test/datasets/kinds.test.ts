/** What cells may be read as, and what a column of them is. */
import { describe, expect, it } from 'vitest'
import { EVERY, formBits } from '../../src/datasets/cells/forms.ts'
import { columnKindOf, cellValueOf } from '../../src/datasets/cells/column-kind.ts'

const kindFrom = (cells: string[], decimal_comma = false) =>
  columnKindOf(
    cells.reduce((forms, cell) => forms & formBits(cell), EVERY),
    cells.length > 0,
    decimal_comma,
  )

/** Type, what is said of it, and its cells as the column holds them. */
function read(cells: string[], decimal_comma = false) {
  const kind = kindFrom(cells, decimal_comma)
  return [kind.type, kind.readings, cells.map((cell) => cellValueOf(kind, cell))]
}

describe('numbers', () => {
  it.each([
    ['whole numbers', ['1', '-20', '+3', '0'], 'integer', [1, -20, 3, 0]],
    ['fractions', ['1', '2.50', '.5', '5.', '-0.25'], 'number', [1, 2.5, 0.5, 5, -0.25]],
    ['exponents', ['1e3', '2.5E-05', '7'], 'number', [1000, 0.000025, 7]],
    ['the longest exact whole number', ['9007199254740991'], 'integer', [9007199254740991]],
  ])('%s are numbers', (_, cells, type, values) => expect(read(cells)).toEqual([type, [], values]))

  it.each([
    ['a code that begins with 0', ['7', '007']],
    ['a negative code', ['-01']],
    ['an id that would lose digits', ['1', '9007199254740993']],
    ['what is beyond every number', ['1', '1e999']],
    ['a lone sign', ['1', '-']],
    ['a lone dot', ['1', '.']],
    ['hexadecimals', ['0x10']],
    ['infinity', ['1', 'Infinity']],
    ['words between numbers', ['1', 'two']],
    ['times', ['10:30']],
    ['versions', ['1.2.3']],
    ['an empty word of white space', ['1', '\u00a0']],
  ])('%s makes its column text', (_, cells) => expect(kindFrom(cells)).toEqual({ type: 'text', readings: [] }))

  it.each([
    ['1,234', '5', ['1,234', '5', '-1,234,567'], 'integer', ['thousands_commas'], [1234, 5, -1_234_567]],
    ['1,234.5', '0.5', ['1,234.5', '0.5'], 'number', ['thousands_commas'], [1234.5, 0.5]],
    ['12,5', '1.234,50', ['12,5', '1.234,50', '3'], 'number', ['decimal_commas'], [12.5, 1234.5, 3]],
    ['0,125', '0,25', ['0,125', '0,250'], 'number', ['decimal_commas'], [0.125, 0.25]],
  ])('%s and %s decide the meaning of commas', (_, __, cells, type, said, values) =>
    expect(read(cells)).toEqual([type, said, values]),
  )

  it('an ambiguous comma separates thousands, except when semicolons separate the cells', () => {
    expect(read(['1,234', '5'])).toEqual(['integer', ['thousands_commas'], [1234, 5]])
    expect(read(['1,234', '5'], true)).toEqual(['number', ['decimal_commas'], [1.234, 5]])
    expect(read(['1.234', '5'], true)).toEqual(['number', [], [1.234, 5]])
  })

  it('a column whose commas mean both is text', () => {
    expect(kindFrom(['1,234.5', '12,5'])).toEqual({ type: 'text', readings: [] })
    expect(kindFrom(['1,23,4'])).toEqual({ type: 'text', readings: [] })
    expect(kindFrom(['1,2345'])).toMatchObject({ type: 'number', readings: ['decimal_commas'] })
  })

  it('money of one currency is a number, money of two is text', () => {
    expect(read(['$5', '-$1,200.50', '$-3', '7'])).toEqual([
      'number',
      ['thousands_commas', 'money'],
      [5, -1200.5, -3, 7],
    ])
    expect(read(['12,50 €', '3 €'])).toEqual(['number', ['decimal_commas', 'money'], [12.5, 3]])
    expect(read(['￥5', '¥6'])).toEqual(['integer', ['money'], [5, 6]])
    expect(kindFrom(['$5', '€5'])).toEqual({ type: 'text', readings: [] })
    expect(kindFrom(['-$-5'])).toEqual({ type: 'text', readings: [] })
  })

  it('percents are numbers when every cell is one', () => {
    expect(read(['12.5%', '3 %', '-1%'])).toEqual(['number', ['percent'], [12.5, 3, -1]])
    expect(kindFrom(['12.5%', '3'])).toEqual({ type: 'text', readings: [] })
  })
})

describe('dates', () => {
  it.each([
    ['2024-03-01', '2024-03-01'],
    ['2024/3/1', '2024-03-01'],
    ['2024.03.01', '2024-03-01'],
    ['2024年3月1日', '2024-03-01'],
    ['2024-02-29', '2024-02-29'],
    ['2024-03-01 10:00', '2024-03-01T10:00:00'],
    ['2024-03-01T10:00:05.1234', '2024-03-01T10:00:05.123'],
    ['2024/3/1 1:05 PM', '2024-03-01T13:05:00'],
    ['2024/3/1 12:05 am', '2024-03-01T00:05:00'],
    ['0099-01-01', '0099-01-01'],
  ])('%s is %s', (text, iso) => expect(read([text])).toEqual(['date', [], [iso]]))

  it.each([
    ['2024-03-01T10:00:00Z', '2024-03-01T10:00:00'],
    ['2024-03-01T01:00:00+08:00', '2024-02-29T17:00:00'],
    ['2024-03-01 22:30:00-0530', '2024-03-02T04:00:00'],
  ])('%s is converted to UTC: %s', (text, iso) => expect(read([text, '2024-01-01'])[2]).toEqual([iso, '2024-01-01']))

  it.each([
    ['a day that there is not', ['2024-02-30']],
    ['a month that there is not', ['2024-13-01']],
    ['an hour that there is not', ['2024-01-01 25:00']],
    ['13 PM', ['2024-01-01 13:00 PM']],
    ['two separators', ['2024-01/02']],
    ['a year of two digits', ['01/02/24']],
    ['a zone in one cell and none in another', ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00']],
    ['words between dates', ['2024-01-01', 'soon']],
    ['a UTC day beyond the last year', ['9999-12-31T23:00:00-05:00']],
  ])('%s is text', (_, cells) => expect(kindFrom(cells)).toEqual({ type: 'text', readings: [] }))

  it('day and month are distinguished by the whole column', () => {
    expect(read(['1/2/2024', '13/2/2024'])).toEqual(['date', ['day_first'], ['2024-02-01', '2024-02-13']])
    expect(read(['1/2/2024', '2/13/2024'])).toEqual(['date', ['month_first'], ['2024-01-02', '2024-02-13']])
    expect(read(['1.2.2024', '3.4.2024'])).toEqual(['date', ['day_first'], ['2024-02-01', '2024-04-03']])
    expect(read(['13/2/2024 10:00'])).toEqual(['date', ['day_first'], ['2024-02-13T10:00:00']])
  })

  it('a column with ambiguous days and months is text, and a note says so', () => {
    expect(kindFrom(['1/2/2024', '3/4/2024'])).toEqual({ type: 'text', readings: ['ambiguous_dates'] })
    expect(kindFrom(['13/2/2024', '2/13/2024'])).toEqual({ type: 'text', readings: [] })
  })

  it('a month becomes its first day', () => {
    expect(read(['2024-03', '2024/4', '2024年5月'])).toEqual([
      'date',
      ['months'],
      ['2024-03-01', '2024-04-01', '2024-05-01'],
    ])
    expect(kindFrom(['2024-03', '2024-03-02'])).toEqual({ type: 'text', readings: [] })
  })
})

describe('other columns', () => {
  it('yes and no, in English and Chinese, are booleans', () => {
    expect(read(['true', 'False', 'YES', 'no', '是', '否'])).toEqual([
      'boolean',
      [],
      ['true', 'false', 'true', 'false', 'true', 'false'],
    ])
    expect(kindFrom(['0', '1']).type).toBe('integer')
    expect(kindFrom(['true', 'maybe']).type).toBe('text')
  })
  it('a column without cells is text', () => {
    expect(kindFrom([])).toEqual({ type: 'text', readings: [] })
  })
  it('a long cell is text, and is checked quickly', () => {
    expect(formBits('1'.repeat(1_000_000))).toBe(0)
    expect(formBits(`${'9'.repeat(40)}`)).toBe(0)
  })
})
