/** Summaries and columns: what they say is so, however the cells are mixed. */
import fc from 'fast-check'
import papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { COLUMNS_BYTES_MAX, loadColumns } from '../../src/datasets/columns.ts'
import { EVERY, formBits } from '../../src/datasets/cells/forms.ts'
import { columnKindOf, cellValueOf } from '../../src/datasets/cells/column-kind.ts'
import { cellsOf, columnsFrom, fileOf, summaryFrom } from '../support/datasets.ts'

/** 20,000 sales, and what is true of them, added up as they are made. */
function sales() {
  const regions = ['North', 'South', 'East', 'West', '']
  const lines = ['date,region,units,price,order']
  const truth = {
    units: 0,
    price_cents: 0,
    dates: new Set<string>(),
    regions: new Set<string>(),
    no_region: 0,
    no_price: 0,
  }
  for (let n = 0; n < 20_000; n++) {
    const date = new Date(Date.UTC(2022, 0, 1) + (n % 700) * 86_400_000).toISOString().slice(0, 10)
    const region = regions[(n * 7) % 5] ?? ''
    const [units, cents] = [(n * 31) % 97, (n * 7_919) % 100_000]
    const priced = n % 11 !== 0
    lines.push(`${date},${region},${units},${priced ? (cents / 100).toFixed(2) : 'N/A'},SO-${n}`)
    truth.dates.add(date)
    truth.units += units
    if (region === '') truth.no_region += 1
    else truth.regions.add(region)
    if (priced) truth.price_cents += cents
    else truth.no_price += 1
  }
  return { text: lines.join('\n'), truth }
}

describe('a summary', () => {
  it('has the figures of the table', async () => {
    const { text, truth } = sales()
    const summary = await summaryFrom('sales.csv', text, { preview: 2 })
    const [date, region, units, price, order] = summary.columns
    const dates = [...truth.dates].sort()
    expect(summary).toMatchObject({ rows: 20_000, missing_cells: truth.no_region + truth.no_price, notes: [] })
    expect(date).toEqual({
      name: 'date',
      dtype: 'date',
      non_null: 20_000,
      null: 0,
      unique: 700,
      unique_at_least: 700,
      min: dates[0],
      max: dates.at(-1),
      mean: null,
      samples: [],
    })
    expect(region).toMatchObject({
      dtype: 'text',
      null: truth.no_region,
      unique: 4,
      samples: ['North', 'East', 'South'],
    })
    expect(truth.regions.size).toBe(4)
    expect(units).toMatchObject({ dtype: 'integer', min: 0, max: 96, unique: 97 })
    expect(units?.mean).toBeCloseTo(truth.units / 20_000, 10)
    expect(price).toMatchObject({ dtype: 'number', null: truth.no_price, non_null: 20_000 - truth.no_price })
    expect(price?.mean).toBeCloseTo(truth.price_cents / 100 / (20_000 - truth.no_price), 9)
    expect(order).toMatchObject({
      dtype: 'text',
      unique: 20_000,
      samples: ['SO-0', 'SO-1', 'SO-2'],
      min: null,
      mean: null,
    })
    expect(summary.preview).toEqual([
      ['2022-01-01', 'North', 0, null, 'SO-0'],
      ['2022-01-02', 'East', 31, 79.19, 'SO-1'],
    ])
  })

  it('counts distinct values, not distinct spellings', async () => {
    const { columns } = await summaryFrom('a.csv', 'n,d,b\n1,2024-01-01,yes\n1.0,2024/1/1,YES\n1.00,2024-01-02,no\n')
    expect(columns.map(({ dtype, unique }) => [dtype, unique])).toEqual([
      ['number', 1],
      ['date', 2],
      ['boolean', 2],
    ])
  })

  it('gives a minimum of distinct values when there are too many to keep', async () => {
    const lines = Array.from({ length: 150_000 }, (_, n) => `${n},id${n},${n % 7}`)
    const { columns } = await summaryFrom('a.csv', `n,id,day\n${lines.join('\n')}`)
    expect(columns.map(({ unique, unique_at_least }) => [unique, unique_at_least])).toEqual([
      [null, 100_000],
      [null, 100_000],
      [7, 7],
    ])
    expect(columns[0]).toMatchObject({ min: 0, max: 149_999, mean: 74_999.5, non_null: 150_000 })
  })

  it('has no mean when the sum overflows', async () => {
    const { columns } = await summaryFrom('a.csv', 'n\n1e308\n1.5e308\n')
    expect(columns[0]).toMatchObject({ min: 1e308, max: 1.5e308, mean: null })
  })

  it('adds large and small numbers without losing the small ones', async () => {
    const { columns } = await summaryFrom('a.csv', `n\n1e16\n${'1\n'.repeat(999)}-1e16\n0\n0\n`)
    expect(columns[0]?.mean).toBe(999 / 1_003)
  })

  it('reads a word for "missing" only when it is the whole cell', async () => {
    const words = ['NA', 'N/A', 'n/a', '#N/A', '<NA>', 'NULL', 'null', 'None', 'NaN', 'nan', '-', '', ' ']
    const { columns, preview } = await summaryFrom(
      'a.csv',
      `n,w\n${words.map((word) => `${word},none`).join('\n')}\n3,Nancy\n`,
      { preview: 20 },
    )
    expect(columns).toMatchObject([
      { dtype: 'integer', null: words.length, unique: 1, mean: 3 },
      { dtype: 'text', null: 0, unique: 2, samples: ['none', 'Nancy'] },
    ])
    expect(preview.slice(0, -1).every(([cell]) => cell === null)).toBe(true)
  })
})

