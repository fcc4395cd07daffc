/**
 * The built-in model on the real service in mode autonomous, over a file in memory: the real read_dataset, and a run_code that runs code
 * in place, with the real kit, and answers as the tool does.
 */
import type { ColumnTable } from '../../src/datasets/table.ts'
import * as d3 from 'd3-array'
import { fileEntry } from '../../src/core/terms/files/files.ts'
import type { Locale } from '../../src/core/terms/locale.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { localCompute } from '../../src/compute/local.ts'
import { loadColumns } from '../../src/datasets/columns.ts'
import { offlineModel } from '../../src/models/offline/index.ts'
import { parseChart } from '../../src/sandbox/chart-spec.ts'
import { charts } from '../../src/sandbox/kit/charts.ts'
import { stats } from '../../src/sandbox/kit/index.ts'
import type { KitSource, StoredColumn } from '../../src/sandbox/kit/source.ts'
import { tableOf } from '../../src/sandbox/kit/table.ts'
import type { Files, ModelRequest, OpenFile } from '../../src/shell/ports.ts'
import type { Tool } from '../../src/shell/tool-ports.ts'
import type { Bounds } from '../../src/shell/caller.ts'
import { readDataset } from '../../src/tools/read-dataset.ts'
import { benchOf, createTask, type Bench } from '../support/scripted.ts'

export const NAME = 'sales.csv'

export const openFile = (name: string, text: string): OpenFile => {
  const bytes = new TextEncoder().encode(text)
  const entry = fileEntry({ name, seq: 0, at: 0, bytes: bytes.length, source: 'client', blob: null })
  return { entry, body: new Blob([bytes]).stream() }
}

/** The files of a task that nobody writes. */
export function filesOf(texts: Readonly<Record<string, string>>): Files {
  const open = (name: string) => (Object.hasOwn(texts, name) ? openFile(name, texts[name] ?? '') : null)
  return {
    list: () => Promise.resolve({ ok: true, value: Object.keys(texts).flatMap((name) => open(name)?.entry ?? []) }),
    open: (_of, name) => Promise.resolve({ ok: true, value: open(name) }),
    write: () => Promise.reject(new Error('nothing is written here')),
  }
}

export interface Ran {
  code: string
  description: string
  stdout: string
  charts: string[]
}
type Answered = { ok: boolean; text: string; code: string }

/** `spoil`: what becomes of an answer, by the number of the run. */
export type Spoil = (answer: Answered, run: number) => Answered

/** Answers as the tool of that name does, with its bounds. */
export function codeTool(text: string | null, ran: Ran[], spoil: Spoil): Tool {
  return {
    name: 'run_code',
    async run(input) {
      const { code, description = '' } = JSON.parse(input) as { code: string; description?: string }
      const read = text === null ? null : await loadColumns(openFile(NAME, text), null)
      const columns = read?.ok === true ? read.value.columns : { name: '', length: 0, columns: [] }
      const answer = evaluated(code, columns)
      ran.push({ code, description, stdout: answer.stdout, charts: answer.charts })
      return spoil(told(answer, ran.length), ran.length)
    },
  }
}

interface Evaluated {
  error: string
  stdout: string
  charts: string[]
  saved: Record<string, unknown>
}

function evaluated(code: string, columns: ColumnTable): Evaluated {
  const lines: string[] = []
  const drawn: string[] = []
  const saved: Record<string, unknown> = {}
  const draw = (spec: string) => {
    const chart = parseChart(spec)
    if (!chart.ok) throw new Error(chart.error)
    drawn.push(spec)
  }
  const kit = {
    data: tableOf(sourceOf(columns)),
    d3,
    stats,
    chart: charts(draw, () => {}),
    saveResult: (name: string, value: unknown) => {
      saved[name] = JSON.parse(JSON.stringify(value))
    },
    console: { log: (...all: unknown[]) => lines.push(all.map(String).join(' ')) },
  }
  try {
    // It is the code of the rules under test.
    new Function(...Object.keys(kit), code)(...Object.values(kit))
    return { error: '', stdout: lines.join('\n'), charts: drawn, saved }
  } catch (error) {
    return { error: String(error), stdout: lines.join('\n'), charts: drawn, saved }
  }
}

