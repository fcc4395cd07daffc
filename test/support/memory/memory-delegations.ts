/** The delegations of a tenant's tasks in memory. `entryOf` gives the index entry of a task, or null. */
import { delegationStatusAt, pendingTimes, type StoredDelegation } from '../../../src/core/workspace/claims.ts'
import { firstNoticeAt, nextNoticeAt } from '../../../src/core/workspace/delegation-notice.ts'
import type { Status } from '../../../src/core/terms/status.ts'
import {
  delegationCommands,
  delegationQueries,
  type DelegationRows,
} from '../../../src/store/workspace/delegations/delegations.ts'
import { waiters } from '../../../src/store/workspace/delegations/waiters.ts'
import type { MemoryCommands, MemoryQueries } from './memory-handlers.ts'

export function memoryDelegations(
  entryOf: (task: string) => { status: Status; admitted_at: number } | null,
  now: () => number,
) {
  const rows = memoryRows()
  const foreign = new Map<string, number>()
  const waiting = waiters((max) => pendingTimes(rows.longestPending(max, now()), now()), now)
  const store = () => ({
    rows,
    statusOf: (task: string) => entryOf(task)?.status ?? null,
    admittedAt: (task: string) => entryOf(task)?.admitted_at ?? foreign.get(task) ?? null,
    keepForeign: (task: string, since: number) => void foreign.set(task, since),
  })
  const after = { planReminders: () => undefined, lookForWaiters: waiting.look }
  const here = () => ({ now_ms: now(), after, callersWaiting: waiting.count })
  const [writes, reads] = [delegationCommands(store), delegationQueries(store)]
  const commands: MemoryCommands<keyof typeof writes> = {
    enter_delegation: (command) => writes.enter_delegation(here(), command),
    claim_delegation: (command) => writes.claim_delegation(here(), command),
    settle_delegation: (command) => writes.settle_delegation(here(), command),
  }
  const queries: MemoryQueries<keyof typeof reads> = {
    claim: (query) => reads.claim(here(), query),
    delegations: (query) => reads.delegations(here(), query),
    pool_counts: (query) => reads.pool_counts(here(), query),
  }
  return { commands, queries, rows, wait: waiting.wait }
}

function memoryRows(): DelegationRows {
  const kept = new Map<string, StoredDelegation>()
  const newestFirst = () => [...kept.values()].toSorted((a, b) => b.position - a.position)
  const open = () => newestFirst().filter(({ status }) => status === 'open')
  const found = (id: string, open: boolean) => {
    const row = kept.get(id)
    return row !== undefined && open === (row.status === 'open') ? row : null
  }
  return {
    open: (status, before, limit, now_ms) =>
      open()
        .filter((row) => before === 0 || row.position < before)
        .filter((row) => status === null || delegationStatusAt(row, now_ms) === status)
        .slice(0, limit),
    longestPending(limit, now_ms) {
      const times = new Map(pendingTimes(open(), now_ms).map(({ id, at }) => [id, at]))
      const at = (row: StoredDelegation) => times.get(row.id) ?? Infinity
      const found = open()
        .filter((row) => times.has(row.id))
        .toSorted((a, b) => at(a) - at(b) || a.position - b.position)
      const pending = found.filter((row) => at(row) <= now_ms).slice(0, limit)
      return pending.length < limit ? found.slice(0, pending.length + 1) : pending
    },
    dueNotices: (limit, now_ms) =>
      open()
        .filter((row) => nextNoticeAt(row, now_ms) <= now_ms)
        .toSorted((a, b) => (a.tell_at ?? 0) - (b.tell_at ?? 0) || a.position - b.position)
        .slice(0, limit),
    firstNoticeAt: (now_ms) => firstNoticeAt(open(), now_ms),
    openOf: (task) => newestFirst().filter((row) => row.status === 'open' && row.task === task),
    settled(status, before, limit) {
      const found = newestFirst().filter((row) => row.status === status && (before === 0 || row.position < before))
      return found.slice(0, limit)
    },
    findOpen: (id) => found(id, true),
    findSettled: (id) => found(id, false),
    newest: () => newestFirst()[0]?.position ?? 0,
    insert: (row) => void kept.set(row.id, row),
    update: (row) => void kept.set(row.id, row),
    settle: (row, status) => void kept.set(row.id, { ...row, status }),
    countOpen(now_ms) {
      const open = newestFirst().filter(({ status, deadline }) => status === 'open' && deadline > now_ms)
      return { open: open.length, claimed: open.filter(({ claim }) => claim !== null && claim.until > now_ms).length }
    },
    expire(now_ms) {
      for (const row of kept.values())
        if (row.status === 'open' && row.deadline <= now_ms) kept.set(row.id, { ...row, status: 'expired' })
    },
    drop(task, at = Infinity) {
      for (const row of kept.values()) if (row.task === task && row.at <= at) kept.delete(row.id)
    },
  }
}