describe('columns', () => {
  const POOL = [
    '1',
    '2.50',
    '-0',
    '-0.5',
    '007',
    '1e3',
    '1e-05',
    '1e-7',
    '0.1234567890123456',
    '123456789012345678',
    '1,234',
    '1.234',
    '1.234,5',
    '$5',
    '€5',
    '7%',
    'x',
    'yes',
    'No',
    '2024-01-02',
    '2024/1/2',
    '1/2/2024',
    '13/2/2024',
    '2/13/2024',
    '2024-05',
    ' 8 ',
    '',
    'NA',
    '1000000000000000000000',
  ]
  const cells = fc.oneof(fc.constantFrom(...POOL), fc.double({ noNaN: true }).map(String), fc.integer().map(String))
  const table = fc.array(
    fc.oneof(
      fc.array(cells, { maxLength: 12 }),
      fc.constantFrom(...POOL).chain((one) => fc.array(fc.constantFrom(one, '3', ''), { maxLength: 90 })),
    ),
    { minLength: 1, maxLength: 4 },
  )

  it('have every cell as it is read, with the types of the summary', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom(',', ';'), async (drawn, delimiter) => {
        const length = Math.max(...drawn.map((column) => column.length))
        // A key keeps rows from being blank lines.
        const rows = Array.from({ length }, (_, row) => ['k', ...drawn.map((column) => column[row] ?? '')])
        const text = papa.unparse([['key', ...drawn.map((_, at) => `c${at}`)], ...rows], { delimiter })
        const [summary, { columns }] = [await summaryFrom('a.csv', text), await columnsFrom('a.csv', text)]
        expect(columns.columns.map(({ type }) => type)).toEqual(summary.columns.map(({ dtype }) => dtype))
        for (const [at, column] of drawn.entries()) {
          const present = column.filter((cell) => cell.trim() !== '' && cell !== 'NA')
          const forms = present.reduce((all, cell) => all & formBits(cell.trim()), EVERY)
          const kind = columnKindOf(forms, present.length > 0, delimiter === ';')
          const expected = rows.map((row) =>
            present.includes(row[at + 1] ?? '') ? cellValueOf(kind, row[at + 1] ?? '') : null,
          )
          expect(cellsOf(columns, `c${at}`)).toEqual(expected)
          const told = summary.columns[at + 1]
          expect(told).toMatchObject({
            dtype: kind.type,
            non_null: present.length,
            unique: new Set(expected.filter((cell) => cell !== null)).size,
          })
          const numbers = expected.filter((cell) => typeof cell === 'number')
          if (numbers.length > 0) expect([told?.min, told?.max]).toEqual([Math.min(...numbers), Math.max(...numbers)])
        }
      }),
      { numRuns: 300 },
    )
  })

  it('are text, with all cells as written, when only the last cell is text', async () => {
    const numbers = Array.from({ length: 40_000 }, (_, n) => [
      (n / 100).toFixed(n % 3),
      n % 5 === 0 ? '1e-05' : String(n / 7),
      `${n}`,
    ])
    const { columns } = await columnsFrom(
      'a.csv',
      ['a,b,c', ...numbers.map((row) => row.join(',')), 'x,y,z'].join('\n'),
    )
    expect(columns.columns.map(({ type }) => type)).toEqual(['text', 'text', 'text'])
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      expect(cellsOf(columns, name).slice(0, -1)).toEqual(numbers.map((row) => row[at]))
    }
  })

  it('store each word once, and words with the same meaning as one', async () => {
    const { columns } = await columnsFrom('a.csv', 'w,d\nb,2024/1/2\na,2024-01-02\nb,2024-01-01\nNA,\n')
    expect(columns.columns).toEqual([
      { name: 'w', type: 'text', codes: Uint32Array.of(1, 2, 1, 0), words: ['b', 'a'] },
      { name: 'd', type: 'date', codes: Uint32Array.of(1, 1, 2, 0), words: ['2024-01-02', '2024-01-01'] },
    ])
  })

  it('that would take too much memory are refused during reading, and the rest is not read', async () => {
    let pulled = 0
    const chunk = (at: number) =>
      new TextEncoder().encode(
        Array.from({ length: 1_000 }, (_, n) => `order ${at * 1_000 + n} of a customer with a long name\n`).join(''),
      )
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(pulled === 0 ? new TextEncoder().encode('w\n') : chunk(pulled))
        pulled += 1
      },
    })
    const read = await loadColumns({ ...fileOf('a.csv', ''), body }, null)
    if (read.ok || read.error.kind !== 'columns_too_large') throw new Error('it was taken')
    const { rows, columns, bytes_max } = read.error
    expect([columns, bytes_max]).toEqual([1, COLUMNS_BYTES_MAX])
    // More than a hundred bytes a row: as characters, as one of the distinct words, as a code.
    expect(rows).toBeLessThan(COLUMNS_BYTES_MAX / 100)
    expect(rows).toBeGreaterThan(COLUMNS_BYTES_MAX / 400)
    expect(pulled).toBeLessThan(rows / 1_000 + 20)
  })
})
