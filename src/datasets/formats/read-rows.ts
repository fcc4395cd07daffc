/** Rows of a dataset, by what its name says it is. */
import type { OpenFile } from '../../shell/ports.ts'
import { endingOf } from '../../core/terms/files/file-types.ts'
import { readCsvRows } from './csv.ts'
import { readJsonRows } from './json.ts'
import { fail, type DatasetResult, type DatasetTable, type RowSink } from '../table.ts'
import { readSheetRows } from './workbook/sheets.ts'
import type { WorkbookBounds } from './workbook/bounds.ts'

/**
 * Hands the rows on as they come, and never holds more than a stretch of them but for a workbook. `sheet`: by name, or by number from 0 on; null:
 * the first one, and of no meaning for files without sheets. Rejects when the body breaks off; it is taken or cancelled in any other case.
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
