/**
 * A strict reader of what GET /metrics answers: the text format 0.0.4, or OpenMetrics 1.0. It refuses what a scraper might let pass: a sample
 * outside of its family, a family that comes twice, an escape that there is not, a histogram that is not cumulative.
 */
export interface ReadSample {
  name: string
  labels: Record<string, string>
  value: number
}
export interface ReadFamily {
  name: string
  type: string
  help: string
  samples: ReadSample[]
}
type Form = 'text' | 'openmetrics'

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const TYPES = { text: ['counter', 'gauge', 'histogram'], openmetrics: ['counter', 'gauge', 'histogram', 'info'] }
const SUFFIXES: Record<Form, Record<string, string[]>> = {
  text: { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'] },
  openmetrics: { counter: ['_total'], gauge: [''], histogram: ['_bucket', '_sum', '_count'], info: ['_info'] },
}

export function readMetrics(text: string, form: Form = 'text'): ReadFamily[] {
  const fail = (why: string): never => {
    throw new Error(`not ${form}: ${why}`)
  }
  if (!text.endsWith('\n')) fail('the last line does not end')
  const lines = text.slice(0, -1).split('\n')
  if (form === 'openmetrics' && lines.pop() !== '# EOF') fail('there is no # EOF at the end')
  const families: ReadFamily[] = []
  for (const line of lines) {
    const help = /^# HELP ([^ ]+) (.*)$/.exec(line)
    const type = /^# TYPE ([^ ]+) ([a-z]+)$/.exec(line)
    const last = families.at(-1)
    if (help !== null) {
      const [, name = '', words = ''] = help
      if (!NAME.test(name) || families.some((family) => family.name === name)) fail(`a second or bad family: ${line}`)
      families.push({ name, type: '', help: unescaped(words, form === 'openmetrics' ? '\\"n' : '\\n'), samples: [] })
    } else if (type !== null) {
      if (last === undefined || last.name !== type[1] || last.type !== '') fail(`a TYPE out of its place: ${line}`)
      else if (!TYPES[form].includes(type[2] ?? '')) fail(`an unknown type: ${line}`)
      else last.type = type[2] ?? ''
    } else {
      const sample = readSample(line)
      const suffixes = SUFFIXES[form][last?.type ?? ''] ?? []
      if (last === undefined || !suffixes.some((suffix) => last.name + suffix === sample.name))
        fail(`a sample out of its family: ${line}`)
      else if (last.samples.some((one) => keyOf(one) === keyOf(sample))) fail(`a series that comes twice: ${line}`)
      else last.samples.push(sample)
    }
  }
  for (const family of families) {
    if (family.type === '') fail(`${family.name} has no type`)
    if (form === 'text' && family.type === 'counter' && !family.name.endsWith('_total'))
      fail(`${family.name} is a counter`)
    if (family.type === 'counter' && family.samples.some(({ value }) => !(value >= 0)))
      fail(`${family.name} is below 0`)
    if (family.type === 'histogram') checkHistogram(family, fail)
  }
  return families
}

const keyOf = ({ name, labels }: ReadSample) => JSON.stringify([name, Object.entries(labels).toSorted()])

function readSample(line: string): ReadSample {
  const found = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s.exec(line)
  if (found === null) throw new Error(`not a sample: ${line}`)
  const [, name = '', inner, number = ''] = found
  const labels: Record<string, string> = {}
  let rest = inner ?? ''
  while (rest !== '') {
    const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,(?=.)|$)/.exec(rest)
    if (label === null) throw new Error(`labels that cannot be read: ${line}`)
    const [whole, key = '', value = ''] = label
    if (key in labels) throw new Error(`a label that comes twice: ${line}`)
    labels[key] = unescaped(value, '\\"n')
    rest = rest.slice(whole.length)
  }
  const value = number === '+Inf' ? Infinity : Number(number)
  if (Number.isNaN(value) || number === '') throw new Error(`not a number: ${line}`)
  return { name, labels, value }
}

function unescaped(text: string, allowed: string): string {
  return text.replaceAll(/\\(.?)/g, (_, escape: string) => {
    if (escape === '' || !allowed.includes(escape)) throw new Error(`an escape that there is not: \\${escape}`)
    return escape === 'n' ? '\n' : escape
  })
}

function checkHistogram({ name, samples }: ReadFamily, fail: (why: string) => never): void {
  const groups = Map.groupBy(samples, ({ labels }) => JSON.stringify({ ...labels, le: '' }))
  for (const [labels, group] of groups) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels: { le } }) => (le === '+Inf' ? Infinity : Number(le)))
    const counts = buckets.map(({ value }) => value)
    const isAscending = (list: number[]) => list.every((one, index) => index === 0 || (list[index - 1] ?? 0) <= one)
    if (!isAscending(bounds) || new Set(bounds).size !== bounds.length)
      fail(`${name}${labels}: bounds ${bounds.join()}`)
    if (bounds.at(-1) !== Infinity) fail(`${name}${labels} has no +Inf`)
    if (!isAscending(counts)) fail(`${name}${labels} is not cumulative: ${counts.join()}`)
    const count = group.find((sample) => sample.name === `${name}_count`)?.value
    if (count !== counts.at(-1)) fail(`${name}${labels}: the count is ${count}, +Inf ${counts.at(-1)}`)
    if (!group.some((sample) => sample.name === `${name}_sum`)) fail(`${name}${labels} has no sum`)
  }
}

/** The sum of the samples that have these labels. */
export function valueOf(families: readonly ReadFamily[], name: string, labels: Record<string, string> = {}): number {
  const has = (sample: ReadSample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  const samples = families.flatMap((family) => family.samples).filter((sample) => sample.name === name && has(sample))
  return samples.reduce((sum, { value }) => sum + value, 0)
}
