/** The data kit by its functions, each against numbers that are worked out another way, outside the sandbox (S1-17, docs/data-kit.md). */
import { describe, expect, it } from 'vitest'
import { SANDBOX_PROMPT } from '../../src/core/mode/sandbox-prompt.ts'
import { columnsOf, run } from '../support/sandbox.ts'

/** 1,000 orders over two years, by a generator of our own; some cells are missing. */
const REGIONS = ['North', 'South', 'East', '华东']
const ROWS = Array.from({ length: 1_000 }, (_, place) => {
  const draw = (place * 48_271 + 11) % 2_147
  const day = new Date(Date.UTC(2023, 0, 1) + ((place * 7_919) % 731) * 86_400_000).toISOString().slice(0, 10)
  return {
    region: draw % 17 === 0 ? null : (REGIONS[draw % 4] ?? null),
    amount: draw % 13 === 0 ? null : Math.round(draw * 37.7) / 100 - 100,
    quantity: draw % 9,
    day: draw % 29 === 0 ? null : day,
    paid: draw % 3 === 0 ? 'true' : 'false',
  }
})
type Row = (typeof ROWS)[number]
const cells = (name: keyof Row) => ROWS.map((row) => row[name])
const columns = columnsOf({
  region: { type: 'text', cells: cells('region') },
  amount: { type: 'number', cells: cells('amount') },
  quantity: { type: 'integer', cells: cells('quantity') },
  day: { type: 'date', cells: cells('day') },
  paid: { type: 'boolean', cells: cells('paid') },
})
const known = <T>(values: (T | null)[]): T[] => values.filter((value) => value !== null)

/** What the code returns, as JSON. */
async function valueOf(code: string): Promise<unknown> {
  const { ok, results, stderr } = await run(`saveResult('value', (() => { ${code} })())`, { columns })
  expect({ ok, stderr }).toEqual({ ok: true, stderr: '' })
  return JSON.parse(results ?? '').value
}
/** By group, in the order of groups. */
function grouped<K>(rows: Row[], key: (row: Row) => K): [K, Row[]][] {
  const groups = new Map<string, [K, Row[]]>()
  for (const row of rows) {
    const group = groups.get(JSON.stringify(key(row))) ?? [key(row), []]
    group[1].push(row)
    groups.set(JSON.stringify(key(row)), group)
  }
  return [...groups.values()]
}
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const amounts = (rows: Row[]) => known(rows.map(({ amount }) => amount))
const sorted = (values: number[]) => values.toSorted((a, b) => a - b)
/** Linear between neighbours, as numpy, pandas and d3 have it. */
function quantile(values: number[], at: number): number | null {
  const all = sorted(values)
  const place = (all.length - 1) * at
  const [low, high] = [all[Math.floor(place)], all[Math.ceil(place)]]
  return low === undefined || high === undefined ? null : low + (high - low) * (place % 1)
}
function deviation(values: number[]): number {
  const mean = sum(values) / values.length
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1))
}

