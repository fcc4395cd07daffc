/** Types of service.mjs for the tests. */
export interface Service {
  /** `http://127.0.0.1:<port>` */
  url: string
  pid: number
  /** Everything it printed so far. */
  output(): string
  /** SIGTERM, then its end. */
  stop(): Promise<void>
  /** Its exit code, or the signal that ended it. */
  ended: Promise<[number | null, string | null]>
  /** kill -9 of its whole process group. */
  kill(): Promise<unknown>
}
export function startService(options: { dataDir: string; env?: Record<string, string | undefined> }): Promise<Service>
export function makeDataDir(): string
export function removeDataDir(path: string): void
