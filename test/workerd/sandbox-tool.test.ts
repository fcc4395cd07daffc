/** `run_code` as a task has it: a CSV file in, real code in the sandbox, a chart and result.json kept (S1-17, S1-18, O1-07). */
import { expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import { sandboxRunner } from '../../src/sandbox/runner.ts'
import type { Files, OpenFile } from '../../src/shell/ports.ts'
import type { ToolContext } from '../../src/shell/tool-ports.ts'
import { runCode } from '../../src/tools/run-code/tool.ts'

const ROWS = Array.from({ length: 2_000 }, (_, row) => ({
  date: new Date(Date.UTC(2024, 0, 1 + (row % 366))).toISOString().slice(0, 10),
  region: ['North', 'South', '华东'][(row * 7) % 3] ?? '',
  amount: row % 50 === 0 ? '' : String(((row * 7_919) % 10_007) / 100),
}))
const CSV = `date,region,amount\n${ROWS.map(({ date, region, amount }) => `${date},${region},${amount}`).join('\n')}\n`

const CODE = `const byRegion = data.groupBy('region', { total: ['sum', 'amount'], n: 'count', present: ['count', 'amount'] })
const byMonth = data.byPeriod('date', 'month', { total: ['sum', 'amount'] })
chart.bar({ title: 'By region', data: byRegion, x: 'region', y: 'total' })
saveResult('regions', byRegion)
saveResult('months', byMonth.map((month) => month.total))
print(data.types.date, data.types.amount, data.length)`

function task() {
  const kept = new Map<string, { seq: number; content: string | Uint8Array<ArrayBuffer> }>([
    ['sales.csv', { seq: 0, content: CSV }],
  ])
  const opened = (name: string): OpenFile | null => {
    const file = kept.get(name)
    if (file === undefined) return null
    const blob = new Blob([file.content])
    // What a file says of itself beside these members is of no matter here.
    return { entry: { name, seq: file.seq, at: 0, bytes: blob.size } as OpenFile['entry'], body: blob.stream() }
  }
  const files: Files = {
    list: () => Promise.resolve({ ok: true, value: [...kept.keys()].flatMap((name) => opened(name)?.entry ?? []) }),
    open: (_of, name) => Promise.resolve({ ok: true, value: opened(name) }),
    write: (_of, { name, seq, content }) => {
      kept.set(name, { seq, content })
      return Promise.resolve({ ok: true, value: 'written' as const })
    },
  }
  const tool = runCode({ files, javascript: sandboxRunner(), python: null })
  const call = (seq: number): ToolContext => ({
    tenant: 'acme',
    task: 'task_a',
    key: `task_a:${seq}`,
    now_ms: 0,
    timezone: 'UTC',
    locale: 'en',
    settings: DEFAULT_SETTINGS,
    timeout_ms: 30_000,
    traceparent: null,
  })
  return {
    kept,
    run: async (code: string, seq: number) => JSON.parse((await tool.run(JSON.stringify({ code }), call(seq))).text),
  }
}

const sum = (rows: typeof ROWS) => rows.reduce((total, { amount }) => total + Number(amount), 0)

it('S1-18 reads a CSV file, computes the same as an independent computation, and stores a chart and the results of all runs', async () => {
  const { kept, run } = task()
  const told = await run(CODE, 5)
  const regions = ['North', 'South', '华东'].map((region) => {
    const rows = ROWS.filter((row) => row.region === region)
    return {
      region,
      total: expect.closeTo(sum(rows), 6),
      n: rows.length,
      present: rows.filter(({ amount }) => amount !== '').length,
    }
  })
  const months = Array.from({ length: 12 }, (_, month) =>
    expect.closeTo(sum(ROWS.filter(({ date }) => Number(date.slice(5, 7)) === month + 1)), 6),
  )
  expect(told).toEqual({
    tool: 'run_code',
    status: 'success',
    stdout: 'date number 2000',
    stderr: '',
    has_image: true,
    artifacts: ['chart-1.svg', 'result.json'],
    result: { regions, months },
  })
  expect(String(kept.get('chart-1.svg')?.content)).toMatch(/^<svg .*By region.*<\/svg>$/s)
  const next = await run(
    'saveResult("second", Object.keys(readResults()).length); chart.pie({ labels: ["a"], values: [1] })',
    9,
  )
  expect(next).toMatchObject({ status: 'success', artifacts: ['chart-2.svg', 'result.json'], result: { second: 2 } })
  expect(Object.keys(JSON.parse(String(kept.get('result.json')?.content)))).toEqual(['regions', 'months', 'second'])
})

it('O1-08 reports failed code as an error with its line, and explains why a file is not a table', async () => {
  const { kept, run } = task()
  expect(await run('print("a")\ndata.values("price")', 5)).toMatchObject({
    status: 'error',
    stdout: 'a',
    stderr: expect.stringMatching(/there is no column "price"; columns: date, region, amount\n {2}at line 2/),
    artifacts: [],
  })
  kept.set('sales.csv', { seq: 0, content: '' })
  expect(await run('print(data.length)', 6)).toMatchObject({
    status: 'error',
    stderr: expect.stringMatching(/^sales\.csv: The file is empty/),
  })
})