describe('S1-17 data', () => {
  it('has its name, columns, types and length', async () => {
    expect(await valueOf('return [data.name, data.columns, data.types, data.length]')).toEqual([
      'sales.csv',
      ['region', 'amount', 'quantity', 'day', 'paid'],
      { region: 'text', amount: 'number', quantity: 'integer', day: 'date', paid: 'boolean' },
      1_000,
    ])
  })

  it('gives values with null for missing ones, numbers without them, and truth values as such', async () => {
    expect(await valueOf('return data.values("amount")')).toEqual(cells('amount'))
    expect(await valueOf('return data.values("region")')).toEqual(cells('region'))
    expect(await valueOf('return Array.from(data.numbers("amount"))')).toEqual(known(cells('amount')))
    expect(await valueOf('return data.values("paid")')).toEqual(cells('paid').map((word) => word === 'true'))
  })

  it('gives all rows or the first ones as objects, and can be iterated like an array', async () => {
    const rows = ROWS.map((row) => ({ ...row, paid: row.paid === 'true' }))
    expect(await valueOf('return data.rows(3)')).toEqual(rows.slice(0, 3))
    expect(await valueOf('return data.rows().slice(-2)')).toEqual(rows.slice(-2))
    expect(await valueOf('return data.map((row) => row.quantity).slice(0, 5)')).toEqual(
      rows.slice(0, 5).map((row) => row.quantity),
    )
    expect(await valueOf('let n = 0; for (const row of data) n += row.quantity; return n')).toBe(
      sum(ROWS.map((row) => row.quantity)),
    )
  })

  it('filters by a function and by values, and the result has the same functions', async () => {
    const left = ROWS.filter((row) => row.amount !== null && row.amount > 200)
    expect(
      await valueOf('const left = data.filter((row) => row.amount > 200); return [left.length, left.values("day")]'),
    ).toEqual([left.length, left.map(({ day }) => day)])
    const some = ROWS.filter(({ region, paid }) => (region === 'North' || region === '华东') && paid === 'true')
    const code =
      'return data.where({ region: ["North", "华东"], paid: true }).groupBy("region", { total: ["sum", "quantity"] })'
    expect(await valueOf(code)).toEqual(
      ['North', '华东'].map((region) => ({
        region,
        total: sum(some.filter((row) => row.region === region).map((row) => row.quantity)),
      })),
    )
    expect(await valueOf('return data.filter(({ region }) => region === null).where({ paid: true }).length')).toBe(
      ROWS.filter(({ region, paid }) => region === null && paid === 'true').length,
    )
  })

  it.each([
    ['data.values("nope")', /there is no column "nope"; columns: region, amount, quantity, day, paid/],
    ['data.groupBy("region", { a: ["mean", "day"] })', /mean needs numbers, and column "day" has dates/],
    [
      'data.groupBy("region", { a: "median" })',
      /"a" is to be 'count' or \[function, column\].*functions: sum, mean, count/,
    ],
    ['data.groupBy("region", { a: ["constructor", "amount"] })', /functions: sum, mean, count/],
    ['data.byPeriod("day", "decade")', /one of day, week, month, quarter, year, not decade/],
    ['data.byPeriod("region", "month")', /column "region" \(text\) has no dates in it such as "/],
    ['data.filter({ region: "North" })', /filter needs a function/],
    ['data.numbers("region")', /column "region" has texts, no numbers/],
    ['stats.mean(data.values("amount"))', /stats.mean: some values are missing \(null\); take data.numbers/],
    ['chart.line({ title: "x" })', /chart.line needs y, or series/],
    ['chart.line({ x: [1, 2], y: [1] })', /x has 2 values and "y" 1/],
    ['chart.pie({ labels: ["a"], values: [-1] })', /a pie has no negative values/],
    ['chart.bar({ x: [], y: [] })', /x is empty/],
    ['chart.bar(5)', /chart.bar needs one object/],
  ])('%s says what to do instead', async (code, said) => {
    const { ok, stderr } = await run(code, { columns })
    expect(ok).toBe(false)
    expect(stderr).toMatch(said)
  })

  it('is empty without a dataset, and says so', async () => {
    expect(await run('print(data.length, data.columns, data.rows())')).toMatchObject({ ok: true, stdout: '0 [] []' })
    expect((await run('data.values("a")')).stderr).toMatch(/there is no dataset/)
  })
})

describe('S1-17 data.groupBy and data.byPeriod', () => {
  it('compute each function for each group, without missing values', async () => {
    const spec = `{ n: 'count', present: ['count', 'amount'], total: ['sum', 'amount'], avg: ['mean', 'amount'], mid: ['median', 'amount'],
      low: ['min', 'amount'], high: ['max', 'amount'], sd: ['std', 'amount'], q1: ['q1', 'amount'], q3: ['q3', 'amount'],
      days: ['distinct', 'day'], first: ['first', 'day'], last: ['last', 'day'], earliest: ['min', 'day'], latest: ['max', 'day'] }`
    const made = await valueOf(`return data.groupBy('region', ${spec})`)
    const expected = grouped(ROWS, ({ region }) => region)
      .toSorted(([a], [b]) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1))
      .map(([region, rows]) => {
        const values = amounts(rows)
        const days = known(rows.map(({ day }) => day))
        return {
          region,
          n: rows.length,
          present: values.length,
          total: expect.closeTo(sum(values), 6),
          avg: expect.closeTo(sum(values) / values.length, 8),
          mid: expect.closeTo(quantile(values, 0.5) ?? Number.NaN, 8),
          low: Math.min(...values),
          high: Math.max(...values),
          sd: expect.closeTo(deviation(values), 8),
          q1: expect.closeTo(quantile(values, 0.25) ?? Number.NaN, 8),
          q3: expect.closeTo(quantile(values, 0.75) ?? Number.NaN, 8),
          days: new Set(days).size,
          first: days[0],
          last: days.at(-1),
          earliest: days.toSorted()[0],
          latest: days.toSorted().at(-1),
        }
      })
    expect(made).toEqual(expected)
    expect(expected).toHaveLength(5)
  })

  it('group by several keys, by numbers and truth values, with custom functions, and count by default', async () => {
    const made = await valueOf(
      'return data.groupBy(["paid", "quantity"], { n: "count", best: (group) => d3.max(group.numbers("amount")) ?? null })',
    )
    const expected = grouped(ROWS, ({ paid, quantity }) => ({ paid: paid === 'true', quantity }))
      .map(([key, rows]) => ({
        ...key,
        n: rows.length,
        best: amounts(rows).length === 0 ? null : Math.max(...amounts(rows)),
      }))
      .toSorted((a, b) => Number(a.paid) - Number(b.paid) || a.quantity - b.quantity)
    expect(made).toEqual(expected)
    expect(await valueOf('return data.groupBy("paid")')).toEqual([
      { paid: false, count: ROWS.filter(({ paid }) => paid === 'false').length },
      { paid: true, count: ROWS.filter(({ paid }) => paid === 'true').length },
    ])
  })

  it('accept the names that models know from other libraries, and the order of column and function in pandas', async () => {
    const one = await valueOf(
      'return data.groupBy("region", { a: ["amount", "avg"], b: ["nunique", "day"], c: ["stddev", "amount"] })',
    )
    const other = await valueOf(
      'return data.groupBy("region", { a: ["mean", "amount"], b: ["distinct", "day"], c: ["std", "amount"] })',
    )
    expect(one).toEqual(other)
  })

  it.each([
    ['day', (day: string) => day],
    ['month', (day: string) => day.slice(0, 7)],
    ['quarter', (day: string) => `${day.slice(0, 4)}-Q${Math.floor((Number(day.slice(5, 7)) + 2) / 3)}`],
    ['year', (day: string) => day.slice(0, 4)],
  ] as const)('group by %s, in the order of time, without rows that have no date', async (unit, label) => {
    const made = await valueOf(`return data.byPeriod('day', '${unit}', { total: ['sum', 'amount'], n: 'count' })`)
    const dated = ROWS.flatMap((row) => (row.day === null ? [] : [{ row, period: label(row.day) }]))
    const periods = [...new Set(dated.map(({ period }) => period))].toSorted()
    const expected = periods.map((period) => {
      const rows = dated.flatMap((one) => (one.period === period ? [one.row] : []))
      return { period, total: expect.closeTo(sum(amounts(rows)), 6), n: rows.length }
    })
    expect(made).toEqual(expected)
  })

  it('use the weeks of ISO 8601, across the turn of a year too', async () => {
    const days = ['2020-12-31', '2021-01-03', '2021-01-04', '2024-12-30', '2026-12-28', '2027-01-03', '2027-01-04']
    const ran = await run(
      'print(data.byPeriod("day", "week", { n: "count" }).map((one) => one.period + ":" + one.n).join(" "))',
      {
        columns: columnsOf({ day: { type: 'date', cells: days } }),
      },
    )
    expect(ran.stdout).toBe('2020-W53:2 2021-W01:1 2025-W01:1 2026-W53:2 2027-W01:1')
  })

  it('group by period and another column, and accept dates in other forms', async () => {
    const made = await valueOf('return data.byPeriod("day", "year", { n: "count" }, "region")')
    expect(made).toHaveLength(10)
    expect(sum((made as { n: number }[]).map(({ n }) => n))).toBe(ROWS.filter(({ day }) => day !== null).length)
    const cells = ['2024/3/1 10:00', '20240302', '2024年3月3日', '2024.12.1', '2024-13-01', 'soon', null]
    const ran = await run('data.byPeriod("when", "month")', { columns: columnsOf({ when: { type: 'text', cells } }) })
    expect(JSON.parse(ran.stdout)).toEqual([
      { period: '2024-03', count: 3 },
      { period: '2024-12', count: 1 },
    ])
    const years = columnsOf({ year: { type: 'integer', cells: [2021, 2020, 2021] } })
    expect(JSON.parse((await run('data.byPeriod("year", "year")', { columns: years })).stdout)).toEqual([
      { period: '2020', count: 1 },
      { period: '2021', count: 2 },
    ])
  })
})

