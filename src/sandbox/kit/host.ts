/** The functions that the host gives the kit. They pass texts and bytes only, and the code that runs cannot reach them. */

export interface Host {
  /** A line for stdout or stderr. It is JSON, because a plain text with NUL in it would end there. */
  out(stream: 'stdout' | 'stderr', line: string): void
  /** The values or codes of a column. The caller has made sure that there is memory for them. */
  bytes(column: number): ArrayBuffer
  /** The words of a column as a JSON array, and its length. */
  wordsLength(column: number): number
  words(column: number): string
  /** Sends a chart as JSON; returns the error text, empty when it is drawn. */
  chart(spec: string): string
  /** Sends a member of result.json, name and value as JSON; returns like `chart`. */
  save(name: string, value: string): string
}

export type KitColumnType = 'integer' | 'number' | 'text' | 'date' | 'boolean'

interface KitColumn {
  name: string
  type: KitColumnType
  /** The number of the column at the host; null: it is not loaded. */
  place: number | null
}

/** The data of the run. */
export interface KitInput {
  name: string
  length: number
  columns: KitColumn[]
  /** result.json as earlier runs have left it. */
  results: Record<string, unknown>
}
