/** The bodies of requests about delegations. */
import * as z from 'zod'
import { EXTERNAL_ID, ReportStatus, SECTION_CHARS_MAX, SPENT_MAX } from '../../core/terms/delegation.ts'
import { microDollars, USD } from '../../core/terms/money.ts'
import { reportStatusOf } from '../../delegations/report-status.ts'
import { textUpTo } from './fields.ts'

/** The pattern is not shown in openapi.yaml, because it means something else there without its flag. */
const externalId = z
  .string()
  .min(1)
  .refine((id) => EXTERNAL_ID.test(id), { error: 'must be one line of 1 to 200 characters', abort: true })
  .meta({ maxLength: 200 })
const LEASE_S_MAX = 86_400
export const ClaimDelegation = z.strictObject({
  worker: externalId.describe('one line, a name of your own: the same one again renews its lease'),
  lease_s: z
    .int()
    .min(1)
    .max(LEASE_S_MAX)
    .default(300)
    .describe('seconds after which somebody else may claim it; claim it again to have it longer'),
})

/** Whether a word names a status, in any spelling that a file may have. Other words are read as UNKNOWN, so only `UNKNOWN` itself may give that. */
const isStatus = (word: string) => reportStatusOf(word) !== 'UNKNOWN' || word.trim().toUpperCase() === 'UNKNOWN'
const optionalId = externalId.nullable().optional()
const section = textUpTo(SECTION_CHARS_MAX).nullable().optional()
const Spent = z
  .string()
  .regex(USD)
  .refine((usd) => microDollars(usd) <= SPENT_MAX.cost, 'must be at most 1000000')
  .describe('USD as a decimal string such as "0.50"')
/** 10⁹ is more than a worker will use, and far below the largest safe integer. */
const amount = z.int().min(0).max(1_000_000_000).optional()
const ReportFields = z.strictObject({
  status: z
    .string()
    .refine(isStatus, `must be one of ${ReportStatus.options.join(', ')}`)
    .optional()
    .describe(`${ReportStatus.options.join(', ')}, in any case; left out: UNKNOWN`),
  session_id: optionalId.describe('of the session it was done in, for commands that continue it'),
  command_id: optionalId.describe('the `id` of the command file; refused when it is of another command'),
  results: section,
  pitfalls: section,
  next_steps: section,
  text: z.string().optional().describe('the whole report; may be left out where another part says something'),
  spent: z
    .strictObject({
      tokens: amount,
      cost_usd: Spent.optional(),
      seconds: amount,
    })
    .optional()
    .describe('what was used of the budget of the command'),
})
const PARTS = ['text', 'results', 'pitfalls', 'next_steps'] as const
export const SendReport = ReportFields.refine((report) => PARTS.some((part) => typeof report[part] === 'string'), {
  path: ['text'],
  message: 'is required, unless results, pitfalls or next_steps is given',
})
