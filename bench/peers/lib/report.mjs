/** From the figures of all rounds to medians, ratios to ours with their range, the table, and each aim met or not. */
import { CONCURRENCIES, ITEMS, SHAPES, STRETCHES } from './shape.mjs'

export function spreadOf(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const median = (sorted[Math.ceil(middle - 1)] + sorted[Math.floor(middle)]) / 2
  return { median, min: sorted[0], max: sorted.at(-1) }
}

/** `samples` has a list of rounds for each contender; each round is a map from the name of a figure to its number. */
export function summarize(samples) {
  const figures = {}
  for (const [contender, rounds] of Object.entries(samples))
    figures[contender] = Object.fromEntries(
      Object.keys(rounds[0]).map((name) => [name, spreadOf(rounds.map((round) => round[name]))]),
    )
  const { ours } = samples
  const ratios = {}
  for (const contender of Object.keys(samples).filter((name) => name !== 'ours' && ours !== undefined))
    ratios[contender] = Object.fromEntries(
      Object.keys(ours[0]).map((name) => [name, ratioOf(samples[contender], ours, name)]),
    )
  return { figures, ratios }
}

/** Of the medians; its range is that of the ratios round by round, as both were measured side by side. */
function ratioOf(theirs, ours, name) {
  const { min, max } = spreadOf(theirs.map((round, index) => round[name] / ours[index][name]))
  const median = (rounds) => spreadOf(rounds.map((round) => round[name])).median
  return { ratio: median(theirs) / median(ours), min, max }
}

const AIMS = [
  {
    peer: 'langgraph',
    figure: 'cpu step 1',
    least: 5,
    says: 'at least 5 × less CPU per op than LangGraph.js + SQLite, one request per op',
  },
  { peer: 'langgraph', figure: 'cpu task 1', least: 5, says: 'the same, the whole task in one request' },
  { peer: 'langgraph', figure: 'cpu 181–200', least: 15, says: 'at least 15 × less at steps 181–200' },
  { peer: 'agents', figure: 'cpu step 1', least: 1, says: 'not above the Agents SDK, one request per op' },
  { peer: 'agents', figure: 'cpu task 1', least: 1, says: 'the same, the whole task in one request' },
]

export const judge = ({ ratios }) =>
  AIMS.filter(({ peer }) => ratios[peer] !== undefined).map(({ peer, figure, least, says }) => ({
    says,
    met: ratios[peer][figure].ratio >= least,
    ...ratios[peer][figure],
  }))

const ms = ({ median, min, max }) => `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`
const perSecond = ({ median, min, max }) => `${median.toFixed(0)} (${min.toFixed(0)}–${max.toFixed(0)})`
const kb = ({ median }) => (median / 1000).toFixed(0)
const times = ({ ratio, min, max }) => `${ratio.toFixed(1)} × (${min.toFixed(1)}–${max.toFixed(1)})`

const ROWS = [
  ...casesOf('cpu', 'CPU per op, ms', ms),
  ...SHAPES.map(({ name, title }) => [`item ${name} 1`, `CPU per item, ms: ${title}`, ms]),
  ...STRETCHES.map(({ name }) => [`cpu ${name}`, `CPU per op, ms: ops ${name} of a long task`, ms]),
  ...casesOf('requests', 'requests per s', perSecond).filter(([name]) => name.startsWith('requests step')),
  ...casesOf('ops', 'ops per s', perSecond).filter(([name]) => name.startsWith('ops task')),
  ['bytes', 'KB stored by a task of 200 ops', kb],
]

function casesOf(kind, title, print) {
  return SHAPES.flatMap((shape) =>
    CONCURRENCIES.map((at) => [`${kind} ${shape.name} ${at}`, `${title}: ${shape.title}, ${at} at a time`, print]),
  )
}

export function tableOf({ contenders, versions, machine, rounds }, summary) {
  const { figures, ratios } = summary
  const header = ['', ...contenders.map(({ title }) => title)]
  const row = ([name, title, print]) => [title, ...contenders.map((one) => print(figures[one.name][name]))]
  const against = contenders.filter(({ name }) => ratios[name] !== undefined)
  const ratio = ([name, title]) => [
    title.replace(/, ms|KB /, ''),
    ...against.map((one) => times(ratios[one.name][name])),
  ]
  const costs = ROWS.filter(([name]) => !/^(?:requests|ops)/.test(name))
  return [
    `${rounds} interleaved ${rounds === 1 ? 'round' : 'rounds'}, medians with minimum–maximum. ${machine}`,
    contenders.map((one) => `- ${one.title}: ${versions[one.name]}`).join('\n'),
    markdown([header, ...ROWS.map(row)]),
    ...(against.length === 0
      ? []
      : [
          'What a peer takes of what ours takes:',
          markdown([['', ...against.map(({ title }) => title)], ...costs.map(ratio)]),
        ]),
    judge(summary)
      .map((aim) => `- ${aim.met ? 'met' : '**not met**'}: ${aim.says} – ${times(aim)}`)
      .join('\n'),
  ].join('\n\n')
}

function markdown([header, ...rows]) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

/** A round as flat figures, from what `measure.mjs` answers. */
export function flatten({ opsPerItem }, short, long, bytes) {
  const figures = { bytes }
  for (const [name, { ops, cpu_ms_per_op, requests_per_s, ops_per_s }] of Object.entries(short)) {
    figures[`cpu ${name}`] = cpu_ms_per_op
    // With its share of the plan: ours has more ops per item, and per op alone would flatter it.
    figures[`item ${name}`] = (cpu_ms_per_op * (1 + ITEMS * opsPerItem)) / ITEMS
    figures[`requests ${name}`] = requests_per_s
    figures[`ops ${name}`] = ops_per_s
    if (!(ops > 0)) throw new Error(`${name}: nothing was done`)
  }
  for (const [name, cpu_ms] of Object.entries(long)) figures[`cpu ${name}`] = cpu_ms
  return figures
}
