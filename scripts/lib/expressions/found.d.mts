export interface Place {
  file: string
  line: number
}
export interface Expression extends Place {
  source: string
  flags: string
}
export interface Missed {
  file: string
  made: number
  looked: number
}
export function expressionsIn(
  file: string,
  text: string,
): Promise<{ literals: Expression[]; made: number; unseen: Place[] }>
export function expressionsMade(
  root: string,
  files: readonly { file: string; made: number }[],
): Promise<{ made: Expression[]; late: Place[]; missed: Missed[] }>
