/** Entity tags: the version of a task as one, and whether a reader has it already (RFC 9110, If-None-Match). */

export const etagOf = (version: number) => `"${version}"`

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** Compared weakly, as If-None-Match asks: `*`, or a list in which the tag stands, marked weak or not. */
export function noneMatch(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.trim() === '*' || [...header.matchAll(TAG)].some(([, tag]) => tag === etag)
}
