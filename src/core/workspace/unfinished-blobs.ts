/**
 * Blobs that a writer has begun and that no row is known to name. A writer renews its hold while bytes come. A hold that is silent for
 * `UPLOAD_SILENCE_MS` belongs to a writer that has died, so the workspace has its blob swept (shell/files/sweep-uploads.ts).
 */

/** The longest time in which no byte of an upload may come. No single call to the blob storage takes as long. */
export const UPLOAD_SILENCE_MS = 3_600_000
/** A hold is not renewed more often than this, so that a fast upload writes no rows for it. */
export const RENEW_MS = 60_000
/** The most blobs that one job sweeps. */
export const SWEEP_BATCH = 20
/** A blob whose sweep was not settled, because its job was lost or its task cannot be read, is swept again after this time. */
export const SWEEP_AGAIN_MS = 600_000

export interface UnfinishedBlob {
  task: string
  blob: string
}

/** The outcome for blobs of one task. */
export interface SettledBlobs {
  /** A row names them: their bytes stay counted. */
  named: readonly string[]
  /** They are gone, and nobody writes them any more. */
  removed: readonly string[]
}
