/** The service of agents, loaded by the first request that needs it. */
import type { Ports } from '../ports.ts'
import type { AgentService } from './agent-service.ts'

export function lazyAgents(ports: Pick<Ports, 'store' | 'fits'>): AgentService {
  const load = async () => (await import('./agent-service.ts')).agentService(ports)
  return {
    inputMisfit: async (...asked) => (await load()).inputMisfit(...asked),
    putAgent: async (...asked) => (await load()).putAgent(...asked),
    getAgent: async (...asked) => (await load()).getAgent(...asked),
    listAgents: async (...asked) => (await load()).listAgents(...asked),
    listAgentVersions: async (...asked) => (await load()).listAgentVersions(...asked),
    deleteAgent: async (...asked) => (await load()).deleteAgent(...asked),
  }
}
