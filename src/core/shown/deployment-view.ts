/** What operators are told of a deployment: its bindings, and what they and the variables switch on. No view has a value of a variable. */
import * as z from 'zod'

/** What a deployment may bind, in the order in which it is shown. */
export const BINDING_NAMES = [
  'TASKS',
  'WORKSPACES',
  'REGISTRY',
  'METRICS',
  'FILES',
  'INDEX',
  'JOBS',
  'COMPUTE',
  'ASSETS',
  'AI',
  'BROWSER',
  'ANALYTICS',
  'RATE_LIMITER',
] as const

export const BindingView = z.object({
  name: z.enum(BINDING_NAMES),
  state: z.enum(['bound', 'absent', 'failing']).describe('`failing`: it is bound, and did not answer as it should'),
  answered_ms: z.int().nullable().describe('how long the answer took; null: it was not asked, or gave none'),
  problem: z.string().nullable().describe('why it is `failing`, without a text of anybody'),
})
export type BindingView = z.infer<typeof BindingView>

/** What the bindings answered, and what those say that keep things waiting. */
export const BoundView = z.object({
  bindings: z.array(BindingView),
  queue: z
    .object({
      waiting: z.int().describe('messages that were not taken yet'),
      oldest_at: z.string().nullable().describe('when the oldest of them was sent'),
    })
    .nullable()
    .describe('null: there is none, or it does not say'),
  index_fed: z.boolean().nullable().describe('whether a workspace has fed the index database; null: there is none'),
})
export type BoundView = z.infer<typeof BoundView>

export const FEATURE_NAMES = [
  'job_queue',
  'files',
  'compute',
  'python',
  'browser',
  'index_database',
  'tenant_shards',
  'registry',
  'logins',
  'signed_callbacks',
  'usage',
  'spans',
  'tenant_spans',
  'metrics',
  'platform_rate_limit',
  'analytics',
  'fixed_links',
] as const

export const FeatureView = z.object({
  name: z.enum(FEATURE_NAMES),
  text: z.string().describe('what it is, for people'),
  on: z.boolean(),
  by: z.array(z.string()).describe('the bindings and variables that it depends on; none: the Worker has it by itself'),
})
export type FeatureView = z.infer<typeof FeatureView>

export const DeploymentView = z.object({
  version: z.string(),
  schema_version: z.int().describe('of what a task stores'),
  environment: z.enum(['production', 'development']),
  at: z.string().describe('the time of the service'),
  ...BoundView.shape,
  features: z.array(FeatureView),
  sharded_tenants: z.int().describe('entries of TENANT_SHARDS with more than one shard; `*` is one of them'),
  short_keys: z.int().describe('keys of API_KEYS with fewer than 24 characters'),
})
export type DeploymentView = z.infer<typeof DeploymentView>
