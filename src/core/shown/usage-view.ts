/** What a tenant has used, as GET /usage shows it. Money is a decimal string in USD, and working time is in seconds, rounded up. */
import * as z from 'zod'
import { dollars } from '../terms/money.ts'
import { NO_USAGE, addUsage, type UsageAmounts, type UsageSum } from '../terms/values/usage-sums.ts'

const count = z.int().min(0)
const AMOUNTS = {
  tasks: count.describe('tasks that were made'),
  model_calls: count.describe('calls to models, failed ones too'),
  tool_calls: count.describe('calls of tools, failed ones too'),
  steps: count.describe('steps that were counted, in the unit of the mode'),
  tokens: count.describe('tokens that were charged'),
  input_tokens: count.describe('tokens of prompts, as endpoints report them'),
  output_tokens: count.describe('tokens of replies, as endpoints report them'),
  cached_tokens: count.describe('those of `input_tokens` that the provider had in its cache'),
  cost_usd: z.string().describe('USD as a decimal string'),
  seconds: count.describe('working time, rounded up'),
}
const UsageEntry = z.object({
  day: z.string().optional().describe('UTC day; only with `group_by=day`'),
  key: z
    .string()
    .nullable()
    .optional()
    .describe('the name of the key that made the tasks; null: the service made them'),
  model: z.string().nullable().optional().describe('the model that answered; null: no model was called'),
  mode: z.string().optional(),
  ...AMOUNTS,
})
type UsageEntry = z.infer<typeof UsageEntry>

export const Usage = z.object({
  tenant: z.string(),
  from: z.string().describe('the first day'),
  to: z.string().describe('the last day'),
  data: z.array(UsageEntry),
  total: z.object(AMOUNTS),
  truncated: z.literal(true).optional().describe('there are more sums than an answer may have; `total` lacks them'),
  as_of: z.string().describe('when the sums were read; rows of the last seconds may be missing'),
})
export type Usage = z.infer<typeof Usage>

export function usageView(
  { tenant, from, to }: Pick<Usage, 'tenant' | 'from' | 'to'>,
  sums: readonly UsageSum[],
  { as_of, max }: { as_of: string; max: number },
): Usage {
  const shown = sums.slice(0, max)
  const total = shown.reduce<UsageAmounts>(addUsage, NO_USAGE)
  const truncated = sums.length > max ? { truncated: true as const } : {}
  return { tenant, from, to, data: shown.map(entryOf), total: amountsOf(total), ...truncated, as_of }
}

function entryOf(sum: UsageSum): UsageEntry {
  const { day, key, model, mode } = sum
  return {
    ...(day === undefined ? {} : { day }),
    ...(key === undefined ? {} : { key: key === '' ? null : key }),
    ...(model === undefined ? {} : { model: model === '' ? null : model }),
    ...(mode === undefined ? {} : { mode }),
    ...amountsOf(sum),
  }
}

const amountsOf = ({ cost, ms, ...sum }: UsageAmounts) => ({
  tasks: sum.tasks,
  model_calls: sum.model_calls,
  tool_calls: sum.tool_calls,
  steps: sum.steps,
  tokens: sum.tokens,
  input_tokens: sum.input_tokens,
  output_tokens: sum.output_tokens,
  cached_tokens: sum.cached_tokens,
  cost_usd: dollars(cost),
  seconds: Math.ceil(ms / 1000),
})
