/** How large a workbook may be, by who waits while it is read. */

/** How far an .xlsx may unfold, which is what SheetJS computes on without a pause: up to 0.12 s of one core for each MB. */
export interface WorkbookBounds {
  unfolded_bytes_max: number
  /** Empty ones count: each is read. Ordinary cells take 26 bytes and more, so that the bytes bound them first. */
  cells_max: number
}
/** Where nobody else waits: as much as fits an isolate. */
export const WORKBOOKS: WorkbookBounds = { unfolded_bytes_max: 24 * 1_048_576, cells_max: 1_000_000 }
/** Where other requests wait meanwhile. */
export const SMALL_WORKBOOKS: WorkbookBounds = { unfolded_bytes_max: 12 * 1_048_576, cells_max: 500_000 }
