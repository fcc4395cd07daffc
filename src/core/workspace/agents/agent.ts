/**
 * Agents (U58): a definition under a name, in versions, by which tasks are made. A task keeps the definition as it was, so it does not
 * need its agent any longer. Times are in ms since the epoch.
 */
import { fingerprint } from '../../terms/values/hash.ts'
import { isResourceName } from '../../terms/values/resource-name.ts'

/** The most agents of one tenant. */
export const AGENTS_MAX = 100
/** The versions that are kept of one agent, the newest ones. */
export const VERSIONS_MAX = 100
/** Of a definition as JSON. */
export const AGENT_BYTES_MAX = 65_536
/** Of the input of a task as JSON. */
export const INPUT_BYTES_MAX = 16_384

/** One version of an agent. It never changes. */
export interface AgentVersion {
  name: string
  /** Counts from 1. */
  version: number
  /** The body of the request that put it. */
  definition: Record<string, unknown>
  /** When it was put. */
  at: number
}
/** The newest version, or the one that was asked for. */
export interface StoredAgent extends AgentVersion {
  latest: number
  /** When the first version was put. */
  created: number
}

/** An agent as a caller names it. `version` null: the newest. */
export interface AgentRef {
  name: string
  version: number | null
}

const VERSION = /^[1-9]\d{0,8}$/

/** `name` or `name@version`. null: it is neither. */
export function readAgentRef(text: string): AgentRef | null {
  const at = text.indexOf('@')
  const name = at === -1 ? text : text.slice(0, at)
  if (!isResourceName(name)) return null
  if (at === -1) return { name, version: null }
  const version = text.slice(at + 1)
  return VERSION.test(version) ? { name, version: Number(version) } : null
}
export const isAgentRef = (text: string): boolean => readAgentRef(text) !== null

/** The entity tag of an agent. A name that was deleted and put again has other tags, unless it is what it was. */
export const agentTag = ({ version, definition }: Pick<AgentVersion, 'version' | 'definition'>): string =>
  `"${version};${fingerprint(JSON.stringify(definition))}"`

/**
 * What the newest version of an agent must be (`match`) and must not be (`none_match`), so that the agent is changed: one of these tags, or any
 * version (`*`). null: nothing is demanded.
 */
export interface AgentCondition {
  match: readonly string[] | '*' | null
  none_match: readonly string[] | '*' | null
}

export function isMet({ match, none_match }: AgentCondition, known: AgentVersion | null): boolean {
  const isOf = (tags: readonly string[] | '*') => known !== null && (tags === '*' || tags.includes(agentTag(known)))
  return (match === null || isOf(match)) && (none_match === null || !isOf(none_match))
}
