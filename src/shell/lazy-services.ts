/** Parts of the service that the first request for them loads. */
import type { AgentService } from './agents/agent-service.ts'
import type { DelegationService } from './delegations/delegation-service.ts'
import type { Ports } from './ports.ts'
import type { AdminPorts, AdminService } from './registry/admin-service.ts'
import type { TaskMaker } from './scheduled-tasks.ts'
import type { ExportService } from './exports/export-service.ts'
import type { ScheduleService, ServicePorts } from './schedules/schedule-service.ts'

export function lazyAgents(ports: Pick<Ports, 'store' | 'fits'>): AgentService {
  const load = async () => (await import('./agents/agent-service.ts')).agentService(ports)
  return {
    inputMismatch: async (...asked) => (await load()).inputMismatch(...asked),
    putAgent: async (...asked) => (await load()).putAgent(...asked),
    getAgent: async (...asked) => (await load()).getAgent(...asked),
    listAgents: async (...asked) => (await load()).listAgents(...asked),
    listAgentVersions: async (...asked) => (await load()).listAgentVersions(...asked),
    deleteAgent: async (...asked) => (await load()).deleteAgent(...asked),
  }
}

export function lazyDelegations(ports: Ports): DelegationService {
  const load = async () => (await import('./delegations/delegations.ts')).delegationService(ports)
  return {
    listDelegations: async (...asked) => (await load()).listDelegations(...asked),
    listPools: async (...asked) => (await load()).listPools(...asked),
    getDelegation: async (...asked) => (await load()).getDelegation(...asked),
    claimDelegation: async (...asked) => (await load()).claimDelegation(...asked),
    reportDelegation: async (...asked) => (await load()).reportDelegation(...asked),
    reportByLink: async (...asked) => (await load()).reportByLink(...asked),
  }
}

export function lazyAdmin(ports: AdminPorts): AdminService {
  const load = async () => (await import('./registry/admin-service.ts')).adminService(ports)
  return {
    createTenant: async (...asked) => (await load()).createTenant(...asked),
    changeTenant: async (...asked) => (await load()).changeTenant(...asked),
    deleteTenant: async (...asked) => (await load()).deleteTenant(...asked),
    getTenant: async (...asked) => (await load()).getTenant(...asked),
    listTenants: async (...asked) => (await load()).listTenants(...asked),
    createKey: async (...asked) => (await load()).createKey(...asked),
    rotateKey: async (...asked) => (await load()).rotateKey(...asked),
    revokeKey: async (...asked) => (await load()).revokeKey(...asked),
    getKey: async (...asked) => (await load()).getKey(...asked),
    listKeys: async (...asked) => (await load()).listKeys(...asked),
    listAudit: async (...asked) => (await load()).listAudit(...asked),
  }
}

export function lazySchedules(ports: ServicePorts, tasks: TaskMaker): ScheduleService {
  const load = async () => (await import('./schedules/schedule-service.ts')).scheduleService(ports, tasks)
  return {
    putSchedule: async (...asked) => (await load()).putSchedule(...asked),
    getSchedule: async (...asked) => (await load()).getSchedule(...asked),
    listSchedules: async (...asked) => (await load()).listSchedules(...asked),
    deleteSchedule: async (...asked) => (await load()).deleteSchedule(...asked),
    pauseSchedule: async (...asked) => (await load()).pauseSchedule(...asked),
    runSchedule: async (...asked) => (await load()).runSchedule(...asked),
    listScheduleRuns: async (...asked) => (await load()).listScheduleRuns(...asked),
  }
}

export function lazyExports(ports: Pick<Ports, 'store' | 'exports' | 'clock'>): ExportService {
  const load = async () => (await import('./exports/export-service.ts')).exportService(ports)
  return {
    getUsage: async (...asked) => (await load()).getUsage(...asked),
    putReceiver: async (...asked) => (await load()).putReceiver(...asked),
    getReceiver: async (...asked) => (await load()).getReceiver(...asked),
    deleteReceiver: async (...asked) => (await load()).deleteReceiver(...asked),
  }
}
