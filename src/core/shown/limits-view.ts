/** What is shown of the limits of a tenant and of the key that asks: each limit, how much of it is used, and when it begins anew. */
import * as z from 'zod'

const Counted = z.object({
  max: z.int(),
  used: z.int(),
  remaining: z.int(),
})
const REMAINING = 'never below 0'
const RESETS = 'when it begins anew, RFC 3339'
const TokenTotal = z.object({
  max: z.int(),
  used: z.int().describe('spent, or reserved by a task that works'),
  remaining: z.int().describe(REMAINING),
  resets_at: z.string().describe(RESETS),
})
const MoneyTotal = z.object({
  max: z.string(),
  used: z.string().describe('spent, or reserved by a task that works'),
  remaining: z.string().describe(REMAINING),
  resets_at: z.string().describe(RESETS),
})
const totals = <T extends z.ZodType>(total: T) =>
  z.object({
    day: total.nullable().describe('of the UTC day; null: not bounded'),
    month: total.nullable().describe('of the calendar month; null: not bounded'),
  })

const HOLDER = {
  tokens: totals(TokenTotal),
  cost_usd: totals(MoneyTotal),
  models: z
    .array(z.string())
    .nullable()
    .describe('the only models that tasks may name; null: all that GET /models lists'),
}

export const LimitsView = z.object({
  as_of: z.string().describe('when it was looked up; a change of limits shows within a minute'),
  tenant: z.object({
    rate_per_minute: z.int(),
    open_tasks: Counted,
    stored_bytes: Counted,
    ...HOLDER,
    hosts: z
      .array(z.string())
      .nullable()
      .describe('the only hosts that tools and callbacks may reach; null: as the service is configured'),
  }),
  key: z
    .object({
      name: z.string(),
      rate_per_minute: z.int().nullable(),
      open_tasks: Counted.nullable().describe('of the tasks that it has made'),
      ...HOLDER,
    })
    .nullable()
    .describe(
      'the limits of the key that asks, which count beside those of the tenant; null: it is no key of the registry',
    ),
})
export type LimitsView = z.infer<typeof LimitsView>
