export const SALES_COLUMNS: string[]
export function salesLines(options?: { rows?: number; seed?: number }): Generator<string>
export function salesCsv(options?: { rows?: number; seed?: number }): string
