/** Which dataset a tool works with: the one that is named, the one of the settings, or the only one there is. */
import { isDataset, RESULTS } from '../core/terms/files/file-types.ts'
import type { Files, OpenFile, ToolContext } from '../shell/ports.ts'
import { DATASET_WORDS } from './dataset-texts.ts'
import { valueOrThrow } from './files.ts'

type DatasetChoice =
  | { ok: true; file: OpenFile }
  /** In words for the model. `no_dataset`, `dataset_unnamed`: none was meant in particular. */
  | { ok: false; code: 'no_dataset' | 'dataset_unnamed' | 'usage_error' | 'not_found'; why: string }

export async function chooseDataset(files: Files, named: string | null, call: ToolContext): Promise<DatasetChoice> {
  const words = DATASET_WORDS[call.locale]
  const there = valueOrThrow(await files.list(call)).flatMap(({ name }) =>
    isDataset(name) && name !== RESULTS ? [name] : [],
  )
  const [only = null, ...others] = there
  const name = named ?? call.settings.dataset ?? (others.length === 0 ? only : null)
  if (name === null) {
    return only === null
      ? { ok: false, code: 'no_dataset', why: words.none(call.task) }
      : { ok: false, code: 'dataset_unnamed', why: words.several(there) }
  }
  if (!isDataset(name)) return { ok: false, code: 'usage_error', why: words.notADataset(name) }
  const file = valueOrThrow(await files.open(call, name))
  return file === null
    ? { ok: false, code: 'not_found', why: words.notFound(name, there, call.task) }
    : { ok: true, file }
}

/** A text is the name of a sheet, a number its place from 0 on; what is blank was not given. undefined: it is neither. */
export function sheetIn(given: unknown): string | number | null | undefined {
  if (given === undefined || given === null || (typeof given === 'string' && given.trim() === '')) return null
  return typeof given === 'string' || typeof given === 'number' ? given : undefined
}
