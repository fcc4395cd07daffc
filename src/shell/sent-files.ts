/** The files of a form of several parts, one after the other as they arrive. */
import type { Result } from '../core/terms/refusal.ts'

export interface SentFile {
  /** Its name was checked. */
  name: string
  body: ReadableStream<Uint8Array>
  bytes_max: number
  /** What a problem calls it, such as `part 2, "file" (sales.csv)`, and where it is. */
  part: string
  pointer: string
}
export interface SentFiles {
  /** The body of a file has to be read to its end before the next one. null: there are no more. Rejects for a form that breaks off or cannot be read. */
  next(): Promise<Result<SentFile | null>>
  /** The digest of the whole form, to be asked behind the last file. */
  digest(): Promise<string>
  /** Stops reading. */
  stop(): void
}
