/** The agents of a tenant over the rows of any store: how versions are put, kept and dropped. */
import { ok, refuse } from '../../../core/terms/refusal.ts'
import { isMet, VERSIONS_MAX, type AgentVersion, type StoredAgent } from '../../../core/workspace/agents/agent.ts'
import type { CommandHandlers, QueryHandlers, ReadContext } from '../handlers.ts'

export interface AgentRows {
  /** `version` null: the newest. */
  find(name: string, version: number | null): StoredAgent | null
  /** By name: the newest versions of at most `limit` agents whose names come after `after`. */
  list(after: string, limit: number): StoredAgent[]
  names(): string[]
  count(): number
  /** Newest first: at most `limit` versions below `before`. 0: from the newest on. */
  versions(name: string, before: number, limit: number): StoredAgent[]
  /** Adds the newest version, and drops those up to `dropped`. */
  add(agent: AgentVersion, created: number, dropped: number): void
  drop(name: string): void
}
/** The open tasks that an agent has made: how many, and the newest ids. */
export type OpenTasksOf = (agent: string, ids_max: number) => { tasks: number; ids: string[] }

export type AgentQuery = 'agent' | 'agents' | 'agent_names' | 'agent_versions'

/** The open tasks that a refusal names. */
const NAMED_TASKS_MAX = 3

/** `within` makes a write that the bytes of the tenant bound. */
export function agentCommands<C extends Pick<ReadContext, 'now_ms'>>(
  rowsOf: (context: C) => AgentRows,
  openTasksOf: (context: C) => OpenTasksOf,
  within: <T>(context: C, write: () => T) => T,
): CommandHandlers<'put_agent' | 'drop_agent', C> {
  return {
    put_agent(context, { name, definition, condition, agents_max }) {
      const rows = rowsOf(context)
      const known = rows.find(name, null)
      // A put whose answer was lost comes again, and its condition was met by the first one.
      if (known !== null && JSON.stringify(known.definition) === JSON.stringify(definition))
        return ok({ agent: known, change: 'none' })
      if (!isMet(condition, known))
        return refuse({
          code: 'agent_changed',
          name,
          version: known?.version ?? null,
          is_new: condition.none_match !== null && condition.match === null,
        })
      if (known === null && rows.count() >= agents_max) return refuse({ code: 'too_many_agents', max: agents_max })
      const version = (known?.version ?? 0) + 1
      const added = { name, version, definition, at: context.now_ms }
      const created = known?.created ?? context.now_ms
      within(context, () => rows.add(added, created, version - VERSIONS_MAX))
      return ok({ agent: { ...added, latest: version, created }, change: known === null ? 'first' : 'next' })
    },
    drop_agent(context, { name, condition, force, elsewhere }) {
      const rows = rowsOf(context)
      const known = rows.find(name, null)
      if (known === null) return ok(false)
      if (!isMet(condition, known))
        return refuse({ code: 'agent_changed', name, version: known.version, is_new: false })
      const { tasks: own, ids } = openTasksOf(context)(name, NAMED_TASKS_MAX)
      const tasks = own + (elsewhere?.tasks ?? 0)
      const named = [...ids, ...(elsewhere?.ids ?? [])].slice(0, NAMED_TASKS_MAX)
      if (tasks > 0 && !force) return refuse({ code: 'agent_in_use', name, tasks, ids: named })
      rows.drop(name)
      return ok(true)
    },
  }
}

export const agentQueries = <C>(rowsOf: (context: C) => AgentRows): QueryHandlers<AgentQuery, C> => ({
  agent: (context, { name, version }) => rowsOf(context).find(name, version),
  agents: (context, { after, limit }) => rowsOf(context).list(after, limit),
  agent_names: (context) => rowsOf(context).names(),
  agent_versions: (context, { name, before, limit }) => rowsOf(context).versions(name, before, limit),
})
