/** What a tenant may use at most, as the environment says: requests, open tasks, bytes, and the totals of a day. */
import * as z from 'zod'
import { microDollars, USD } from './core/terms/money.ts'
import { isShardCount, ONE_SHARD, SHARDS_MAX, type ShardLayout } from './core/workspace/shards/layout.ts'

export interface QuotaConfig {
  rate_limit_per_minute: number
  /** Whether one process serves everything, as `npm start` does: it counts requests by itself. */
  single_process: boolean
  max_open_tasks: number
  /** Schedules of one tenant. */
  max_schedules: number
  /** Tasks of one tenant that the service drives at the same time. */
  max_driven_tasks: number
  /** Bytes of everything that is stored for a tenant together. */
  max_stored_bytes: number
  /** A tenant's totals of a UTC day; money in micro-dollars, null: not bounded (U16). */
  daily: { tokens: number | null; cost: number | null }
  /** Whether the workspace of a tenant may be divided over several objects. */
  has_shards: boolean
  /** How many entries of TENANT_SHARDS divide a workspace. */
  sharded_tenants: number
  /** Over how many objects the workspace of a tenant is divided (SHARD-01). */
  shardsOf: (tenant: string) => ShardLayout
}

const Count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1 to 999999999')
  .transform(Number)

/** The variables by name; `src/config.ts` reads them with all others. */
export const QUOTA_VARIABLES = {
  RATE_LIMIT_PER_MINUTE: Count.default(6_000),
  SINGLE_PROCESS: z.enum(['true', 'false']).default('false'),
  MAX_OPEN_TASKS: Count.default(1_000),
  MAX_SCHEDULES: Count.default(100),
  MAX_DRIVEN_TASKS: Count.default(10),
  MAX_STORED_BYTES: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be a whole number of bytes from 1')
    .transform(Number)
    .default(10_737_418_240),
  TENANT_SHARDS: z.string().transform(readShards).optional(),
  TENANT_DAILY_TOKENS: Count.optional(),
  TENANT_DAILY_COST_USD: z
    .string()
    .regex(USD, 'must be a decimal number of USD such as 5.00')
    .transform(microDollars)
    .optional(),
}
/** `tenant:shards` or `tenant:shards:since`, separated by commas. The tenant `*` is every other one. */
function readShards(text: string, context: z.RefinementCtx): ReadonlyMap<string, ShardLayout> {
  const layouts = new Map<string, ShardLayout>()
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [, tenant = '', count = '', since = '1'] = SHARDS.exec(entry) ?? []
    const layout = { count: Number(count), since: Number(since) }
    if (!isShardCount(layout.count) || !isShardCount(layout.since) || layout.since > layout.count) {
      const wanted = `a power of two up to ${SHARDS_MAX}, as in acme:4, or acme:16:4 where it has never had fewer than 4`
      context.addIssue({ code: 'custom', message: `must be a list of tenant:shards, where shards is ${wanted}` })
      return z.NEVER
    }
    layouts.set(tenant, layout)
  }
  return layouts
}
/** The tenant may contain no colon and no comma, as in API_KEYS. */
const SHARDS = /^([^:,]{1,64}):([1-9]\d?)(?::([1-9]\d?))?$/
/** Names all tenants that are not named. */
const EVERY = '*'

const QuotaVariables = z.object(QUOTA_VARIABLES)

export function quotasOf(values: z.infer<typeof QuotaVariables>): QuotaConfig {
  return {
    rate_limit_per_minute: values.RATE_LIMIT_PER_MINUTE,
    single_process: values.SINGLE_PROCESS === 'true',
    max_open_tasks: values.MAX_OPEN_TASKS,
    max_schedules: values.MAX_SCHEDULES,
    max_driven_tasks: values.MAX_DRIVEN_TASKS,
    max_stored_bytes: values.MAX_STORED_BYTES,
    has_shards: values.TENANT_SHARDS !== undefined,
    sharded_tenants: [...(values.TENANT_SHARDS?.values() ?? [])].filter(({ count }) => count > 1).length,
    shardsOf: (tenant) => values.TENANT_SHARDS?.get(tenant) ?? values.TENANT_SHARDS?.get(EVERY) ?? ONE_SHARD,
    daily: { tokens: values.TENANT_DAILY_TOKENS ?? null, cost: values.TENANT_DAILY_COST_USD ?? null },
  }
}
