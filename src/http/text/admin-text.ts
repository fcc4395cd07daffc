/** Tenants, keys and the audit log as lines for a terminal. */
import type { DeploymentView } from '../../core/shown/deployment-view.ts'
import type { AuditView, KeyView, NewKeyView, RotatedKeyView, TenantView } from '../../core/shown/registry-views.ts'
import type { Page } from '../../shell/caller.ts'
import { withCursorLine } from './plain.ts'

const lineOf = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null && part !== '').join('  ')

/** `name value` for each limit that is set. */
const limitLines = (limits: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(limits).flatMap(([name, value]) =>
    value === null ? [] : [`${name}  ${Array.isArray(value) ? value.join(' ') : String(value)}`],
  )

const tenantLine = ({ name, disabled }: TenantView) => lineOf([name, disabled ? 'disabled' : null])
export const tenantText = (tenant: TenantView): string[] => [tenantLine(tenant), ...limitLines(tenant.limits)]
export const tenantsText = (page: Page<TenantView>): string[] =>
  withCursorLine(page.data.map(tenantLine), page.next_cursor)

const keyLine = ({ id, tenant, prefix, scopes, state, expires_at, last_used_at, name }: KeyView): string =>
  lineOf([
    id,
    tenant,
    `${prefix}…`,
    scopes.join(','),
    state,
    expires_at === null ? null : `expires ${expires_at}`,
    last_used_at === null ? 'never used' : `used ${last_used_at}`,
    name,
  ])
export const keyText = (key: KeyView): string[] => [keyLine(key), ...limitLines(key.limits)]
export const keysText = (page: Page<KeyView>): string[] => withCursorLine(page.data.map(keyLine), page.next_cursor)

/** The key stands first and alone on its line, so that `head -1` takes it. */
export const newKeyText = (key: NewKeyView | RotatedKeyView): string[] => [
  key.key ?? '(the key was shown to the first request with this Idempotency-Key)',
  ...keyText(key),
  ...('replaced' in key ? [`replaces  ${keyLine(key.replaced)}`] : []),
]

const auditLine = ({ at, actor, action, tenant, key, outcome, request_id }: AuditView): string =>
  lineOf([at, actor, action, tenant, key, outcome, request_id])
export const auditText = (page: Page<AuditView>): string[] => withCursorLine(page.data.map(auditLine), page.next_cursor)

export const deploymentText = ({ version, environment, bindings, features, ...told }: DeploymentView): string[] => [
  lineOf([version, environment, `schema ${told.schema_version}`, told.at]),
  ...bindings.map(({ name, state, answered_ms, problem }) =>
    lineOf([name, state, answered_ms === null ? null : `${answered_ms} ms`, problem]),
  ),
  ...features.map(({ name, text, on, by }) => lineOf([name, on ? 'on' : 'off', text, by.join(' ')])),
]
