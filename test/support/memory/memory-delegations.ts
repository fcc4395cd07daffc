/** The commands of a tenant's tasks in memory. `entryOf`: how the index has a task, null where it has none. */
import type { StoredDelegation } from '../../../src/core/workspace/claims.ts'
import type { DelegationMethods } from '../../../src/core/workspace/delegation-index.ts'
import type { Status } from '../../../src/core/terms/status.ts'
import { delegationsOver, type DelegationRows } from '../../../src/store/workspace/delegations/delegations.ts'
import { waiters } from '../../../src/store/workspace/delegations/waiters.ts'

export function memoryDelegations(
  entryOf: (task: string) => { status: Status; admitted_at: number } | null,
  now: () => number,
) {
  const rows = memoryRows()
  const over = () => delegationsOver(rows, (task) => entryOf(task)?.admitted_at ?? null, now())
  const waiting = waiters(() => over().pendingAt(), now)
  const methods: DelegationMethods = {
    enterDelegation(entry) {
      over().enter(entry, entryOf(entry.task)?.status ?? null)
      waiting.look()
    },
    claimDelegation(...args) {
      const claim = over().claimDelegation(...args)
      waiting.look()
      return claim
    },
    settleDelegation: (...args) => over().settleDelegation(...args),
    claimOf: (id) => over().claimOf(id),
    listDelegations: (...args) => over().listDelegations(...args),
    awaitDelegation: (wait_ms) => waiting.wait(wait_ms),
  }
  return { methods, rows, cancel: (task: string) => over().cancel(task) }
}

function memoryRows(): DelegationRows {
  const kept = new Map<string, StoredDelegation>()
  const newestFirst = () => [...kept.values()].toSorted((a, b) => b.position - a.position)
  const found = (id: string, open: boolean) => {
    const row = kept.get(id)
    return row !== undefined && open === (row.status === 'open') ? row : null
  }
  return {
    open: () => newestFirst().filter(({ status }) => status === 'open'),
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
    expire(now_ms) {
      for (const row of kept.values())
        if (row.status === 'open' && row.deadline <= now_ms) kept.set(row.id, { ...row, status: 'expired' })
    },
    drop(task) {
      for (const row of kept.values()) if (row.task === task) kept.delete(row.id)
    },
  }
}
