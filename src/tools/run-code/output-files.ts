/**
 * Keeps the output of code as files of its task: `result.json`, and charts whose numbers go on from the existing ones. A repeated effect gives
 * its charts the same numbers again.
 */
import { RESULT_FILE } from '../../core/terms/files/file-types.ts'
import type { FileEntry } from '../../core/terms/files/files.ts'
import type { CodeRun, Files } from '../../shell/ports.ts'
import type { ToolContext } from '../../shell/tool-ports.ts'
import { CODE_WORDS } from './text.ts'
import { seqOf, valueOrThrow } from '../files.ts'

interface OutputFiles {
  /** The names of the written files. */
  artifacts: string[]
  /** The files that were not kept, in words for the model. */
  refused: string[]
}

const CHART = /^chart-([1-9]\d{0,8})\.(?:svg|png)$/

export async function keepOutputFiles(
  files: Files,
  call: ToolContext,
  { charts, results }: CodeRun,
): Promise<OutputFiles> {
  const output: OutputFiles = { artifacts: [], refused: [] }
  if (charts.length === 0 && results === null) return output
  const seq = seqOf(call.key)
  const existing = valueOrThrow(await files.list(call))
  const first = 1 + lastChart(existing, seq)
  const outputs = [
    ...charts.map(({ extension, content }, place) => ({ name: `chart-${first + place}.${extension}`, content })),
    ...(results === null ? [] : [{ name: RESULT_FILE, content: results.toWellFormed() }]),
  ]
  for (const { name, content } of outputs) {
    const written = isOwnChart(existing, name, seq)
      ? 'written'
      : valueOrThrow(await files.write(call, { name, seq, content }))
    if (written === 'written') output.artifacts.push(name)
    else output.refused.push(CODE_WORDS[call.locale].not_kept(name, written))
  }
  return output
}

/** The highest number that other effects have given to a chart. */
function lastChart(existing: readonly FileEntry[], seq: number): number {
  const numbers = existing.flatMap((file) => (file.seq === seq ? [] : [Number(CHART.exec(file.name)?.[1] ?? 0)]))
  return Math.max(0, ...numbers)
}

const isOwnChart = (existing: readonly FileEntry[], name: string, seq: number) =>
  CHART.test(name) && existing.some((file) => file.name === name && file.seq === seq)
