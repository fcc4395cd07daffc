/** The commands of a tenant's tasks in memory. `statusOf`: how far the index says a task is, null where it has none. */
import type { KeptDelegation } from '../core/claims.ts'
import type { DelegationMethods } from '../core/delegation-methods.ts'
import type { Status } from '../core/status.ts'
import { delegationsOver, type DelegationRows } from './delegations.ts'
import { waiters } from './waiters.ts'

export function memoryDelegations(statusOf: (task: string) => Status | null, now: () => number) {
  const rows = memoryRows()
  const over = () => delegationsOver(rows, now())
  const waiting = waiters(() => over().pendingAt(), now)
  const methods: DelegationMethods = {
    enterDelegation(entry) {
      over().enter(entry, statusOf(entry.task))
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
  const kept = new Map<string, KeptDelegation>()
  const newestFirst = () => [...kept.values()].toSorted((a, b) => b.position - a.position)
  return {
    open: () => newestFirst().filter(({ status }) => status === 'open'),
    settled(status, before, limit) {
      const found = newestFirst().filter((row) => row.status === status && (before === 0 || row.position < before))
      return found.slice(0, limit)
    },
    find: (id) => kept.get(id) ?? null,
    newest: () => newestFirst()[0]?.position ?? 0,
    insert: (row) => void kept.set(row.id, row),
    update: (row) => void kept.set(row.id, row),
    settle: (row, status) => void kept.set(row.id, { ...row, status }),
    drop(task) {
      for (const row of kept.values()) if (row.task === task) kept.delete(row.id)
    },
  }
}
