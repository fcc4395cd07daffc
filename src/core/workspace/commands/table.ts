/** Tables as text that is readable raw and as Markdown: one line per row, cells between bars (requirements 2.3). */

/** A cell, or a user text within a line. Bars become full-width bars, line breaks become spaces, and a missing value is `-`. */
export function cleanCell(value: string | number | null): string {
  if (value === null) return '-'
  return String(value)
    .replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, ' ')
    .replaceAll('|', '｜')
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** A heading line, a ruler and the rows. */
export function tableText(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const ruler = columns.map(() => '---')
  return [line(columns), line(ruler), ...rows.map((row) => line(row.map(cleanCell)))].join('\n')
}
