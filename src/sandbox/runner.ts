/**
 * Runs JavaScript that a model has written, over a dataset, in an interpreter that is created for it and thrown away after it (U27). The code can
 * reach its columns and the kit, and nothing that acts; its output is data.
 */
import type { ColumnTable } from '../datasets/table.ts'
import type { CodeJob, CodeRun, CodeRunner } from '../shell/ports.ts'
import { WORKBOOKS } from '../datasets/formats/workbook/bounds.ts'
import { datasetLoader, type DatasetLoader } from './dataset.ts'
import { bootGuest } from './guest.ts'
import { CODE_CHARS_MAX, FUEL, FUEL_KEPT } from './limits.ts'
import { openMachine } from './machine.ts'
import { evaluateCode } from './evaluate.ts'
import { membersOf, newRunOutput, type RunOutput } from './run-output.ts'
import { RUN_WORDS, type RunWords } from './words.ts'

const NO_COLUMNS: ColumnTable = { name: '', length: 0, columns: [] }

/** The part of its limits that a run has used (limits.ts). */
export interface RunCost {
  fuel: number
  memory_bytes: number
}

interface SandboxOptions {
  load?: DatasetLoader
  /** Called after each run. */
  spent?: (by: RunCost) => void
  /** Less than the full amount, for tests that stop a run early. */
  fuel?: number
}

export function sandboxRunner({
  load = datasetLoader(WORKBOOKS),
  spent = () => {},
  fuel = FUEL,
}: SandboxOptions = {}): CodeRunner {
  return {
    async run(job) {
      const words = RUN_WORDS[job.locale]
      if (job.code.length > CODE_CHARS_MAX) return refusal(words.too_long)
      const columns = job.dataset === null ? NO_COLUMNS : await load(job.dataset, job)
      if ('refused' in columns) return refusal(columns.refused)
      await job.pause()
      const results = membersOf(job.results)
      const out = newRunOutput(results, words)
      const failure = await runOnce(job, { columns, results, out, words, spent, fuel })
      return await codeRunOf(job, out, failure, words)
    },
  }
}

const refusal = (stderr: string): CodeRun => ({ ok: false, stdout: '', stderr, results: null, charts: [] })

interface RunInput extends Required<Pick<SandboxOptions, 'spent' | 'fuel'>> {
  columns: ColumnTable
  results: ReadonlyMap<string, string>
  out: RunOutput
  words: RunWords
}

/** Returns the error text, empty on success. */
async function runOnce(
  { code, pause }: CodeJob,
  { columns, results, out, words, spent, fuel }: RunInput,
): Promise<string> {
  const machine = await openMachine()
  try {
    const guest = bootGuest(machine, { columns, output: out, words, results })
    await pause()
    const failure = evaluateCode(machine, guest, { code, words, out, fuel })
    spent({ fuel: fuel + FUEL_KEPT - machine.fuel(), memory_bytes: machine.memoryBytes() })
    return failure
  } finally {
    machine.dispose()
  }
}

async function codeRunOf(job: CodeJob, out: RunOutput, failure: string, words: RunWords): Promise<CodeRun> {
  const pictures = await drawCharts(out, job)
  const charts = pictures.flatMap((content) => (content === null ? [] : [{ extension: 'svg' as const, content }]))
  const lost = charts.length < pictures.length ? words.chart_too_large : ''
  const stderr = [out.text('stderr'), failure, lost].filter((text) => text !== '').join('\n')
  return { ok: failure === '' && lost === '', stdout: out.text('stdout'), stderr, results: out.results(), charts }
}

/** The first chart loads the code that draws. */
async function drawCharts({ charts }: RunOutput, { locale, pause }: CodeJob): Promise<(string | null)[]> {
  if (charts.length === 0) return []
  const { drawChart } = await import('./chart-svg.ts')
  const pictures: (string | null)[] = []
  for (const chart of charts) {
    await pause()
    pictures.push(drawChart(chart, locale))
  }
  return pictures
}
