/** The tool `read_dataset` describes a dataset of the task as JSON that fits whole into an observation (O1-07, O1-08). */
import { resultChars } from '../core/mode/prompt-bytes.ts'
import { fieldsOf } from '../core/terms/files/file-input.ts'
import { fileName } from '../core/terms/files/files.ts'
import { freeLock, type ComputeLock } from '../shell/compute-lock.ts'
import type { DatasetReader, Files } from '../shell/ports.ts'
import type { Tool } from '../shell/tool-ports.ts'
import { chooseDataset, sheetIn } from './choose-dataset.ts'
import { DATASET_WORDS } from './dataset-texts.ts'

type ToolResult = Awaited<ReturnType<Tool['run']>>

const PREVIEW_ROWS = 5
const PREVIEW_ROWS_MAX = 20

interface ReadDatasetPorts {
  files: Files
  datasets: DatasetReader
  gate?: ComputeLock
}

/** Codes: `dataset_read`; `usage_error`, `dataset_missing`, `not_found`, `dataset_unnamed`, `unknown_sheet`, `unreadable`, `compute_failed`, `busy`. */
export const readDataset = ({ files, datasets, gate = freeLock }: ReadDatasetPorts): Tool => ({
  name: 'read_dataset',
  async run(input, call) {
    const words = DATASET_WORDS[call.locale]
    const request = readInput(input)
    if (request === null) return failure('usage_error', words.usage)
    return await gate(call, failure('busy', words.busy), async (pause, rest_ms) => {
      const choice = await chooseDataset(files, request.name, call)
      if (!choice.ok) return failure(choice.code, choice.why)
      const { sheet, preview_rows } = request
      // The report fits into what the conversation shows, so that nothing is cut within the JSON.
      const chars_max = resultChars(call.settings, 1)
      const { tenant, locale } = call
      const job = { tenant, locale, timeout_ms: rest_ms, pause, dataset: choice.file, sheet, preview_rows, chars_max }
      const report = await datasets.report(job)
      return report.ok ? { ok: true, code: 'dataset_read', text: report.text } : failure(report.code, report.text)
    })
  },
})

const failure = (code: string, error: string): ToolResult => ({
  ok: false,
  code,
  text: JSON.stringify({ tool: 'read_dataset', status: 'error', error }),
})

interface ReadDatasetInput {
  name: string | null
  sheet: string | number | null
  preview_rows: number
}

/** Reads the input as models write it: numbers as text, `null` for what they leave open. null: the name or the number is not valid. */
function readInput(input: string): ReadDatasetInput | null {
  const fields = input.trim() === '' ? new Map<string, unknown>() : fieldsOf(input)
  const first = (...members: string[]) =>
    members.map((member) => fields.get(member)).find((value) => value !== undefined && value !== null && value !== '')
  const given = first('name', 'dataset', 'file', 'filename', 'file_name', 'path')
  const name = typeof given === 'string' ? fileName(given) : null
  const sheet = sheetIn(first('sheet_name', 'sheet'))
  const rows = Number(first('preview_rows', 'rows') ?? PREVIEW_ROWS)
  if ((given !== undefined && name === null) || !Number.isFinite(rows) || sheet === undefined) return null
  return { name, sheet, preview_rows: Math.min(PREVIEW_ROWS_MAX, Math.max(0, Math.floor(rows))) }
}
