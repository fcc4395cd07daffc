/** What the commands need of the machine, so that a test can take its place. */
import type { TaskFile } from '../files.ts'
import type { Fetch } from '../transport.ts'

export interface Terminal {
  out(line: string): void
  err(line: string): void
  /** Asks the person at the terminal; null: they want to say nothing. null in place of the function: nobody is there. */
  ask: ((prompt: string) => Promise<string | null>) | null
  /** A file of this machine, under its name without folders. */
  readFile(path: string): Promise<TaskFile>
  env: Readonly<Record<string, string | undefined>>
  /** Aborted when the person interrupts. */
  signal: AbortSignal
  /** In place of the fetch of the runtime. */
  fetch?: Fetch
}
