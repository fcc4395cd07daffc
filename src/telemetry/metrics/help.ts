/** The help of each metric. Only a scrape reads it, so a start does not load it. */
import type { MetricName, WorkspaceGauges } from './catalogue.ts'

export const METRIC_HELP: Record<MetricName, string> = {
  http_requests: 'Requests by the template of their route, method and class of status.',
  http_request_duration_seconds: 'Time until the head of the answer. A stream goes on after it.',
  slices:
    'Slices of tasks, by what caused them (request, command, drive) and what became of them (advanced, idle, refused, failed).',
  slice_duration_seconds: 'Time from the beginning of a slice to its answer.',
  steps: 'Steps that were charged.',
  tokens: 'Tokens that were charged.',
  cost_usd: 'Money that was charged, in USD.',
  effects: 'Calls of models and tools that came back, and whether they did what was asked (ok, failed).',
  effect_duration_seconds: 'How long calls of models and tools took.',
  orphaned_calls: 'Calls whose worker was lost before it stored an outcome. They are charged in full.',
  tasks_ended: 'Tasks that have ended, by status and outcome.',
  jobs: 'Jobs of alarms and queues.',
  job_delay_seconds: 'Time from when a job was due until it began: the age of the queue.',
  deliveries: 'Attempts of deliveries to callbacks: sent, failed (tried again later), given_up.',
  spans:
    'Spans by receiver (service, tenant) and what became of them: taken, failed (sent again later), refused or rejected by the collector, dropped after a day.',
  log_errors: 'Lines of the log at level error, also where they are not shown.',
  tenant_requests: 'Requests of a tenant (METRICS_TENANTS).',
  tenant_steps: 'Steps of a tenant (METRICS_TENANTS).',
  tenant_tokens: 'Tokens of a tenant (METRICS_TENANTS).',
  tenant_cost_usd: 'Money that a tenant was charged, in USD (METRICS_TENANTS).',
}

/** Sums over the workspaces that have told of themselves. */
export const GAUGE_HELP: Record<keyof WorkspaceGauges, string> = {
  open_tasks: 'Tasks that have not ended.',
  slots_held: 'Run slots that tasks hold.',
  slots_max: 'Run slots that there are.',
  slots_waiting: 'Tasks that wait for a run slot.',
  deliveries_waiting: 'Deliveries whose last attempt has failed and that will be tried again.',
}