describe('S1-17 d3 and stats', () => {
  it('are complete and correct', async () => {
    const values = amounts(ROWS)
    expect(
      await valueOf(
        'const a = data.numbers("amount"); return [d3.mean(a), d3.deviation(a), d3.quantile(a, 0.9), d3.extent(a)]',
      ),
    ).toEqual([
      expect.closeTo(sum(values) / values.length, 8),
      expect.closeTo(deviation(values), 8),
      expect.closeTo(quantile(values, 0.9) ?? Number.NaN, 8),
      [Math.min(...values), Math.max(...values)],
    ])
    expect(
      await valueOf(
        'const a = data.numbers("amount"); return [stats.mean(a), stats.sampleStandardDeviation(a), stats.medianSorted(Array.from(a).sort(d3.ascending))]',
      ),
    ).toEqual([
      expect.closeTo(sum(values) / values.length, 8),
      expect.closeTo(deviation(values), 8),
      expect.closeTo(quantile(values, 0.5) ?? Number.NaN, 8),
    ])
    const line = await valueOf('return stats.linearRegression([[0, 1], [1, 3], [2, 5], [3, 7]])')
    expect(line).toEqual({ m: expect.closeTo(2, 10), b: expect.closeTo(1, 10) })
    const pairs = 'data.numbers("amount").filter((value) => value > 0).map((value, place) => [place, 2 * place + 1])'
    const sorted = 'const a = data.numbers("amount").map((_, place) => 10 - place).sort()'
    expect(await valueOf(`${sorted}; return [a[0] - a[1], a.at(-1)]`)).toEqual([-1, 10])
    expect(await valueOf(`return stats.linearRegression(${pairs})`)).toEqual({
      m: expect.closeTo(2, 10),
      b: expect.closeTo(1, 10),
    })
    expect(await valueOf('return Object.keys(d3).length > 70 && Object.keys(stats).length > 90')).toBe(true)
    expect(await valueOf('return [...d3.rollup(data.rows(), (v) => v.length, (row) => row.paid)]')).toEqual(
      grouped(ROWS, ({ paid }) => paid === 'true').map(([paid, rows]) => [paid, rows.length]),
    )
  })
})

