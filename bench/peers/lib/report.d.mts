export interface Spread {
  median: number
  min: number
  max: number
}
export interface Ratio {
  ratio: number
  min: number
  max: number
}
export interface Summary {
  figures: Record<string, Record<string, Spread>>
  ratios: Record<string, Record<string, Ratio>>
}
export function spreadOf(numbers: number[]): Spread
export function summarize(samples: Record<string, Record<string, number>[]>): Summary
export function judge(summary: Pick<Summary, 'ratios'>): (Ratio & { says: string; met: boolean })[]
