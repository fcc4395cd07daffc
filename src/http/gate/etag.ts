/** Entity tags: the version of a task as one, whether a reader has it already, and whether a writer means it (RFC 9110). */

import { fingerprint } from '../../core/terms/values/hash.ts'
import type { TaskView } from '../../core/terms/view.ts'

/** Files come and go without a new version of their task, and links end without one: an answer that shows some has a tag of these too. */
export function etagOf({ version, result }: Pick<TaskView, 'version' | 'result'>, link_epoch: number): string {
  const artifacts = result?.artifacts ?? []
  if (link_epoch > 0) return `"${version};${fingerprint(JSON.stringify([link_epoch, artifacts]))}"`
  return artifacts.length === 0 ? `"${version}"` : `"${version};${fingerprint(JSON.stringify(artifacts))}"`
}

/** The version that a tag of ours names. */
const VERSION = /^"(0|[1-9]\d{0,14})(?:;[0-9a-f]{16})?"$/

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/**
 * The versions that If-Match names; null: any (`*`). Compared strongly, as it asks: a tag that is marked weak, or is none of ours, is of
 * no version.
 */
export function versionsOfIfMatch(header: string): number[] | null {
  if (header.trim() === '*') return null
  const tags = [...header.matchAll(TAG)].flatMap(([whole, tag = '']) => (whole === tag ? [tag] : []))
  return tags.flatMap((tag) => {
    const version = VERSION.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}

/** Compared weakly, as If-None-Match asks: `*`, or a list in which the tag stands, marked weak or not. */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.trim() === '*' || [...header.matchAll(TAG)].some(([, tag]) => tag === etag)
}
