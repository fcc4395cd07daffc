/** What the kit is given by the host: five functions over texts and bytes, out of reach of the code that runs. */

export interface Host {
  /** A line for stdout or stderr, as JSON: a text with NUL in it would end there. */
  out(stream: 'stdout' | 'stderr', line: string): void
  /** Values or codes of a column; whoever asks has made sure that there is room for them. */
  bytes(column: number): ArrayBuffer
  /** How long the words of a column are as a JSON array, and that array. */
  wordsLength(column: number): number
  words(column: number): string
  /** A chart as JSON; answers with what is wrong with it, empty when it was drawn. */
  chart(spec: string): string
  /** A member of result.json, name and value as JSON; answers like `chart`. */
  save(name: string, value: string): string
}

export type KitColumnType = 'integer' | 'number' | 'text' | 'date' | 'boolean'

interface KitColumn {
  name: string
  type: KitColumnType
  /** By what the host knows it; null: it is not loaded. */
  place: number | null
}

/** What there is to work on. */
export interface KitInput {
  name: string
  length: number
  columns: KitColumn[]
  /** result.json as runs before have left it. */
  results: Record<string, unknown>
}
