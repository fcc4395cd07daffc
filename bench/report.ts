/** The figures of a run as tables, and the aims they are held against: ratios of medians, in brackets the least and most of the rounds. */
import { median, type Sample } from './load.ts'
import type { Results, Series } from './run.ts'
import { SLICE } from './variants.ts'

type Figure = (sample: Sample) => number
const perSecond: Figure = ({ per_s }) => per_s
const cpu: Figure = ({ cpu_ms }) => cpu_ms ?? Number.NaN

export interface Aim {
  title: string
  /** The ratio must be at least, or at most, this. */
  at: 'least' | 'most'
  bound: number
  ratio: number
  min: number
  max: number
}

const find = ({ series }: Results, id: string, load: string): Series => {
  const found = series.find((one) => one.id === id && one.load === load)
  if (found === undefined) throw new Error(`nothing was measured of ${id} under the load ${load}`)
  return found
}

/** Of two series whose samples were taken in turn. */
function ratioOf(one: Series, other: Series, figure: Figure) {
  const pairs = one.samples.flatMap((sample, index) => {
    const beside = other.samples[index]
    return beside === undefined ? [] : [figure(sample) / figure(beside)]
  })
  return { ratio: middle(one, figure) / middle(other, figure), min: Math.min(...pairs), max: Math.max(...pairs) }
}

const middle = ({ samples }: Series, figure: Figure) => median(samples.map(figure))

export function aims(results: Results): Aim[] {
  /** Our requests in the processor time of one of the floor. */
  const rate = (title: string, bound: number, id: string, floor: string): Aim => {
    const [one, other] = [find(results, id, '16'), find(results, floor, '16')]
    return { title, at: 'least', bound, ...ratioOf(other, one, cpu) }
  }
  const slice = ratioOf(find(results, 'slice', 'slices'), find(results, 's', 'slices'), cpu)
  return [
    rate('model step, of the rate of floor (e)', 0.75, 'model', 'e'),
    rate('model step, of the rate of floor (c)', 0.55, 'model', 'c'),
    rate('tool step, of the rate of floor (n)', 0.62, 'tool', 'n'),
    { title: `slice of ${SLICE.ops} effects, CPU per effect of floor (s)`, at: 'most', bound: 1.5, ...slice },
    ...growthAims(results),
    {
      title: 'start-up, CPU of floor (a)',
      at: 'most',
      bound: 3.5,
      ...ratioOfLists(results.startup.service, results.startup.json),
    },
  ]
}

function growthAims({ growth: { windows } }: Results): Aim[] {
  const [young, ...older] = windows
  if (young === undefined) return []
  return older.map((window) => ({
    title: `steps ${window.first}–${window.last}, CPU of steps ${young.first}–${young.last}`,
    at: 'most' as const,
    bound: 1.1,
    ...ratioOfLists(window.cpu_ms_per_step, young.cpu_ms_per_step),
  }))
}

function ratioOfLists(one: number[], other: number[]) {
  const pairs = one.flatMap((value, index) => value / (other[index] ?? Number.NaN))
  return { ratio: median(one) / median(other), min: Math.min(...pairs), max: Math.max(...pairs) }
}

export const isMet = ({ at, bound, ratio }: Aim) => (at === 'least' ? ratio >= bound : ratio <= bound)

export function aimLines(results: Results): string[] {
  const rows = aims(results).map((aim) => {
    const { title, at, bound, ratio, min, max } = aim
    const found = `${ratio.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`
    return [title, `at ${at} ${bound}`, found, isMet(aim) ? 'met' : 'missed']
  })
  return table(['aim', 'bound', 'ratio by CPU (rounds)', ''], rows)
}

export function report(results: Results): string[] {
  const { machine, growth, startup, model_ceiling, prompt_bytes, scale, made_at } = results
  const loads = [...new Set(results.series.map(({ load }) => load))]
  return [
    `${made_at.slice(0, 10)} · ${machine.cpu}, ${machine.cores} cores, load average ${machine.load_average} · Node ${machine.node} · ${scale.rounds} rounds of ${scale.sample_ms} ms, ${scale.tasks} tasks`,
    '',
    `The scripted model by itself: ${Math.round(model_ceiling.per_s)} replies/s. A prompt of ours: ${prompt_bytes} bytes.`,
    ...loads.flatMap((load) => ['', `${headingOf(load)}:`, '', ...seriesTable(results, load)]),
    '',
    `Growth (${growth.steps} steps of one task, a step a request in the windows):`,
    '',
    ...table(
      ['steps', 'CPU ms per step'],
      growth.windows.map(({ first, last, cpu_ms_per_step }) => [`${first}–${last}`, spread(cpu_ms_per_step, 2)]),
    ),
    '',
    `Stored after ${growth.steps} steps: ${kb(growth.stored_bytes)} a task; longest answer ${kb(growth.answer_bytes_max)}.`,
    `CPU of a start until the first answer: ${spread(startup.service, 0)} ms, floor (a) ${spread(startup.json, 0)} ms.`,
  ]
}

const headingOf = (load: string) =>
  ({ 'one task': 'One task, one connection', slices: '16 connections, whole slices' })[load] ??
  `${load} ${load === '1' ? 'connection' : 'connections'}, a task each`

function seriesTable(results: Results, load: string): string[] {
  const rows = results.series
    .filter((series) => series.load === load)
    .map(({ title, samples }) => [
      title,
      spread(samples.map(perSecond), 0),
      spread(
        samples.map(({ p50_ms }) => p50_ms),
        2,
      ),
      spread(samples.map(cpu), 2),
    ])
  return table(['', 'requests/s', 'p50 ms', 'CPU ms per request'], rows)
}

const spread = (values: number[], digits: number) =>
  values.length === 0
    ? '–'
    : `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`
const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

/** In Markdown, the columns padded as the formatter does it. */
function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, column) =>
    Math.max(3, ...[head, ...rows].map((row) => [...(row[column] ?? title)].length)),
  )
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)]
}

const [OPENING, CLOSING] = ['<!-- figures: written by npm run bench -- --write -->', '<!-- end of figures -->']

/** The page with these figures in the place of earlier ones. */
export function withTable(page: string, results: Results): string {
  const [begin, end] = [page.indexOf(OPENING), page.indexOf(CLOSING)]
  if (begin < 0 || end < begin)
    throw new Error('docs/contributing/performance.md has lost the marks between which its figures stand')
  const figures = [...aimLines(results), '', ...report(results)].join('\n')
  return `${page.slice(0, begin + OPENING.length)}\n\n${figures}\n\n${page.slice(end)}`
}
