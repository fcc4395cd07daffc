/** Chooses the dataset that a tool works with: the named one, that of the settings, or the only one there is. */
import { isDataset, RESULT_FILE } from '../core/terms/files/file-types.ts'
import type { Files, OpenFile } from '../shell/ports.ts'
import type { ToolContext } from '../shell/tool-ports.ts'
import { DATASET_WORDS } from './dataset-texts.ts'
import { valueOrThrow } from './files.ts'

type DatasetChoice =
  | { ok: true; file: OpenFile }
  /**
   * `why` is for the model. `named`: the call or the settings name a dataset. `dataset_missing`: the client has to put one, because it
   * is the dataset of the settings, or there is no other that the model could have meant.
   */
  | {
      ok: false
      code: 'dataset_missing' | 'dataset_unnamed' | 'usage_error' | 'not_found'
      named: boolean
      why: string
    }

export async function chooseDataset(files: Files, requested: string | null, call: ToolContext): Promise<DatasetChoice> {
  const words = DATASET_WORDS[call.locale]
  const datasets = valueOrThrow(await files.list(call)).flatMap(({ name }) =>
    isDataset(name) && name !== RESULT_FILE ? [name] : [],
  )
  const [only = null, ...others] = datasets
  const name = requested ?? call.settings.dataset ?? (others.length === 0 ? only : null)
  if (name === null) {
    return only === null
      ? { ok: false, code: 'dataset_missing', named: false, why: words.none(call.task) }
      : { ok: false, code: 'dataset_unnamed', named: false, why: words.several(datasets) }
  }
  if (!isDataset(name)) return { ok: false, code: 'usage_error', named: true, why: words.notADataset(name) }
  const file = valueOrThrow(await files.open(call, name))
  if (file !== null) return { ok: true, file }
  const isMissing = datasets.length === 0 || name === call.settings.dataset
  return {
    ok: false,
    code: isMissing ? 'dataset_missing' : 'not_found',
    named: true,
    why: words.notFound(name, datasets, call.task),
  }
}

/** Reads a sheet: a text is its name, a number its place from 0 on. null: a blank value counts as missing; undefined: it is neither. */
export function sheetIn(given: unknown): string | number | null | undefined {
  if (given === undefined || given === null || (typeof given === 'string' && given.trim() === '')) return null
  return typeof given === 'string' || typeof given === 'number' ? given : undefined
}
