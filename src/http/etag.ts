/** Entity tags: the version of a task as one, whether a reader has it already, and whether a writer means it (RFC 9110). */

export const etagOf = (version: number) => `"${version}"`

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/**
 * The versions that If-Match names; null: any (`*`). Compared strongly, as it asks: a tag that is marked weak, or is none of ours, is of
 * no version.
 */
export function ifMatch(header: string): number[] | null {
  if (header.trim() === '*') return null
  const tags = [...header.matchAll(TAG)].flatMap(([whole, tag = '']) => (whole === tag ? [tag] : []))
  return tags.map((tag) => Number(tag.slice(1, -1))).filter((version) => tags.includes(etagOf(version)))
}

/** Compared weakly, as If-None-Match asks: `*`, or a list in which the tag stands, marked weak or not. */
export function noneMatch(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.trim() === '*' || [...header.matchAll(TAG)].some(([, tag]) => tag === etag)
}
