/** The output of a run: lines, charts and results, each bounded when it arrives. All of it is text. */
import { marksOf } from './chart-marks.ts'
import { parseChart, type Chart } from './chart-spec.ts'
import {
  CHARTS_MAX,
  MARKS_MAX,
  OUTPUT_CHARS_MAX,
  RESULTS_CHARS_MAX,
  RESULT_MEMBERS_MAX,
  RESULT_NAME_CHARS_MAX,
  SPEC_CHARS_MAX,
} from './limits.ts'
import type { RunWords } from './words.ts'
import { jsonOrNull } from '../core/terms/values/parse-json.ts'

export interface RunOutput {
  /** The text of stdout or stderr so far. */
  text(stream: Stream): string
  line(stream: Stream, json: string | null): void
  /** Returns the error text, empty when the chart was accepted. */
  chart(json: string | null): string
  save(nameJson: string | null, valueJson: string | null): string
  charts: readonly Chart[]
  /** The marks of the charts so far. */
  marks(): number
  /** result.json; null: nothing was saved. */
  results(): string | null
}
export type Stream = 'stdout' | 'stderr'

/** `before`: the members of result.json, each as JSON. */
export function newRunOutput(before: ReadonlyMap<string, string>, words: RunWords): RunOutput {
  const lines = { stdout: boundedLines(words.cut), stderr: boundedLines(words.cut) }
  const charts: Chart[] = []
  const members = new Map(before)
  let saved = false
  let marks = 0
  return {
    text: (stream) => lines[stream].text(),
    line: (stream, json) => lines[stream].add(textOf(json) ?? words.cut),
    charts,
    marks: () => marks,
    chart(json) {
      if (charts.length >= CHARTS_MAX) return words.too_many_charts
      const chart =
        json === null ? { ok: false as const, error: `at most ${SPEC_CHARS_MAX} characters` } : parseChart(json)
      if (!chart.ok) return words.bad_chart(chart.error)
      const more = marksOf(chart.value)
      if (marks + more > MARKS_MAX) return words.too_many_marks
      marks += more
      charts.push(chart.value)
      return ''
    },
    save(nameJson, valueJson) {
      const name = textOf(nameJson)
      if (name === null || name === '' || name.length > RESULT_NAME_CHARS_MAX) return words.bad_name
      if (valueJson === null || !hasRoom(members, name, valueJson)) return words.results_too_large
      members.set(name, wellFormedJson(valueJson))
      saved = true
      return ''
    },
    results: () => (saved ? jsonOf(members) : null),
  }
}

function boundedLines(cut: string) {
  const lines: string[] = []
  let room = OUTPUT_CHARS_MAX
  return {
    text: () => lines.join('\n'),
    add(line: string) {
      if (room <= 0) return
      lines.push(line.length < room ? line : `${line.slice(0, room)}\n${cut}`)
      room -= line.length + 1
      if (room <= 0 && line.length < OUTPUT_CHARS_MAX && !lines.at(-1)?.endsWith(cut)) lines.push(cut)
    },
  }
}

/** Reads a text that is sent as JSON; null: it is none. */
function textOf(json: string | null): string | null {
  const value = json === null ? null : jsonOrNull(json)
  return typeof value === 'string' ? value.toWellFormed() : null
}
/**
 * The code may have replaced the functions that wrote it, so the value is parsed and written again. Halves of surrogate pairs, which JSON writes
 * as escapes, are not characters.
 */
const wellFormedJson = (json: string) => JSON.stringify(jsonOrNull(json)).replace(LONE_SURROGATE, '$1\ufffd')
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g

function hasRoom(members: ReadonlyMap<string, string>, name: string, value: string): boolean {
  const others = [...members].filter(([other]) => other !== name)
  const length = others.reduce((sum, [other, json]) => sum + other.length + json.length, name.length + value.length)
  return others.length < RESULT_MEMBERS_MAX && length <= RESULTS_CHARS_MAX
}

const jsonOf = (members: ReadonlyMap<string, string>) =>
  `{${[...members].map(([name, value]) => `\n  ${JSON.stringify(name)}: ${value}`).join(',')}\n}\n`

/** The members of a result.json; anything else has none. */
export function membersOf(text: string | null): ReadonlyMap<string, string> {
  const value = text === null ? null : jsonOrNull(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map()
  return new Map(Object.entries(value).map(([name, member]) => [name, JSON.stringify(member)]))
}
