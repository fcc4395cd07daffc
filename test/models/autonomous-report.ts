/** Reading a report back, and numbers of a table computed without any of the code under test. */

export interface Row {
  [name: string]: string
}

/** Of a CSV without quotes. */
export function rowsOf(csv: string): Row[] {
  const [head = '', ...lines] = csv.trim().split('\n')
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])))
}

/** Sums by a key, cells that are missing left out. */
export function sums(rows: Row[], key: (row: Row) => string, value: string): Map<string, number> {
  const totals = new Map<string, number>()
  for (const row of rows) {
    const cents = Math.round(Number(row[value] ?? '') * 100)
    if (row[value] !== '') totals.set(key(row), (totals.get(key(row)) ?? 0) + cents)
  }
  return new Map([...totals].map(([name, cents]) => [name, cents / 100]))
}

/** By rank, between neighbours in proportion, as pandas and d3 have it. */
export function quantile(values: number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * at
  const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low + (high - low) * (place - Math.floor(place))
}

/** Cells of the table in the section whose heading ends so, without the head; bold and marks taken off. */
export function tableIn(report: string, heading: string): string[][] {
  const section = report.split(/^## /m).find((part) => part.split('\n')[0]?.endsWith(heading)) ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.replaceAll(/[*▲▼\\]/g, '').trim()),
  )
}

export const numberIn = (cell: string | undefined): number => Number((cell ?? '').replaceAll(/[,%+]/g, ''))
export const headings = (report: string): string[] =>
  report.split('\n').flatMap((line) => (line.startsWith('## ') ? [line.slice(3)] : []))
export const chartsIn = (report: string): string[] =>
  [...report.matchAll(/!\[[^\n]*\]\((.*?)\)/g)].map(([, name = '']) => name)
