/** A dataset larger than an isolate can hold by all its columns: those that the code names are loaded, and the others are said not to be. */
import { describe, expect, it } from 'vitest'
import { fileEntry } from '../../src/core/terms/files/files.ts'
import { isNamedIn, WHOLE_BYTES_MAX } from '../../src/sandbox/dataset.ts'
import { sandboxRunner } from '../../src/sandbox/runner.ts'
import type { OpenFile } from '../../src/shell/ports.ts'

const REGIONS = ['North', 'South', 'East', 'West']
const HEADER = 'date,region,product,amount,order id\n'
const line = (n: number) =>
  `2024-${String((n % 12) + 1).padStart(2, '0')}-01,${REGIONS[n % 4]},Product number ${n % 100},${n % 1000},order-${1_000_000 + n}\n`
const CHUNK_ROWS = 5_000

/** So many rows, made as they are asked for. */
function fileOf(rows: number): OpenFile {
  const encoder = new TextEncoder()
  let [row, bytes] = [0, HEADER.length]
  for (let n = 0; n < rows; n += CHUNK_ROWS) bytes += CHUNK_ROWS * line(n).length
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(HEADER)),
    pull(controller) {
      if (row >= rows) return controller.close()
      const lines = Array.from({ length: CHUNK_ROWS }, (_, n) => line(row + n))
      row += CHUNK_ROWS
      controller.enqueue(encoder.encode(lines.join('')))
    },
  })
  return { entry: fileEntry({ name: 'big.csv', seq: 1, at: 0, bytes, source: 'client', blob: null }), body }
}

function run(code: string, dataset: OpenFile) {
  const job = {
    tenant: 'acme',
    code,
    dataset,
    sheet: null,
    results: null,
    key: 'task:1',
    timeout_ms: 30_000,
    locale: 'en' as const,
  }
  return sandboxRunner().run({ ...job, pause: () => Promise.resolve() })
}

describe('S1-18 a file that is larger than the memory of an isolate', () => {
  it('can have 50 MB: code that names two columns computes over all rows', { timeout: 120_000 }, async () => {
    const rows = 1_000_000
    const file = fileOf(rows)
    expect(file.entry.bytes).toBeGreaterThan(49_900_000)
    const ran = await run(
      "print(data.length, data.columns.length, data.types['da' + 'te'], data.types['order' + ' ' + 'id'])\nprint(data.groupBy('region', { total: ['sum', 'amount'], n: 'count' }))",
      file,
    )
    const totals = REGIONS.map((region, place) => {
      let total = 0
      for (let n = place; n < rows; n += 4) total += n % 1000
      return { region, total, n: rows / 4 }
    }).toSorted((one, other) => (one.region < other.region ? -1 : 1))
    expect(ran).toMatchObject({ ok: true, stderr: '' })
    expect(ran.stdout).toBe(`${rows} 5 date text\n${JSON.stringify(totals)}`)
  })

  const LARGE = 200_000
  it.each([
    ['a column by a name that is put together', "data.numbers('am' + 'ount')", 'amount'],
    ['one of data.columns', "data.values('region'); data.columns.map((name) => data.values(name))", 'date'],
    ['a filter that looks at another one', "data.filter((row) => row['am' + 'ount'] > 1 && row.region)", 'amount'],
    ['rows that are asked for another one', "data.rows(2).map((row) => [row.region, row['am' + 'ount']])", 'amount'],
    ['rows where none was named', 'data.rows(2)', 'date'],
  ])('with %s is an error that says what to write', async (_name, code, column) => {
    const file = fileOf(LARGE)
    expect(file.entry.bytes).toBeGreaterThan(WHOLE_BYTES_MAX)
    const { ok, stderr } = await run(code, file)
    expect(ok).toBe(false)
    expect(stderr).toContain(
      `column "${column}" is not loaded: the file is large; write its name literally in the code`,
    )
  })

  it('has only the loaded columns in its rows', async () => {
    const { ok, stdout } = await run(
      "print(data.rows(2)); print(data.filter((row) => row.amount === 7).length, 'order id')",
      fileOf(LARGE),
    )
    expect({ ok, stdout }).toEqual({
      ok: true,
      stdout: '[{"amount":0,"order id":"order-1000000"},{"amount":1,"order id":"order-1000001"}]\n200 order id',
    })
  })

  it('has all its columns when it is small, named or not', async () => {
    const { ok, stdout } = await run(
      "print(Object.keys(data.rows(1)[0]).length, data.numbers('am' + 'ount').length)",
      fileOf(5_000),
    )
    expect({ ok, stdout }).toEqual({ ok: true, stdout: '5 5000' })
  })
})

describe('a name in code', () => {
  it.each([
    ["data.values('a')", 'a', true],
    ['row.a + 1', 'a', true],
    ['data.values', 'a', false],
    ["data.numbers('amounts')", 'amount', false],
    ["data.numbers('订单金额')", '订单金额', true],
    ['data.numbers("a \\"b\\"")', 'a "b"', true],
    ["data.numbers('it\\'s')", "it's", true],
    ['data.numbers("a\\\\b")', 'a\\b', true],
    ['data.numbers(`c %`)', 'c %', true],
    ['data.numbers("x")', 'y', false],
  ])('%s names %s: %s', (code, name, named) => {
    expect(isNamedIn(code, name)).toBe(named)
  })
})
