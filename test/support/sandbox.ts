/** Runs code in the sandbox as the tool would, over columns that a test writes down. */
import type { Column, ColumnTable } from '../../src/datasets/table.ts'
import { fileEntry } from '../../src/core/terms/files/files.ts'
import { sandboxRunner } from '../../src/sandbox/runner.ts'
import type { CodeJob, CodeRun, OpenFile } from '../../src/shell/ports.ts'

/** By column: numbers with null for missing, or texts. */
export type Cells = Record<string, { type: Column['type']; cells: readonly (string | number | null)[] }>

export function columnsOf(cells: Cells, name = 'sales.csv'): ColumnTable {
  const columns = Object.entries(cells).map(([name, { type, cells }]): Column => {
    if (type === 'integer' || type === 'number') {
      return { name, type, values: Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : Number(cell))) }
    }
    const words = [...new Set(cells.filter((cell) => cell !== null).map(String))]
    const places = new Map(words.map((word, place) => [word, place + 1]))
    return {
      name,
      type,
      words,
      codes: Uint32Array.from(cells, (cell) => (cell === null ? 0 : (places.get(String(cell)) ?? 0))),
    }
  })
  return { name, length: Object.values(cells)[0]?.cells.length ?? 0, columns }
}

const FILE: OpenFile = {
  entry: fileEntry({ name: 'sales.csv', seq: 0, at: 0, bytes: 0, source: 'client', blob: null }),
  body: new ReadableStream(),
}

export const JOB: CodeJob = {
  tenant: 'acme',
  code: '',
  dataset: null,
  sheet: null,
  results: null,
  key: 'task:1',
  timeout_ms: 30_000,
  locale: 'en',
  pause: () => Promise.resolve(),
}

interface Given extends Partial<CodeJob> {
  columns?: ColumnTable
  /** A smaller amount of fuel stops the run in the same way, only sooner. */
  fuel?: number
}

export function run(code: string, { columns, fuel, ...job }: Given = {}): Promise<CodeRun> {
  const load = () => Promise.resolve(columns ?? { refused: 'no columns in this test' })
  const runner = sandboxRunner(fuel === undefined ? { load } : { load, fuel })
  const dataset = columns === undefined ? null : FILE
  return runner.run({ ...JOB, code, dataset, ...job })
}
