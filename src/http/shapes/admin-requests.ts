/** The bodies of requests about tenants and keys. */
import * as z from 'zod'
import { KeyLimits, TenantLimits } from '../../core/registry/limits.ts'
import { isTenantName, TENANT_NAME_RULE } from '../../core/registry/records.ts'
import { Scope, TENANT_SCOPES } from '../../core/registry/scopes.ts'
import { nonBlankText } from './fields.ts'

const KEY_NAME_MAX = 100
const SECOND_MS = 1000
/** Ten years. Who wants a key for longer says null. */
const EXPIRES_S_MAX = 315_360_000
/** A month, in which whoever uses a key can be found. */
const GRACE_S_MAX = 2_678_400
const GRACE_S_DEFAULT = 86_400

const TenantName = z
  .string()
  .refine(isTenantName, `must be ${TENANT_NAME_RULE}`)
  .meta({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' })
const GivenTenantLimits = TenantLimits.partial().describe('left out or null: that of the deployment')
const GivenKeyLimits = KeyLimits.partial().describe(
  'left out: that of the key that makes it, or none; null: that of the tenant. With the scope admin only `models`',
)

const EXPIRY = {
  expires_at: z.iso
    .datetime({ offset: true })
    .nullable()
    .optional()
    .describe('RFC 3339, in the future; null: never')
    .meta({ examples: ['2027-01-01T00:00:00Z'] }),
  expires_in_s: z.int().min(1).max(EXPIRES_S_MAX).optional().describe('the same, in seconds from now'),
}
interface Expiry {
  expires_at?: string | null | undefined
  expires_in_s?: number | undefined
}
function checkExpiry({ expires_at, expires_in_s }: Expiry, issues: z.RefinementCtx): void {
  if (expires_at === undefined || expires_in_s === undefined) return
  const message = 'and expires_in_s exclude each other: give one of them'
  issues.addIssue({ code: 'custom', path: ['expires_at'], message })
}
/** In ms since the epoch; null: never, undefined: nothing was said. */
export function expiryOf({ expires_at, expires_in_s }: Expiry, now_ms: number): number | null | undefined {
  if (expires_in_s !== undefined) return now_ms + expires_in_s * SECOND_MS
  return typeof expires_at === 'string' ? Date.parse(expires_at) : expires_at
}

export const CreateTenant = z.strictObject({ name: TenantName, limits: GivenTenantLimits.default({}) })
export const ChangeTenant = z.strictObject({
  disabled: z.boolean().optional().describe('true: its keys and links open nothing, and none of its tasks is driven'),
  limits: GivenTenantLimits.optional().describe('those that change; null: that of the deployment again'),
})
export const CreateKey = z
  .strictObject({
    tenant: TenantName.optional().describe('whose key it is; default: the tenant of the key that makes it'),
    name: nonBlankText(KEY_NAME_MAX).nullable().default(null).describe('what people call it'),
    scopes: z
      .array(Scope)
      .min(1)
      .max(Scope.options.length)
      .default([...TENANT_SCOPES])
      .describe('what it may do'),
    limits: GivenKeyLimits.default({}),
    ...EXPIRY,
  })
  .superRefine(checkExpiry)
export const RotateKey = z
  .strictObject({
    grace_s: z
      .int()
      .min(0)
      .max(GRACE_S_MAX)
      .default(GRACE_S_DEFAULT)
      .describe('seconds for which the other key still works; 0: it ends at once'),
    ...EXPIRY,
  })
  .superRefine(checkExpiry)

export const ADMIN_REQUESTS = { CreateTenant, ChangeTenant, CreateKey, RotateKey }
