/**
 * The incarnation of a task. A task that is deleted and created again under its Idempotency-Key gets the same id, and the
 * incarnation tells the two apart. It is named after the slice of the request that created the task, and is stored as the
 * slice of the first row. Names of blobs contain it, and the index stores for each entry which request was admitted. So the
 * removal of one incarnation never touches the next one.
 */

/** The name of an incarnation. It is never the name of a slice, because no slice holds the first row. */
export const incarnationOf = (slice: string): string => `life_${slice}`

/** The incarnation in the name of a blob. It is empty for blobs of earlier releases, whose names have none. */
export const incarnationOfBlob = (blob: string): string => (blob.includes('.') ? blob.slice(0, blob.indexOf('.')) : '')

/** The name of a blob. The dot separates its parts, because neither of them contains one. */
export const blobName = (incarnation: string, random: string): string =>
  incarnation === '' ? random : `${incarnation}.${random}`

/**
 * Marks an entry that existed before the request was admitted. Either request may create the task, so the mark is not an
 * incarnation.
 */
export const ambiguousAdmission = (slice: string): string => `+${slice}`

/** Whether the request of this slice was admitted for the entry already. Then its call has arrived a second time. */
export const wasAdmittedBy = (admitted: string, slice: string): boolean =>
  admitted === incarnationOf(slice) || admitted === ambiguousAdmission(slice)
