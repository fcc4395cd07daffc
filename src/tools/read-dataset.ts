/**
 * Tool `read_dataset`: what a dataset among the files of the task is, as JSON that fits whole into an observation (O1-07, O1-08). Which dataset:
 * the one that is named, the one of the settings, or the only one there is.
 */
import { resultChars } from '../core/conversation/entry.ts'
import { fieldsOf } from '../core/file-input.ts'
import { fileName } from '../core/files.ts'
import type { Locale } from '../core/effect.ts'
import { isDatasetName } from '../datasets/names.ts'
import type { Files, Tool, ToolCall } from '../shell/ports.ts'
import { DATASET_WORDS } from './dataset-words.ts'
import { taken } from './files.ts'

type Returned = Awaited<ReturnType<Tool['run']>>

/** What code that was run before has left of results is no dataset to begin with. */
const RESULTS = 'result.json'
const PREVIEW_ROWS = 5
const PREVIEW_ROWS_MAX = 20

/** Codes: `dataset_read`; `usage_error`, `no_dataset`, `not_found`, `dataset_unnamed`, `unknown_sheet`, `unreadable`. */
export const readDataset = (files: Files): Tool => ({
  name: 'read_dataset',
  async run(input, call) {
    const words = DATASET_WORDS[call.locale]
    const wanted = wantedIn(input)
    if (wanted === null) return failed('usage_error', words.usage)
    const there = taken(await files.list(call)).map((file) => file.name)
    const name = wanted.name ?? call.settings.dataset ?? onlyOf(there)
    if (name === null) return unnamed(there.filter(isDatasetName), call)
    if (!isDatasetName(name)) return failed('usage_error', words.notADataset(name))
    const file = taken(await files.open(call, name))
    if (file === null) return failed('not_found', words.notFound(name, there.filter(isDatasetName), call.task))
    const [{ summaryOf }, { flawText }, { reported }] = await readers()
    const read = await summaryOf(file, wanted.sheet, wanted.preview_rows)
    if (read.ok) {
      // As much as the conversation shows of it, so that nothing is cut within the JSON.
      const text = reported(file.entry, read.value, call.locale, resultChars(call.settings, 1))
      return { ok: true, code: 'dataset_read', text }
    }
    const code = read.flaw.kind === 'unknown_sheet' ? 'unknown_sheet' : 'unreadable'
    return failed(code, `${name}: ${flawText(read.flaw, call.locale)}`)
  },
})

const readers = () =>
  Promise.all([import('../datasets/summary.ts'), import('../datasets/words.ts'), import('./dataset-report.ts')])

const failed = (code: string, error: string): Returned => ({
  ok: false,
  code,
  text: JSON.stringify({ tool: 'read_dataset', status: 'error', error }),
})

interface Wanted {
  name: string | null
  sheet: string | number | null
  preview_rows: number
}

/** As models write it: numbers as text, `null` for what they leave open. null: a name that is none, or a number that is none. */
function wantedIn(input: string): Wanted | null {
  const fields = input.trim() === '' ? new Map<string, unknown>() : fieldsOf(input)
  const first = (...members: string[]) =>
    members.map((member) => fields.get(member)).find((value) => value !== undefined && value !== null && value !== '')
  const given = first('name', 'dataset', 'file', 'filename', 'file_name', 'path')
  const name = typeof given === 'string' ? fileName(given) : null
  const sheet = first('sheet_name', 'sheet') ?? null
  const rows = Number(first('preview_rows', 'rows') ?? PREVIEW_ROWS)
  if ((given !== undefined && name === null) || !Number.isFinite(rows)) return null
  if (typeof sheet !== 'string' && typeof sheet !== 'number' && sheet !== null) return null
  return { name, sheet, preview_rows: Math.min(PREVIEW_ROWS_MAX, Math.max(0, Math.floor(rows))) }
}

function onlyOf(names: readonly string[]): string | null {
  const datasets = names.filter(isDatasetName)
  const [only = null, ...others] = datasets.length === 1 ? datasets : datasets.filter((name) => name !== RESULTS)
  return others.length === 0 ? only : null
}

function unnamed(datasets: readonly string[], { locale, task }: { locale: Locale } & Pick<ToolCall, 'task'>): Returned {
  const words = DATASET_WORDS[locale]
  return datasets.length === 0
    ? failed('no_dataset', words.none(task))
    : failed('dataset_unnamed', words.several(datasets))
}
