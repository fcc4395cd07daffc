/** A store that records which object was called with which method, and how many calls are in progress. */
import type { TaskStore } from '../../src/shell/ports.ts'

export interface Counted {
  store: TaskStore
  /** `task.begin`, `workspace.run_command`, …, in order. */
  calls: string[]
  /** Calls that have not answered yet. */
  open(): number
}

export function counted(store: TaskStore): Counted {
  const calls: string[] = []
  let open = 0
  const watch = <T extends object>(kind: string, remote: T, names: readonly (keyof T & string)[]): T => {
    const entries = names.map((name) => [
      name,
      async (...args: unknown[]) => {
        calls.push(`${kind}.${kindIn(args) ?? name}`)
        open += 1
        try {
          // This has to be a method call, because a stub cannot give its methods as values.
          return await (remote as Record<string, (...given: unknown[]) => Promise<unknown>>)[name]?.(...args)
        } finally {
          open -= 1
        }
      },
    ])
    return Object.fromEntries(entries) as T // the same names, each answering as before
  }
  return {
    calls,
    open: () => open,
    store: {
      of: (tenant, id) => watch('task', store.of(tenant, id), TASK),
      workspace: (tenant) => watch('workspace', store.workspace(tenant), WORKSPACE),
      pool: (tenant, pool) => watch('pool', store.pool(tenant, pool), WORKSPACE),
    },
  }
}

/** Commands and queries are data with a kind. */
const kindIn = ([first]: unknown[]): string | null =>
  typeof first === 'object' && first !== null && 'kind' in first ? String(first.kind) : null

const TASK = ['create', 'begin', 'commit', 'tell', 'ask', 'remove'] as const
const WORKSPACE = ['tell', 'ask'] as const
