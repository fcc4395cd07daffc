/** The rows of agents in memory. What is decided over them is the code of the service. */
import type { StoredAgent } from '../../../src/core/workspace/agents/agent.ts'
import {
  agentCommands,
  agentQueries,
  type AgentRows,
  type OpenTasksOf,
} from '../../../src/store/workspace/agents/agents.ts'
import type { MemoryCommands, MemoryQueries } from './memory-handlers.ts'

function memoryAgentRows(): AgentRows {
  const kept = new Map<string, StoredAgent[]>()
  const newest = () =>
    [...kept.values()].flatMap((versions) => versions.at(-1) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const versionsOf = (name: string) => kept.get(name) ?? []
  return {
    find: (name, version) =>
      (version === null ? versionsOf(name).at(-1) : versionsOf(name).find((one) => one.version === version)) ?? null,
    list: (after, limit) =>
      newest()
        .filter(({ name }) => name > after)
        .slice(0, limit),
    names: () => newest().map(({ name }) => name),
    count: () => kept.size,
    versions: (name, before, limit) =>
      versionsOf(name)
        .filter(({ version }) => before === 0 || version < before)
        .toReversed()
        .slice(0, limit),
    add(agent, created, dropped) {
      const { name, version } = agent
      const earlier = versionsOf(name).filter((one) => one.version > dropped)
      kept.set(
        name,
        [...earlier, { ...agent, latest: version, created }].map((one) => ({ ...one, latest: version })),
      )
    },
    drop: (name) => void kept.delete(name),
  }
}

export function memoryAgents(now: () => number, openTasksOf: OpenTasksOf) {
  const rows = memoryAgentRows()
  const context = () => ({ now_ms: now() })
  const commands = agentCommands<{ now_ms: number }>(
    () => rows,
    () => openTasksOf,
    (_, write) => write(),
  )
  const queries = agentQueries<{ now_ms: number }>(() => rows)
  const told: MemoryCommands<keyof typeof commands> = {
    put_agent: (command) => commands.put_agent(context(), command),
    drop_agent: (command) => commands.drop_agent(context(), command),
  }
  const asked: MemoryQueries<keyof typeof queries> = {
    agent: (query) => queries.agent(context(), query),
    agents: (query) => queries.agents(context(), query),
    agent_names: (query) => queries.agent_names(context(), query),
    agent_versions: (query) => queries.agent_versions(context(), query),
  }
  return { commands: told, queries: asked }
}
