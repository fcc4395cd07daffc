/** Entity tags of tasks and files, and the conditions of requests on them (RFC 9110). */
import { fingerprint } from '../../core/terms/values/hash.ts'
import type { AgentCondition } from '../../core/workspace/agents/agent.ts'
import type { TaskView } from '../../core/terms/view.ts'

/** Files and links change without a new version of their task. The tag of an answer that shows them covers them too. */
export function etagOf({ version, result }: Pick<TaskView, 'version' | 'result'>, link_epoch: number): string {
  const artifacts = result?.artifacts ?? []
  if (link_epoch > 0) return `"${version};${fingerprint(JSON.stringify([link_epoch, artifacts]))}"`
  return artifacts.length === 0 ? `"${version}"` : `"${version};${fingerprint(JSON.stringify(artifacts))}"`
}

/** A tag of this service, which names a version. */
const VERSION = /^"(0|[1-9]\d{0,14})(?:;[0-9a-f]{16})?"$/

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** All tags of a header, without the mark of weak ones. */
const tagsIn = (header: string): string[] => Array.from(header.matchAll(TAG), ([, tag = '']) => tag)
const strongTags = (header: string): string[] =>
  [...header.matchAll(TAG)].flatMap(([whole, tag = '']) => (whole === tag ? [tag] : []))

/** The versions that If-Match names; null: any (`*`). The header compares strongly, so weak tags and foreign tags name no version. */
export function versionsOfIfMatch(header: string): number[] | null {
  if (header.trim() === '*') return null
  return strongTags(header).flatMap((tag) => {
    const version = VERSION.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}

/** What the agent of a PUT or DELETE must be. If-Match compares strongly, so a weak tag names no version; If-None-Match compares weakly. */
export function agentCondition(headers: Headers): AgentCondition {
  const [match, none_match] = [headers.get('if-match'), headers.get('if-none-match')]
  return {
    match: match === null ? null : hasStar(match) ? '*' : strongTags(match),
    none_match: none_match === null ? null : hasStar(none_match) ? '*' : tagsIn(none_match),
  }
}
const hasStar = (header: string): boolean => header.split(',').some((part) => part.trim() === '*')

/** Whether If-None-Match is `*` or lists the tag. The header compares weakly, so a weak mark makes no difference. */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.trim() === '*' || tagsIn(header).includes(etag)
}
