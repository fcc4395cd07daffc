/** Reads the rows of a dataset in the format that the file name says. */
import type { OpenFile } from '../../shell/ports.ts'
import { endingOf } from '../../core/terms/files/file-types.ts'
import { readCsvRows } from './csv.ts'
import { readJsonRows } from './json.ts'
import { fail, type DatasetResult, type DatasetTable, type RowSink } from '../table.ts'
import { readSheetRows } from './workbook/sheets.ts'
import type { WorkbookBounds } from './workbook/bounds.ts'

/**
 * Passes rows on while they are read; only a workbook is held as a whole. `sheet`: a name, or a number from 0 on; null: the first one. Files
 * without sheets ignore it. Rejects when the body breaks off; otherwise the body is read or canceled.
 */
export async function readRows(
  { entry, body }: OpenFile,
  sheet: string | number | null,
  take: RowSink,
  workbooks?: WorkbookBounds,
): Promise<DatasetResult<DatasetTable>> {
  switch (endingOf(entry.name)) {
    case 'csv':
      return readCsvRows(body, false, take)
    case 'tsv':
      return readCsvRows(body, true, take)
    case 'json':
      return readJsonRows(body, take)
    case 'xlsx':
    case 'xls':
      return readSheetRows(body, sheet, take, workbooks)
    default:
      await body.cancel()
      return fail({ kind: 'not_a_dataset' })
  }
}