describe('S1-18 results and output', () => {
  it('a result is one member of result.json, and results of earlier runs stay', async () => {
    const { results } = await run(
      'saveResult("new", d3.range(3)); saveResult({ a: 2, b: new Map([["x", new Set([1])]]) })',
      {
        results: '{"old": {"x": 1}, "a": 1}',
      },
    )
    expect(JSON.parse(results ?? '')).toEqual({ old: { x: 1 }, a: 2, new: [0, 1, 2], b: { x: [1] } })
    expect((await run('readResults().old.x + 1', { results: '{"old": {"x": 1}}' })).stdout).toBe('2')
    expect((await run('print(1)', { results: '{"old": 1}' })).results).toBe(null)
    expect((await run('saveResult("a", 1)', { results: 'no json' })).results).toBe('{\n  "a": 1\n}\n')
  })

  it('a value that JSON cannot hold becomes the nearest one that it can', async () => {
    const code =
      'saveResult("all", { nan: NaN, date: new Date(0), big: 7n, huge: 2n ** 80n, typed: new Float64Array([1.5]), none: undefined, f: () => 1, error: new TypeError("m") })'
    expect(JSON.parse((await run(code)).results ?? '')).toEqual({
      all: {
        nan: null,
        date: '1970-01-01T00:00:00.000Z',
        big: 7,
        huge: '1208925819614629174706176',
        typed: [1.5],
        error: 'TypeError: m',
      },
    })
  })

  it('console.log, print and console.table print; warnings go to stderr', async () => {
    const ran = await run(
      'console.log("a", 1, null, [1], { b: 2 }); print(undefined, true); console.table([{ a: 1, b: "x" }, { a: 2 }]); console.warn("careful")',
    )
    expect(ran).toMatchObject({ ok: true, stderr: 'careful' })
    expect(ran.stdout).toBe('a 1 null [1] {"b":2}\nundefined true\na | b\n1 | x\n2 | undefined')
  })

  it('numbers are written with English thousands separators', async () => {
    const code =
      'print((1234567.891).toLocaleString(), (0.256).toLocaleString("en", { style: "percent" }), (-1234.5).toLocaleString("en", { minimumFractionDigits: 2 }), (5).toLocaleString())'
    expect((await run(code)).stdout).toBe('1,234,567.891 26% -1,234.50 5')
  })

  it.each([
    ['the last value of a script that prints nothing', 'const a = 20\na + 1', '21'],
    ['nothing beside what a script prints', 'print("x")\n5', 'x'],
    ['top-level await', 'const a = await Promise.resolve(3)\nprint(a)', '3'],
    ['a returned value', 'const a = 4\nreturn a', '4'],
    ['a main function at the end', 'async function main() { await null; print("in main") }\nmain()', 'in main'],
    ['an async function called at once', '(async () => { print(await 7) })()', '7'],
    ['await in front of a bracket', 'await (async () => print("done"))()', 'done'],
    ['names without a declaration', 'total = 2\nprint(total)', '2'],
    ['names of the kit declared again', 'const data = [1]; let chart = 2; print(data.length, chart)', '1 2'],
    ['a comment at the end', 'return 8 // done', '8'],
    [
      'newer syntax',
      'class A { #b = 1; static c = [3, 1].toSorted(); get b() { return this.#b } }; print(new A().b ?? 0, A.c, Object.groupBy)',
      '1 [1,3] [function groupBy]',
    ],
  ])('%s', async (_name, code, stdout) => {
    expect(await run(code)).toMatchObject({ ok: true, stdout, stderr: '' })
  })

  it.each([
    [
      'const a = 1\nconst b = a.x.y\n',
      /^TypeError: cannot read property 'y' of undefined\n {2}at line 2: const b = a\.x\.y$/,
    ],
    [
      'await null\n\nboom()',
      /^ReferenceError: 'boom' is not defined\nEach call starts afresh, so boom of an earlier call is gone: .*saveResult.*readResults\(\)\.\n {2}at line 3: boom\(\)$/,
    ],
    ['const a = ;', /^SyntaxError: .*\n {2}at line 1: const a = ;$/],
    [
      'print(1)\nconst f = () => {\n  throw new Error("mine")\n}\nf()',
      /^Error: mine\n {2}at line 3: .*\n {2}at line 5: f\(\)$/,
    ],
    ['data.values("x")', /^Error: there is no column "x".*\n {2}at line 1: data\.values\("x"\)$/],
    ['import pandas from "pandas"', /Nothing can be imported/],
    ['const d3 = require("d3")', /require is not available here.*There are data, d3/],
    ['main()\nasync function main() { await null; throw new Error("late") }', /^Error: late\n/],
  ])('an error names the line of the code: %s', async (code, said) => {
    const { ok, stderr } = await run(code, { columns })
    expect(ok).toBe(false)
    expect(stderr).toMatch(said)
  })

  it('errors of the kit are in the language of the task', async () => {
    expect((await run('for (;;);', { locale: 'zh' })).stderr).toMatch(/^已停止：代码运行过久/)
    expect((await run('fetch(1)', { locale: 'zh' })).stderr).toMatch(/这里没有 fetch/)
  })
})

