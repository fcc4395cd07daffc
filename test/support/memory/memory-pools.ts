/** The pools of a workspace in memory: which pool keeps delegations of which task, and what a pool is told of a task. */
import type { Status } from '../../../src/core/terms/status.ts'
import { cancelOpen, withdrawEnd, type DelegationRows } from '../../../src/store/workspace/delegations/delegations.ts'
import type { MemoryCommands, MemoryQueries } from './memory-handlers.ts'

export function memoryPools(
  entryOf: (task: string) => { status: Status; admitted_at: number } | null,
  delegations: DelegationRows,
) {
  const pool_of = new Map<string, string>()
  const commands: MemoryCommands<'tie_to_pool' | 'note_task_change'> = {
    tie_to_pool({ task, pool }) {
      const entry = entryOf(task)
      if (entry === null) return null
      pool_of.set(task, pool)
      return { status: entry.status, since: entry.admitted_at }
    },
    note_task_change({ task, change, until, at }) {
      if (change === 'reopened') return withdrawEnd(delegations, task, until)
      if (change === 'ended') return cancelOpen(delegations, task, until)
      delegations.drop(task, at)
    },
  }
  const queries: MemoryQueries<'pools'> = {
    pools: ({ after, limit }) =>
      [...new Set(pool_of.values())]
        .toSorted()
        .filter((name) => name > after)
        .slice(0, limit),
  }
  return {
    commands,
    queries,
    poolOf: (task: string) => pool_of.get(task),
    forget: (task: string) => pool_of.delete(task),
  }
}
