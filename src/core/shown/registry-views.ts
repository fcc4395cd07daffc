/** What is shown of tenants, keys and the audit log. No view has a key, but the one that answers its making, once. */
import * as z from 'zod'
import { KeyLimits, TenantLimits } from '../registry/limits.ts'
import { stateOf, type AuditEntry, type KeyRecord, type TenantRecord } from '../registry/records.ts'
import { Scope } from '../registry/scopes.ts'
import { rfc3339 } from '../terms/text.ts'

export const TenantView = z.object({
  name: z.string(),
  disabled: z.boolean().describe('its keys and links open nothing'),
  disabled_at: z.string().nullable(),
  created_at: z.string(),
  limits: TenantLimits.describe('null: that of the deployment'),
})
export type TenantView = z.infer<typeof TenantView>

export const KeyView = z.object({
  id: z.string().describe('names the key in paths, totals and logs'),
  tenant: z.string(),
  name: z.string().nullable(),
  prefix: z.string().describe('how the key begins'),
  scopes: z.array(Scope),
  limits: KeyLimits.describe('null: that of the tenant'),
  state: z.enum(['live', 'expired', 'revoked']),
  created_at: z.string(),
  created_by: z.string().describe('the key or login that has made it'),
  expires_at: z.string().nullable().describe('null: never'),
  last_used_at: z.string().nullable().describe('to some minutes; null: never'),
  revoked_at: z.string().nullable(),
  replaces: z.string().nullable().describe('the key whose place it takes'),
})
export type KeyView = z.infer<typeof KeyView>

export const NewKeyView = KeyView.extend({
  key: z
    .string()
    .nullable()
    .describe('the key itself, shown this once; null: an earlier request with this Idempotency-Key has made it'),
})
export type NewKeyView = z.infer<typeof NewKeyView>
export const RotatedKeyView = NewKeyView.extend({ replaced: KeyView.describe('the other key, until it expires') })
export type RotatedKeyView = z.infer<typeof RotatedKeyView>

export const AuditView = z.object({
  seq: z.int(),
  at: z.string(),
  request_id: z.string().describe('the X-Request-Id of the call'),
  actor: z.string().describe('the key or login that called; `admin_key`: ADMIN_KEY'),
  actor_tenant: z.string().nullable().describe('null: an operator'),
  action: z.string().describe('the operation, as this contract names it'),
  tenant: z.string().nullable().describe('whom it was about'),
  key: z.string().nullable(),
  outcome: z.string().describe('`done`, `replayed`, or the code of the refusal'),
  details: z.record(z.string(), z.unknown()).describe('what was asked for, without secrets'),
})
export type AuditView = z.infer<typeof AuditView>

const timeOrNull = (ms: number | null) => (ms === null ? null : rfc3339(ms))

export const tenantView = ({ name, disabled, created, limits }: TenantRecord): TenantView => ({
  name,
  disabled: disabled !== null,
  disabled_at: timeOrNull(disabled),
  created_at: rfc3339(created),
  limits,
})

export const keyView = (key: KeyRecord, now_ms: number): KeyView => ({
  id: key.id,
  tenant: key.tenant,
  name: key.name,
  prefix: key.prefix,
  scopes: key.scopes,
  limits: key.limits,
  state: stateOf(key, now_ms),
  created_at: rfc3339(key.created),
  created_by: key.created_by,
  expires_at: timeOrNull(key.expires),
  last_used_at: timeOrNull(key.last_used),
  revoked_at: timeOrNull(key.revoked),
  replaces: key.replaces,
})

export const auditView = ({ at, is_read: _read, ...entry }: AuditEntry): AuditView => ({ ...entry, at: rfc3339(at) })
