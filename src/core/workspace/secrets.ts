/** The secrets of a tenant as its workspace stores them: a value is there only as sealed (shell/secrets/seal.ts). Times are in ms since the epoch. */

/** The most secrets of one tenant. */
export const SECRETS_MAX = 100

/** A value that only the holder of its key can read. */
export interface SealedValue {
  /** Tells which key it is sealed under. It is no secret. */
  key_id: string
  sealed: string
}
/** A secret without its value. */
export interface SecretRecord {
  name: string
  /** Where the value may be sent: `host` or `host:port`, sorted, each once. The seal holds them. */
  hosts: string[]
  created: number
  updated: number
  /** null: it was never used. */
  last_used: number | null
}
export type StoredSecret = SecretRecord & SealedValue

/** The last use is written at most this often, so that a loop over a tool does not write a row for each call. */
const USE_NOTED_MS = 60_000

/** Whether a use at this time is worth a write. A clock that has gone back makes no difference. */
export const isUseDue = (last_used: number | null, now_ms: number): boolean =>
  last_used === null || now_ms - last_used >= USE_NOTED_MS
