/** The service of schedules, loaded by the first request that needs it. */
import type { TaskMaker } from '../scheduled-tasks.ts'
import type { ScheduleService, ServicePorts } from './schedule-service.ts'

export function lazySchedules(ports: ServicePorts, tasks: TaskMaker): ScheduleService {
  const load = async () => (await import('./schedule-service.ts')).scheduleService(ports, tasks)
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