/** The columns as the kit has them, without a sandbox between. */
function sourceOf({ name, length, columns }: ColumnTable): KitSource {
  const stored = columns.map((column): StoredColumn => {
    const { type } = column
    if ('values' in column) return { kind: 'numbers', name: column.name, type, values: column.values }
    const cells = type === 'boolean' ? column.words.map((word) => word === 'true') : column.words
    return { kind: 'codes', name: column.name, type, codes: column.codes, cells: [null, ...cells] }
  })
  return {
    name,
    length,
    every: Uint32Array.from({ length }, (_, row) => row),
    columns: columns.map((column) => column.name),
    absent: [],
    types: Object.fromEntries(columns.map((column) => [column.name, column.type])),
    column(wanted) {
      const found = stored.find((one) => one.name === wanted)
      if (found === undefined) throw new Error(`there is no column ${String(wanted)}`)
      return found
    },
  }
}

const cutTo = (text: string, chars: number) => (text.length <= chars ? text : `${text.slice(0, chars - 3)}...`)

function told({ error, stdout, charts: drawn, saved }: Evaluated, run: number): Answered {
  const ok = error === ''
  const artifacts = [...drawn.map((_, at) => `chart-${run + at}.svg`), ...(ok ? ['result.json'] : [])]
  const text = JSON.stringify({
    tool: 'run_code',
    status: ok ? 'success' : 'error',
    stdout: cutTo(stdout, 2_000),
    stderr: error,
    has_image: drawn.length > 0,
    artifacts,
    ...(JSON.stringify(saved).length > 1_500 ? {} : { result: saved }),
  })
  return { ok, text, code: ok ? 'code_ran' : 'code_failed' }
}

export interface Play {
  /** null: nothing was uploaded. */
  csv: string | null
  goal?: string
  settings?: Partial<Settings>
  bounds?: Bounds
  spoil?: Spoil
  /** What becomes of the answer of read_dataset. */
  look?: (text: string) => string
}
export interface Played {
  bench: Bench
  task: TaskView
  ran: Ran[]
  /** Replies of the model, in order. */
  replies: string[]
  requests: ModelRequest[]
  report: string
}

const TO_THE_END: Bounds = { rounds: 60, max_ms: 600_000 }
const localeOf = (text: string): Locale => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en')

export async function play({ csv, goal = 'Analyse the data', settings, bounds, spoil, look }: Play): Promise<Played> {
  const ran: Ran[] = []
  const replies: string[] = []
  const requests: ModelRequest[] = []
  const model = offlineModel()
  const reading = readDataset({
    files: filesOf(csv === null ? {} : { [NAME]: csv }),
    datasets: localCompute.datasets,
  })
  const tools = [
    codeTool(csv, ran, spoil ?? ((answer) => answer)),
    {
      ...reading,
      run: async (...given: Parameters<Tool['run']>) => {
        const answer = await reading.run(...given)
        return { ...answer, text: look?.(answer.text) ?? answer.text }
      },
    },
  ]
  const bench = benchOf(
    {},
    {
      tools: new Map(tools.map((tool) => [tool.name, tool])),
      model: {
        async complete(request, call) {
          requests.push(request)
          const reply = await model.complete(request, call)
          replies.push(reply.kind === 'model_replied' ? reply.text : `failed: ${reply.reason}`)
          return reply
        },
      },
    },
  )
  const task = await createTask(bench, { dataset: csv === null ? null : NAME, ...settings }, bounds ?? TO_THE_END, {
    mode: 'autonomous',
    goal,
    locale: localeOf(goal),
  })
  return { bench, task, ran, replies, requests, report: task.result?.text ?? '' }
}
