/**
 * A task that is deleted and made again under its Idempotency-Key has the id it had. What tells the two apart is a life: named after the
 * slice of the request that made the task, it stands where the first row would have a slice. Blobs are named by it, and the index knows an
 * entry by who was admitted for it, so that whoever clears away one life touches nothing of the next.
 */

/** No slice is called like that: the first row is no effect that anyone holds. */
export const incarnationOf = (slice: string): string => `life_${slice}`

/** Empty of a task of an earlier release, whose blobs have names without one. */
export const incarnationOfBlob = (blob: string): string => (blob.includes('.') ? blob.slice(0, blob.indexOf('.')) : '')

/** Neither has a dot. */
export const blobName = (life: string, random: string): string => (life === '' ? random : `${life}.${random}`)

/** Admitted for an entry that was there: which of them makes the task is not known, so this is no life. */
export const ambiguousAdmission = (slice: string): string => `+${slice}`

/** Whether one that is admitted has changed the entry already: its call came twice. */
export const wasAdmittedBy = (admitted: string, slice: string): boolean =>
  admitted === incarnationOf(slice) || admitted === ambiguousAdmission(slice)
