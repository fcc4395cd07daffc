/** Rows of a dataset, by what its name says it is. */
import type { OpenFile } from '../../shell/ports.ts'
import { endingOf } from '../../core/terms/files/file-types.ts'
import { readCsv } from './csv.ts'
import { readJson } from './json.ts'
import { flawed, type Read, type Table, type Take } from '../table.ts'
import { readSheet } from './workbook/sheets.ts'
import type { WorkbookBounds } from './workbook/bounds.ts'

/**
 * Hands the rows on as they come, and never holds more than a stretch of them but for a workbook. `sheet`: by name, or by number from 0 on; null:
 * the first one, and of no meaning for files without sheets. Rejects when the body breaks off; it is taken or cancelled in any other case.
 */
export async function readRows(
  { entry, body }: OpenFile,
  sheet: string | number | null,
  take: Take,
  workbooks?: WorkbookBounds,
): Promise<Read<Table>> {
  switch (endingOf(entry.name)) {
    case 'csv':
      return readCsv(body, false, take)
    case 'tsv':
      return readCsv(body, true, take)
    case 'json':
      return readJson(body, take)
    case 'xlsx':
    case 'xls':
      return readSheet(body, sheet, take, workbooks)
    default:
      await body.cancel()
      return flawed({ kind: 'not_a_dataset' })
  }
}