describe('S1-18 the card', () => {
  it('is short enough for the description of a tool, and its example runs', async () => {
    for (const [locale, card] of Object.entries(SANDBOX_PROMPT)) {
      expect(card.length).toBeLessThanOrEqual(1_500)
      const [, example = ''] = card.split(/^(?:Example:|示例：)$/m)
      const ran = await run(example.replaceAll("'date'", "'day'"), { columns })
      expect({ locale, ...ran }).toMatchObject({ locale, ok: true, stderr: '', charts: [{ extension: 'svg' }] })
    }
  })
})

describe('a sample of a large table', () => {
  const counted = (length: number) =>
    columnsOf({
      n: { type: 'integer', cells: Array.from({ length }, (_, place) => place + 1) },
      day: { type: 'text', cells: Array.from({ length }, (_, place) => `d${place % 5}`) },
    })
  const over = async (length: number, code: string) =>
    JSON.parse((await run(`saveResult('value', ${code})`, { columns: counted(length) })).results ?? '').value as unknown

  it('data.sample(n) has one row from each of n equal sections, in order, and the same each time', async () => {
    const first = await over(10_000, `data.sample(1000).values('n')`)
    expect(await over(10_000, `data.sample(1000).values('n')`)).toEqual(first)
    const rows = first as number[]
    expect(rows).toHaveLength(1_000)
    for (const [place, row] of rows.entries()) expect(Math.floor((row - 1) / 10)).toBe(place)
    expect(new Set((await over(1_300, `data.sample(1000).values('n')`)) as number[])).toHaveProperty('size', 1_000)
  })

  it.each([2_000, 4_000, 6_000, 6_667, 9_000])(
    'a regular pattern of the file does not distort the sample: %i of 10,000',
    async (most) => {
      const groups = (await over(10_000, `data.sample(${most}).groupBy('day', { n: 'count' })`)) as { n: number }[]
      expect(groups).toHaveLength(5)
      expect(groups.reduce((sum, { n }) => sum + n, 0)).toBe(most)
      for (const { n } of groups) expect(Math.abs(n - most / 5)).toBeLessThan(most / 100)
    },
  )

  it('a sample has all rows of a small table; a filtered table has a sample too; each row knows its place in the file', async () => {
    expect(await over(100, `data.sample(100).values('n')`)).toEqual(await over(100, `data.values('n')`))
    expect(await over(100, `data.sample(1e9).length`)).toBe(100)
    const code = `(() => { const part = data.where({ day: 'd3' }).sample(7); return [part.values('n'), [0, 1, 2, 3, 4, 5, 6].map((at) => part.rowNumber(at))] })()`
    const [values, places] = (await over(100, code)) as [number[], number[]]
    expect(values).toHaveLength(7)
    expect(places).toEqual(values)
  })

  it.each(['', '0', '-1', `'many'`, 'NaN'])(
    'data.sample(%s) is an error that says which argument is needed',
    async (given) => {
      const { ok, stderr } = await run(`data.sample(${given})`, { columns: counted(10) })
      expect({ ok, stderr }).toMatchObject({ ok: false, stderr: expect.stringContaining('data.sample(200000)') })
    },
  )

  it.each([
    ['en', 300_000, false],
    ['en', 300_001, true],
    ['zh', 300_001, true],
  ] as const)(
    'S1-17 the error of code that was stopped over a large table advises data.sample: %s, %i rows',
    async (locale, length, told) => {
      for (const code of ['for (;;);', `data.map((row) => row)`]) {
        const { ok, stderr } = await run(code, { columns: counted(length), locale, fuel: 3_000_000 })
        expect(ok).toBe(false)
        expect(stderr.includes('data.sample(200000)')).toBe(told)
      }
    },
  )
})
