/** How large a workbook may be. The bound depends on whether other requests wait while it is read. */

/** `unfolded_bytes_max`: the unpacked size of an .xlsx. SheetJS reads it without a pause and takes up to 0.12 s of one core for each MB. */
export interface WorkbookBounds {
  unfolded_bytes_max: number
  /** Empty cells count, because each is read. Ordinary cells take 26 bytes and more, so the bytes bound them first. */
  cells_max: number
}
/** For an isolate where no other request waits: as much as fits into it. */
export const WORKBOOKS: WorkbookBounds = { unfolded_bytes_max: 24 * 1_048_576, cells_max: 1_000_000 }
/** For an isolate where other requests wait meanwhile. */
export const SMALL_WORKBOOKS: WorkbookBounds = { unfolded_bytes_max: 12 * 1_048_576, cells_max: 500_000 }
