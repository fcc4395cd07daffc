/** What a tenant is told of a command that waits for a worker (U22): that it is there, and nothing of what it says. And when. */
import { delegationStatusAt, type StoredDelegation } from './claims.ts'
import type { DelegationEntry } from './delegation-index.ts'
import { earliest } from '../terms/values/earliest.ts'
import type { TenantNotice } from './reminder-message.ts'
import { rfc3339 } from '../terms/text.ts'

const SUFFIX = '_pending'

export function delegationNotice({ id, task, type, at, deadline }: DelegationEntry): TenantNotice {
  const times = { deadline: rfc3339(deadline), created_at: rfc3339(at) }
  const data = { id, task_id: task, command_type: type, ...times }
  return { id: `${id}${SUFFIX}`, type: 'delegation.pending', at, data }
}

/** The command that a message of such an id tells of; null: it is a reminder. */
export const delegationOfNotice = (id: string): string | null =>
  id.endsWith(SUFFIX) ? id.slice(0, -SUFFIX.length) : null

const FIRST_PAUSE_MS = 30_000
const PAUSE_MS_MAX = 3_600_000

/** How long the next try waits after so many that failed. */
export const noticeRetryDelay = (tries: number): number =>
  Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** Math.min(16, Math.max(0, tries - 1)))

/** When its tenant is to be told of it; Infinity: no more, as it was told, is settled or would be too late. */
export function nextNoticeAt(kept: StoredDelegation, now_ms: number): number {
  const { tell_at, deadline } = kept
  const status = delegationStatusAt(kept, now_ms)
  const isOpen = status === 'pending' || status === 'claimed'
  return isOpen && tell_at !== null && tell_at < deadline ? tell_at : Infinity
}

/** When there is one to be told of; null: never. */
export const firstNoticeAt = (all: readonly StoredDelegation[], now_ms: number): number | null =>
  earliest(all.map((one) => nextNoticeAt(one, now_ms)))
