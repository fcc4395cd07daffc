/** What a tenant, or one of its keys, may use at most. null: nothing is said here, and the limit of the deployment holds. */
import * as z from 'zod'
import { USD } from '../terms/money.ts'

const Count = z.int().min(1).max(999_999_999)
/** Tokens and bytes. No deployment comes near to it, and sums of it stay exact. */
const Amount = z.int().min(1).max(1_000_000_000_000_000)
/** A decimal string, as all money is shown. `microDollars` reads it. */
const Usd = z.string().regex(USD, 'must be USD as a decimal string such as "5.00"')

const MODELS_MAX = 100
const HOSTS_MAX = 100
/** `host`, `host:port` or `*.domain`, in lower case. */
const HOST = /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])(?::[1-9]\d{0,4})?$/

const KEY_LIMITS = {
  rate_per_minute: Count.nullable().describe('requests per minute'),
  open_tasks: Count.nullable().describe('tasks that have not ended'),
  tokens_per_day: Amount.nullable().describe('tokens of a UTC day'),
  tokens_per_month: Amount.nullable().describe('tokens of a UTC month'),
  cost_usd_per_day: Usd.nullable().describe('money of a UTC day, in USD'),
  cost_usd_per_month: Usd.nullable().describe('money of a UTC month, in USD'),
  models: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(MODELS_MAX)
    .nullable()
    .describe('the names of endpoints and models that tasks may name'),
}

/** The limits of one key. They hold beside those of its tenant. */
export const KeyLimits = z.strictObject(KEY_LIMITS)
export type KeyLimits = z.infer<typeof KeyLimits>

export const TenantLimits = z.strictObject({
  ...KEY_LIMITS,
  stored_bytes: Amount.nullable().describe('bytes of all that is stored'),
  hosts: z
    .array(z.string().regex(HOST, 'must be host, host:port or *.domain in lower case'))
    .min(1)
    .max(HOSTS_MAX)
    .nullable()
    .describe('the only hosts that tools and callbacks may reach: `host`, `host:port` or `*.domain`'),
})
export type TenantLimits = z.infer<typeof TenantLimits>

export const NO_KEY_LIMITS: KeyLimits = {
  rate_per_minute: null,
  open_tasks: null,
  tokens_per_day: null,
  tokens_per_month: null,
  cost_usd_per_day: null,
  cost_usd_per_month: null,
  models: null,
}
export const NO_TENANT_LIMITS: TenantLimits = { ...NO_KEY_LIMITS, stored_bytes: null, hosts: null }
