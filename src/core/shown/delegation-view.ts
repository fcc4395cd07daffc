/** The wire shape of a delegation, which its routes answer. The service can start without these schemas. */
import * as z from 'zod'
import { CommandType, DelegationStatus, Report } from '../terms/delegation.ts'

export const DelegationView = z.object({
  id: z.string(),
  task_id: z.string(),
  item_id: z.string().nullable().describe('the step; null: of no step, an `end`'),
  command_id: z.string().describe('the `id` of its command file'),
  command_type: CommandType,
  session_id: z.string().describe('of the session to work in; `auto`: one that the worker begins'),
  status: DelegationStatus,
  deadline: z.string().describe('until when its report is waited for'),
  created_at: z.string(),
  pool: z.string().nullable().describe('the pool of workers that it is for; null: the default pool'),
  report: Report.nullable().describe('null before there is one; in lists its text is cut to 2000 characters'),
  claim: z
    .object({ worker: z.string(), expires_at: z.string() })
    .nullable()
    .describe('who works on it, as long as the lease lasts'),
  budget: z
    .object({ tokens: z.int().min(0).nullable(), cost_usd: z.string().nullable(), seconds: z.int().min(0).nullable() })
    .nullable()
    .describe('what the worker may spend of the budget of the task; null: nothing is said of it'),
  report_url: z
    .string()
    .nullable()
    .describe('where it can be reported without a key; null in lists, and when it can be reported no more'),
})
export type DelegationView = z.infer<typeof DelegationView>

/**
 * What the holder of a report link gets. The holder knows the command file of the delegation. This view adds nothing about the task,
 * and no name of a worker or a pool.
 */
export const DelegationViewByLink = DelegationView.omit({ task_id: true, item_id: true, pool: true, claim: true })
export type DelegationViewByLink = z.infer<typeof DelegationViewByLink>

/** One pool of a tenant, with what is open in it. */
export const PoolView = z.object({
  name: z.string().nullable().describe('null: the default pool'),
  pending: z.int().min(0).describe('delegations that nobody works on'),
  claimed: z.int().min(0),
  waiting: z.int().min(0).describe('workers that wait for a delegation at this moment'),
})
export type PoolView = z.infer<typeof PoolView>
