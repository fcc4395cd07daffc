/**
 * All routes of the service with their handlers. The router mounts this table and openapi.yaml is written from it, so neither can have a
 * route that the other lacks (API9).
 */
import type { Endpoint } from './endpoint.ts'
import { AUDIT_ROUTES } from './resources/admin/audit.ts'
import { DEPLOYMENT_ROUTES } from './resources/admin/deployment.ts'
import { KEY_ROUTES } from './resources/admin/keys.ts'
import { TENANT_ROUTES } from './resources/admin/tenants.ts'
import { AGENT_ROUTES } from './resources/agents/agents.ts'
import { ANSWER_ROUTES } from './resources/answers/answers.ts'
import { CALENDAR_ROUTES } from './resources/calendar.ts'
import { COMMAND_ROUTES } from './resources/commands.ts'
import { DELEGATION_ROUTES } from './resources/delegations/delegations.ts'
import { EVENT_ROUTES } from './resources/events/events.ts'
import { FILE_ROUTES } from './resources/files.ts'
import { FORK_ROUTES } from './resources/fork.ts'
import { HISTORY_ROUTES } from './resources/history.ts'
import { METRICS_ROUTES } from './resources/metrics.ts'
import { LIMIT_ROUTES } from './resources/limits.ts'
import { MODEL_ROUTES } from './resources/models.ts'
import { SCHEDULE_ROUTES } from './resources/schedules/schedules.ts'
import { SECRET_ROUTES } from './resources/secrets.ts'
import { SERVICE_ROUTES } from './resources/service.ts'
import { SIGN_IN_ROUTES } from './resources/sign-in.ts'
import { TASK_CONTROL_ROUTES } from './resources/tasks/control.ts'
import { TASK_ROUTES } from './resources/tasks/tasks.ts'
import { TOOL_ROUTES } from './resources/tools.ts'
import { TELEMETRY_ROUTES } from './resources/telemetry.ts'
import { USAGE_ROUTES } from './resources/usage.ts'
import { WEBHOOK_ROUTES } from './resources/webhooks.ts'

/** By operation id, in the order of openapi.yaml. A route that is not built is absent (U29). */
export const ROUTES = {
  ...TASK_ROUTES,
  ...TASK_CONTROL_ROUTES,
  ...EVENT_ROUTES,
  ...HISTORY_ROUTES,
  ...FORK_ROUTES,
  ...FILE_ROUTES,
  ...AGENT_ROUTES,
  ...SECRET_ROUTES,
  ...SCHEDULE_ROUTES,
  ...COMMAND_ROUTES,
  ...WEBHOOK_ROUTES,
  ...ANSWER_ROUTES,
  ...DELEGATION_ROUTES,
  ...CALENDAR_ROUTES,
  ...MODEL_ROUTES,
  ...LIMIT_ROUTES,
  ...TOOL_ROUTES,
  ...SIGN_IN_ROUTES,
  ...TENANT_ROUTES,
  ...KEY_ROUTES,
  ...AUDIT_ROUTES,
  ...DEPLOYMENT_ROUTES,
  ...USAGE_ROUTES,
  ...TELEMETRY_ROUTES,
  ...SERVICE_ROUTES,
  ...METRICS_ROUTES,
} satisfies Record<string, Endpoint>
