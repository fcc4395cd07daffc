/** The notice to a tenant that a command waits for a worker (U22), and when it is sent. It tells nothing of the contents. */
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

/** The delegation id in the id of a notice. null: the notice is a reminder. */
export const delegationOfNotice = (id: string): string | null =>
  id.endsWith(SUFFIX) ? id.slice(0, -SUFFIX.length) : null

const FIRST_PAUSE_MS = 30_000
const PAUSE_MS_MAX = 3_600_000

/** How long to wait for the next try after `tries` failed ones. */
export const noticeRetryDelay = (tries: number): number =>
  Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** Math.min(16, Math.max(0, tries - 1)))

/** When the next notice is due. Infinity: the notice was delivered, or the command is settled, or its deadline comes first. */
export function nextNoticeAt(delegation: StoredDelegation, now_ms: number): number {
  const { tell_at, deadline } = delegation
  const status = delegationStatusAt(delegation, now_ms)
  const isOpen = status === 'pending' || status === 'claimed'
  return isOpen && tell_at !== null && tell_at < deadline ? tell_at : Infinity
}

/** When the first notice is due. null: there is none. */
export const firstNoticeAt = (delegations: readonly StoredDelegation[], now_ms: number): number | null =>
  earliest(delegations.map((delegation) => nextNoticeAt(delegation, now_ms)))
