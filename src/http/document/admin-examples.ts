/** The examples of the routes about tenants and keys. */
import { NO_KEY_LIMITS, NO_TENANT_LIMITS } from '../../core/registry/limits.ts'
import type { DeploymentView } from '../../core/shown/deployment-view.ts'
import type { AuditView, KeyView, TenantView } from '../../core/shown/registry-views.ts'
import { onlyPage } from './delegation-examples.ts'

export const TENANT_EXAMPLE: TenantView = {
  name: 'acme',
  disabled: false,
  disabled_at: null,
  created_at: '2026-03-02T09:00:00.000Z',
  limits: { ...NO_TENANT_LIMITS, rate_per_minute: 600, cost_usd_per_day: '5.00' },
}
export const KEY_EXAMPLE: KeyView = {
  id: 'key_7Qw2mN0pLx4vB9tR1sYc',
  tenant: 'acme',
  name: 'web shop',
  prefix: 'la_4Zr9Kc',
  scopes: ['tasks:read', 'tasks:write'],
  limits: NO_KEY_LIMITS,
  state: 'live',
  created_at: '2026-03-02T09:00:00.000Z',
  created_by: 'admin_key',
  expires_at: '2027-03-02T09:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
  replaces: null,
}
/** Its checksum does not fit, so that nobody and no scanner takes it for a key. */
const SHOWN = { key: 'la_4Zr9KcExampleExampleExampleExamp_000000' }
const SUCCESSOR_EXAMPLE = { ...KEY_EXAMPLE, id: 'key_0Bf6hT3uXk8dJ5wE2nMq', replaces: KEY_EXAMPLE.id, ...SHOWN }
const REPLACED_EXAMPLE = { ...KEY_EXAMPLE, expires_at: '2026-06-03T09:00:00.000Z' }
export const AUDIT_EXAMPLE: AuditView = {
  seq: 12,
  at: '2026-03-02T09:00:00.000Z',
  request_id: '5f1c9a7b-e2d0-4836-9c1d-0a7b64d2e8f1',
  actor: 'admin_key',
  actor_tenant: null,
  action: 'createKey',
  tenant: 'acme',
  key: KEY_EXAMPLE.id,
  outcome: 'done',
  details: { name: 'web shop', scopes: ['tasks:read', 'tasks:write'], limits: {} },
}

export const DEPLOYMENT_EXAMPLE: DeploymentView = {
  version: '0.1.0',
  schema_version: 12,
  environment: 'production',
  at: '2026-03-02T09:00:00.000Z',
  bindings: [
    { name: 'TASKS', state: 'bound', answered_ms: 4, problem: null },
    { name: 'JOBS', state: 'failing', answered_ms: null, problem: 'no answer within 1 s' },
    { name: 'INDEX', state: 'absent', answered_ms: null, problem: null },
  ],
  queue: null,
  index_fed: null,
  features: [
    { name: 'job_queue', text: 'jobs by a queue', on: true, by: ['JOBS'] },
    { name: 'index_database', text: 'lists by a database', on: false, by: ['INDEX'] },
  ],
  sharded_tenants: 0,
  short_keys: 0,
}

export const ADMIN_EXAMPLES = {
  createTenant: {
    request: { name: 'acme', limits: { rate_per_minute: 600, cost_usd_per_day: '5.00' } },
    answer: TENANT_EXAMPLE,
  },
  listTenants: { answer: onlyPage(TENANT_EXAMPLE) },
  getTenant: { answer: TENANT_EXAMPLE },
  changeTenant: {
    request: { disabled: true },
    answer: { ...TENANT_EXAMPLE, disabled: true, disabled_at: '2026-03-03T09:00:00.000Z' },
  },
  createKey: {
    request: { tenant: 'acme', name: 'web shop', scopes: ['tasks:read', 'tasks:write'], expires_in_s: 31_536_000 },
    answer: { ...KEY_EXAMPLE, ...SHOWN },
  },
  listKeys: { answer: onlyPage(KEY_EXAMPLE) },
  getKey: { answer: KEY_EXAMPLE },
  rotateKey: { request: { grace_s: 86_400 }, answer: { ...SUCCESSOR_EXAMPLE, replaced: REPLACED_EXAMPLE } },
  getDeployment: { answer: DEPLOYMENT_EXAMPLE },
  listAudit: { answer: onlyPage(AUDIT_EXAMPLE) },
}
