/** Loads the dataset of a run. The texts of the dataset readers say why one cannot be read. */
import type { ColumnTable } from '../datasets/table.ts'
import type { CodeJob, OpenFile } from '../shell/ports.ts'
import { loadColumns } from '../datasets/columns.ts'
import type { WorkbookBounds } from '../datasets/formats/workbook/bounds.ts'
import { datasetErrorText } from '../datasets/texts.ts'

/** Loads a dataset as columns, or says in words for the model why it cannot. */
export type DatasetLoader = (file: OpenFile, job: CodeJob) => Promise<ColumnTable | { refused: string }>

/** From a larger file only the columns that the code names are loaded. */
export const WHOLE_BYTES_MAX = 8 * 1_048_576

export const datasetLoader =
  (workbooks: WorkbookBounds): DatasetLoader =>
  async (file, { code, sheet, locale }) => {
    const wanted = file.entry.bytes > WHOLE_BYTES_MAX ? (name: string) => isNamedIn(code, name) : () => true
    const read = await loadColumns(file, sheet, wanted, workbooks)
    return read.ok ? read.value.columns : { refused: `${file.entry.name}: ${datasetErrorText(read.error, locale)}` }
  }

/** Whether the code contains the name, plain or escaped, as a word of its own: `data` does not name `a`. */
export function isNamedIn(code: string, name: string): boolean {
  const escaped = JSON.stringify(name).slice(1, -1)
  return [...new Set([name, escaped, escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")])].some((text) =>
    standsIn(code, text),
  )
}

function standsIn(code: string, text: string): boolean {
  for (let at = code.indexOf(text); at !== -1; at = code.indexOf(text, at + 1)) {
    if (!(isWord(text[0]) && isWord(code[at - 1])) && !(isWord(text.at(-1)) && isWord(code[at + text.length])))
      return true
  }
  return false
}

const isWord = (char: string | undefined) => char !== undefined && /[\w$]/.test(char)
