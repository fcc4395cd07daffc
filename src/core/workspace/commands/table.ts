/** Tables as text: one line per row, cells between bars, readable raw and as Markdown (requirements 2.3). */

/** A cell, or any user text within a line: bars become full-width ones, line breaks spaces; missing values `-`. */
export function cleanCell(value: string | number | null): string {
  if (value === null) return '-'
  return String(value)
    .replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, ' ')
    .replaceAll('|', '｜')
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Heading line, ruler and rows. */
export function tableText(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const ruler = columns.map(() => '---')
  return [line(columns), line(ruler), ...rows.map((row) => line(row.map(cleanCell)))].join('\n')
}
