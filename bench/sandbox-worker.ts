/** The sandbox alone in a Worker: `GET /?case=<name>` runs one case of bench/sandbox-cases.ts and answers with what became of it. */
import type { ColumnTable } from '../src/datasets/table.ts'
import { fileEntry } from '../src/core/terms/files/files.ts'
import { sandboxRunner, type RunCost } from '../src/sandbox/runner.ts'
import type { OpenFile } from '../src/shell/ports.ts'
import { CASES } from './sandbox-cases.ts'

const ROWS = 100_000
const REGIONS = ['North', 'South', 'East', 'West', 'Central']
const WORDS = Array.from({ length: 200 }, (_, place) => `product ${place}`)
const DAYS = Array.from({ length: 730 }, (_, place) =>
  new Date(Date.UTC(2023, 0, 1 + place)).toISOString().slice(0, 10),
)

const numbers = (value: (row: number) => number) => Float64Array.from({ length: ROWS }, (_, row) => value(row))
const codes = (count: number, step: number) =>
  Uint32Array.from({ length: ROWS }, (_, row) => (row % 97 === 0 ? 0 : 1 + ((row * step) % count)))

/** Six columns of 100,000 rows, a hundredth missing. */
const COLUMNS: ColumnTable = {
  name: 'sales.csv',
  length: ROWS,
  columns: [
    { name: 'date', type: 'date', codes: codes(730, 7_919), words: DAYS },
    { name: 'region', type: 'text', codes: codes(5, 31), words: REGIONS },
    { name: 'product', type: 'text', codes: codes(200, 17), words: WORDS },
    { name: 'paid', type: 'boolean', codes: codes(2, 1), words: ['true', 'false'] },
    { name: 'quantity', type: 'integer', values: numbers((row) => (row * 13) % 21) },
    {
      name: 'amount',
      type: 'number',
      values: numbers((row) => (row % 89 === 0 ? Number.NaN : ((row * 7_919) % 100_003) / 7)),
    },
  ],
}
const FILE = fileEntry({ name: 'sales.csv', seq: 0, at: 0, bytes: 0, source: 'client', blob: null })

export default {
  async fetch(request: Request): Promise<Response> {
    const code = CASES.find(({ name }) => name === new URL(request.url).searchParams.get('case'))?.code
    if (code === undefined) return new Response(null, { status: 404 })
    const dataset: OpenFile = { entry: FILE, body: new ReadableStream() }
    const pause = () => Promise.resolve()
    const job = {
      pause,
      code,
      dataset,
      sheet: null,
      results: null,
      tenant: 'bench',
      key: 'task:1',
      timeout_ms: 30_000,
      locale: 'en' as const,
    }
    let spent: RunCost = { fuel: 0, memory_bytes: 0 }
    const runner = sandboxRunner({ load: () => Promise.resolve(COLUMNS), spent: (by) => (spent = by) })
    const { ok, stdout, stderr, charts } = await runner.run(job)
    return Response.json({ ok, stdout, stderr, charts: charts.map(({ content }) => content.length), spent })
  },
}
