/** The dataset of a run, read from its file; why it cannot be is told in the words of the readers. */
import type { CodeJob, OpenFile } from '../shell/ports.ts'
import { columnsOf, type Columns } from '../datasets/columns.ts'
import { flawText } from '../datasets/words.ts'

/** A dataset as columns, or why there are none in words for the model. */
export type LoadColumns = (file: OpenFile, job: CodeJob) => Promise<Columns | { refused: string }>

export const loadColumns: LoadColumns = async (file, { sheet, locale }) => {
  const read = await columnsOf(file, sheet)
  return read.ok ? read.value.columns : { refused: `${file.entry.name}: ${flawText(read.flaw, locale)}` }
}
