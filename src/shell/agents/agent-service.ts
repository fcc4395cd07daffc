/** What clients do with their agents, and the version by which a task is made (U58). */
import type { AgentView } from '../../core/shown/agent-view.ts'
import type { JsonSchema } from '../../core/terms/schema/json-schema.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { rfc3339 } from '../../core/terms/text.ts'
import { nameHint } from '../../core/terms/values/known-names.ts'
import {
  AGENTS_MAX,
  agentTag,
  type AgentCondition,
  type AgentRef,
  type AgentVersion,
  type StoredAgent,
} from '../../core/workspace/agents/agent.ts'
import type { Caller, Page, Paging } from '../caller.ts'
import type { Ports } from '../ports.ts'

type PutAnswer = { agent: AgentView; change: 'first' | 'next' | 'none' }

export interface AgentService {
  /** What is wrong with an input by the schema of its agent. null: nothing. */
  inputMismatch(schema: JsonSchema, input: Record<string, unknown>): Promise<string | null>
  /** Keeps a version, unless the newest one says the same. The definition was checked. */
  putAgent(
    caller: Caller,
    agent: Pick<AgentVersion, 'name' | 'definition'>,
    condition: AgentCondition,
  ): Promise<Result<PutAnswer>>
  getAgent(caller: Caller, ref: AgentRef): Promise<Result<AgentView>>
  /** By name, each in its newest version; `after` is a name, or empty. */
  listAgents(caller: Caller, paging: { limit: number; after: string }): Promise<Result<Page<AgentView>>>
  /** Newest first. */
  listAgentVersions(caller: Caller, name: string, paging: Paging): Promise<Result<Page<AgentView>>>
  /** Refused while tasks of it are open, unless `force`. Its tasks stay. */
  deleteAgent(caller: Caller, name: string, force: boolean, condition: AgentCondition): Promise<Result<null>>
}

export function agentService({ store, fits }: Pick<Ports, 'store' | 'fits'>): AgentService {
  const workspaceOf = ({ tenant }: Caller) => store.workspace(tenant)
  const notFound = async (caller: Caller, { name, version }: AgentRef) => {
    const workspace = workspaceOf(caller)
    const known = version === null ? null : await workspace.ask({ kind: 'agent', name, version: null })
    if (known !== null)
      return refuse({ code: 'agent_not_found', name, version, hint: `; the newest is ${name}@${known.version}` })
    const hint = nameHint(name, await workspace.ask({ kind: 'agent_names' }))
    return refuse({ code: 'agent_not_found', name, version: null, hint })
  }
  return {
    inputMismatch: async (schema, input) => fits(schema, input),
    async putAgent(caller, agent, condition) {
      const command = { kind: 'put_agent', ...agent, condition, agents_max: AGENTS_MAX } as const
      const put = await workspaceOf(caller).tell(command)
      return put.ok ? ok({ agent: agentView(put.value.agent), change: put.value.change }) : put
    },
    async getAgent(caller, ref) {
      const found = await workspaceOf(caller).ask({ kind: 'agent', ...ref })
      return found === null ? notFound(caller, ref) : ok(agentView(found))
    },
    async listAgents(caller, { limit, after }) {
      const found = await workspaceOf(caller).ask({ kind: 'agents', after, limit: limit + 1 })
      return ok(pageOf(found, limit, ({ name }) => name))
    },
    async listAgentVersions(caller, name, { limit, after }) {
      const found = await workspaceOf(caller).ask({ kind: 'agent_versions', name, before: after, limit: limit + 1 })
      return found.length === 0 && after === 0
        ? notFound(caller, { name, version: null })
        : ok(pageOf(found, limit, ({ version }) => String(version)))
    },
    async deleteAgent(caller, name, force, condition) {
      const dropped = await workspaceOf(caller).tell({ kind: 'drop_agent', name, force, condition })
      if (!dropped.ok) return dropped
      return dropped.value ? ok(null) : notFound(caller, { name, version: null })
    },
  }
}

function pageOf(found: StoredAgent[], limit: number, cursorOf: (agent: StoredAgent) => string): Page<AgentView> {
  const has_more = found.length > limit
  const data = found.slice(0, limit)
  const last = data.at(-1)
  const next_cursor = has_more && last !== undefined ? cursorOf(last) : null
  return { data: data.map(agentView), has_more, next_cursor }
}

const agentView = ({ created, at, ...agent }: StoredAgent): AgentView => ({
  name: agent.name,
  version: agent.version,
  latest: agent.latest,
  etag: agentTag(agent),
  definition: agent.definition,
  created_at: rfc3339(created),
  updated_at: rfc3339(at),
})
