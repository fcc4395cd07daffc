/** Notices that tell a tenant of delegations that wait for a worker, each at least once until it is settled or expired. */
import {
  delegationOfNotice,
  noticeRetryDelay,
  delegationNotice,
  nextNoticeAt,
} from '../../../core/workspace/delegation-notice.ts'
import type { TenantNotice } from '../../../core/workspace/reminder-message.ts'
import type { RemindCall } from '../../../core/protocol/workspace-records.ts'
import type { DelegationRows } from './delegations.ts'

/** Longer than an attempt takes. After this time a lost attempt is repeated. */
export const HELD_MS = 30_000

export function takeNotices(rows: DelegationRows, { settled, max }: RemindCall, now_ms: number): TenantNotice[] {
  if (settled.length > 0) note(rows, settled, now_ms)
  const due = rows
    .open()
    .filter((row) => nextNoticeAt(row, now_ms) <= now_ms)
    .toSorted((a, b) => a.position - b.position)
    .slice(0, max)
  for (const row of due) rows.update({ ...row, tell_at: now_ms + HELD_MS, tries: row.tries + 1 })
  return due.map(delegationNotice)
}

/** A delivered notice stays delivered, even where a slower attempt at it fails. */
function note(rows: DelegationRows, settled: RemindCall['settled'], now_ms: number): void {
  const delivered = new Map(settled.map((one) => [delegationOfNotice(one.id), one.delivered]))
  for (const row of rows.open()) {
    const was_delivered = delivered.get(row.id)
    if (was_delivered === undefined || row.tell_at === null) continue
    rows.update({ ...row, tell_at: was_delivered ? null : now_ms + noticeRetryDelay(row.tries) })
  }
}
